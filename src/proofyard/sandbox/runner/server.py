"""Serves the controller: one sandbox at a time, one request and one answer at a time."""

import contextlib
import fcntl
import importlib
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from proofyard.sandbox.runner import files
from proofyard.sandbox.runner.bubblewrap import BubblewrapLauncher
from proofyard.sandbox.runner.frames import FrameReader, FramesClosedError, pack
from proofyard.sandbox.runner.launcher import Box, Launcher, Place, Program, StartError
from proofyard.sandbox.runner.loop import ControllerGoneError, Loop
from proofyard.sandbox.runner.memory import children
from proofyard.sandbox.runner.outcome import Answer, UnconfirmedError
from proofyard.sandbox.runner.plain import PlainLauncher
from proofyard.sandbox.runner.session import KILL_SECONDS, Session
from proofyard.sandbox.runner.setup import Layout, enter
from proofyard.sandbox.seccomp.filters import filter_bytes, filter_hash

__all__ = ["make_launcher", "serve", "sweep"]

FIRST_FD = 10
"""Lower descriptors are where started programs get theirs; the runner itself uses none of them."""
START_SECONDS = 20.0
LOOK_SECONDS = 0.002
BACKLOG = 64

Header = dict[str, Any]


def serve(fd: int) -> None:
    """Run until the control socket closes."""
    control = _take_control(fd)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    reader = FrameReader(control)
    try:
        config, _ = reader.read()
        server = _Server(control, reader, config)
    except FramesClosedError:
        return
    except Exception as error:
        control.sendall(pack({"error": "isolation_unavailable", "message": _line(error)}))
        return
    try:
        server.run()
    except (ControllerGoneError, FramesClosedError, ConnectionError):
        pass
    finally:
        clean = server.end()
    if not clean:
        sys.exit(1)  # whoever is there to see it ends all of our uid


def make_launcher(config: Header, layout: Layout, program: bytes) -> Launcher:
    """The back end of the configured rung; those with a package of their own are found by name."""
    rung = config["rung"]
    if rung == "bubblewrap":
        return BubblewrapLauncher(config, layout, program)
    if rung == "none":
        return PlainLauncher(config, layout)
    module = importlib.import_module(f"proofyard.sandbox.{rung}.launcher")
    launcher: Launcher = module.make(config, layout, program)
    return launcher


def sweep(deadline: float) -> bool:
    """Kill and reap every descendant (we adopt the orphans); whether none is left.

    So also dies what a sandbox's outer process had forked but not yet told of when it was killed.
    """
    while left := children(os.getpid()):
        if time.monotonic() >= deadline:
            return False
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(LOOK_SECONDS)
    return True


def _take_control(fd: int) -> socket.socket:
    high = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, FIRST_FD)
    os.close(fd)
    while (filler := os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC)) < FIRST_FD:
        pass
    os.close(filler)
    return socket.socket(fileno=high)


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


class _Server:
    def __init__(self, control: socket.socket, reader: FrameReader, config: Header) -> None:
        self._control = control
        self._reader = reader
        program, digest = filter_bytes(), filter_hash()  # read now: after `enter` the files may be out of reach
        if config["rung"] not in {"bubblewrap", "none"}:
            importlib.import_module(f"proofyard.sandbox.{config['rung']}.launcher")
        self._loop = Loop(control)
        self._launcher = make_launcher(config, enter(config), program)
        self._box: Box | None = None
        self._deepest: list[Place] = []
        self._sessions: dict[int, Session] = {}
        self._serial = 0
        self._doubt = ""
        self._handed: list[int] = []
        self._operations: dict[str, Callable[[Header, bytes], tuple[Header, bytes]]] = {
            "open": self._open,
            "lay": self._lay,
            "ready": self._ready,
            "listen": self._listen,
            "start": self._start,
            "exchange": self._exchange,
            "send": self._send,
            "back": self._back,
            "receive": self._receive,
            "finish": self._finish,
            "kill": self._kill,
            "read": self._read,
            "usage": self._usage,
            "close": self._close,
        }
        control.sendall(pack({"ready": True, "filter": digest, "pid": os.getpid(), "uid": os.getuid()}))

    def run(self) -> None:
        """Serve frames for ever; leaves by ControllerGoneError or FramesClosedError."""
        while True:
            if not self._reader.pending:
                self._loop.idle()
            header, payload = self._reader.read()
            try:
                answer, data = self._operations[header["op"]](header, payload)
            except UnconfirmedError:
                self._doubt = "processes were still alive 5 s after the kill"
                answer, data = {"error": "kill_unconfirmed", "message": self._doubt}, b""
            except StartError as error:
                answer, data = {"error": "sandbox_start", "message": _line(error)}, b""
            except OSError as error:
                answer, data = {"error": "sandbox_lost", "message": f"{header['op']}: {_line(error)}"}, b""
            fds, self._handed = self._handed, []
            if fds:
                socket.send_fds(self._control, [pack(answer, data)], fds)
            else:
                self._control.sendall(pack(answer, data))

    def end(self) -> bool:
        """The controller is gone: kill, confirm as far as possible, drop the storage, leave no child; whether none is left.

        Programs are served until they are dead: one whose call waits for an answer would not end before.
        """
        self._loop.detach()
        sessions = list(self._sessions.values())
        with contextlib.suppress(OSError):
            for session in sessions:
                session.kill_now()
            end = time.monotonic() + KILL_SECONDS
            self._loop.until(lambda: all(session.handle.exit is not None for session in sessions), end)
        with contextlib.suppress(OSError, StartError):
            if self._box is not None:
                self._launcher.close(self._box)
        with contextlib.suppress(OSError, StartError):
            leave = getattr(self._launcher, "leave", None)
            if leave is not None:
                leave()
        return sweep(time.monotonic() + KILL_SECONDS)

    # --- one method an operation

    def _open(self, header: Header, _: bytes) -> tuple[Header, bytes]:
        limits = header["limits"]
        quota = {
            **limits,
            "disk": limits["disk"] + header["fixed_bytes"],
            "inodes": limits["inodes"] + header["fixed_inodes"],
        }
        box = Box(limits, header["image"], armed=header["armed"], network=header["network"])
        box.base = self._launcher.make_base(quota)
        for number, place in enumerate(header["places"]):
            source = f"{box.base}/p{number}"
            os.mkdir(source)  # noqa: PTH102 - at every open
            box.places.append(Place(place["inside"], source, place["writable"], place["kept"]))
        self._box = box
        self._deepest = sorted(box.places, key=lambda place: -len(place.inside))
        for place in box.places:
            self._nest(box, place)
        return {}, b""

    @staticmethod
    def _nest(box: Box, inner: Place) -> None:
        """Make the mount point of a place that lies below another one."""
        for outer in box.places:
            if inner.inside.startswith(outer.inside + "/"):
                os.close(files.make_folder(outer.source, inner.inside[len(outer.inside) + 1 :]))

    def _lay(self, header: Header, payload: bytes) -> tuple[Header, bytes]:
        top, prefix = self._locate(header["path"])
        at = 0
        for path, kind, extra in header["entries"]:
            target = f"{prefix}/{path}" if prefix else path
            if kind == "symlink":
                files.write_link(top, target, extra)
            else:
                files.write_file(top, target, payload[at : at + extra], kind == "executable")
                at += extra
        return {}, b""

    def _ready(self, _: Header, __: bytes) -> tuple[Header, bytes]:
        self._launcher.open(self._opened())
        return {}, b""

    def _listen(self, _: Header, __: bytes) -> tuple[Header, bytes]:
        """Make the socket of the egress proxy where nothing outside our mounts can reach it; hand its listening end over."""
        box = self._opened()
        path = Path(box.base).with_name("egress")
        path.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen(BACKLOG)
            box.network["socket"] = str(path)
            socket.send_fds(self._control, [pack({"listening": True})], [listener.fileno()])
        return {}, b""

    def _start(self, header: Header, _: bytes) -> tuple[Header, bytes]:
        box = self._opened()
        child_in, stdin = os.pipe2(os.O_CLOEXEC)
        stdout, child_out = os.pipe2(os.O_CLOEXEC)
        stderr, child_err = os.pipe2(os.O_CLOEXEC)
        program = Program(header["argv"], header["env"], header["cwd"], child_in, child_out, child_err)
        try:
            handle = self._launcher.start(box, program)
        except BaseException:
            for fd in (stdin, stdout, stderr):
                os.close(fd)
            raise
        finally:
            for fd in (child_in, child_out, child_err):
                os.close(fd)
        session = Session(self._loop, handle, (stdin, stdout, stderr), box.limits)
        self._serial += 1
        self._sessions[self._serial] = session
        try:
            session.wait_started(START_SECONDS)
        except StartError:
            self._doubt = "a program did not start"  # its sandbox may have been killed before it told its init
            raise
        if not box.armed:
            self._handed = session.lend()
        return {"p": self._serial}, b""

    def _session(self, header: Header) -> Session:
        """The session asked for; its output is read here from now on."""
        session = self._sessions[header["p"]]
        session.take_back(b"", 0)
        return session

    def _back(self, header: Header, payload: bytes) -> tuple[Header, bytes]:
        self._sessions[header["p"]].take_back(payload, header["t"])
        return {}, b""

    def _exchange(self, header: Header, payload: bytes) -> tuple[Header, bytes]:
        session = self._session(header)
        return _reply(session.exchange(payload, header["w"], header.get("k"), torn="h" in header))

    def _receive(self, header: Header, _: bytes) -> tuple[Header, bytes]:
        return _reply(self._session(header).receive(header["w"]))

    def _send(self, header: Header, payload: bytes) -> tuple[Header, bytes]:
        self._session(header).send(payload)
        return {}, b""

    def _finish(self, header: Header, _: bytes) -> tuple[Header, bytes]:
        """The answer tells also what was used, if by now all processes of the sandbox are known to be dead."""
        end = self._session(header).finish(header["w"])
        fields: Header = {"code": end.code, "signal": end.signal, "fault": end.fault, "out": len(end.stdout)}
        if all(session.closed for session in self._sessions.values()):
            fields["used"], _ = self._usage({}, b"")
        return fields, end.stdout + end.stderr

    def _kill(self, _: Header, __: bytes) -> tuple[Header, bytes]:
        """Kill everything; the answer is what it used."""
        self._kill_all()
        return self._usage({}, b"")

    def _kill_all(self) -> None:
        states = [session.kill() for session in self._sessions.values()]
        if not all(states):
            raise UnconfirmedError

    def _read(self, header: Header, _: bytes) -> tuple[Header, bytes]:
        """Stream entries, each a frame of its own; the answer proper ends them."""
        top, path = self._locate(header["path"])
        for entry, data in files.read_back(top, path, header["budget"]):
            self._control.sendall(pack({"entry": entry}, data))
        return {}, b""

    def _usage(self, _: Header, __: bytes) -> tuple[Header, bytes]:
        sessions = self._sessions.values()
        exits = [session.handle.exit for session in sessions if session.handle.exit is not None]
        peaks = [done.peak_memory for done in exits] + [session.peak_memory for session in sessions]
        info = os.statvfs(self._opened().base)
        return {
            "cpu_us": sum(done.cpu_us for done in exits),
            "wall_us": sum(session.wall_us for session in sessions),
            "peak_memory": max(peaks, default=0),
            "written": (info.f_blocks - info.f_bfree) * info.f_frsize,
        }, b""

    def _close(self, _: Header, __: bytes) -> tuple[Header, bytes]:
        self._kill_all()
        if self._box is not None:
            self._launcher.close(self._box)
        self._box = None
        self._sessions.clear()
        return {"doubt": self._doubt}, b""

    # --- inside

    def _opened(self) -> Box:
        if self._box is None:
            raise StartError("no sandbox is open")
        return self._box

    def _locate(self, path: str) -> tuple[str, str]:
        """The folder in our view that `path` of the sandbox lies in, and the rest of the path."""
        self._opened()
        for place in self._deepest:
            if path == place.inside or path.startswith(place.inside + "/"):
                return place.source, path[len(place.inside) + 1 :]
        raise StartError(f"{path} lies in no folder of the sandbox")


def _reply(answer: Answer) -> tuple[Header, bytes]:
    header: Header = {"n": answer.calls}
    if answer.fault is not None:
        header["f"] = answer.fault
    if answer.killed:
        header["d"] = True
    if answer.line is None:
        return header, b""
    header["l"] = True
    return header, answer.line
