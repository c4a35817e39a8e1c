"""The controller's end of one runner: start it, ask it one thing at a time, give it up at the first doubt."""

import contextlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from proofyard.core import Failure, InfrastructureError
from proofyard.sandbox.runner.frames import FrameReader, FramesClosedError, pack

__all__ = ["GUARD_MS", "Runner"]

BOOT = str(Path(__file__).parent / "runner" / "boot.py")
GUARD_MS = 12_000
"""A runner answers this much later than the deadline it was given, or it is lost (a kill may take 5 s to confirm)."""
START_MS = 30_000
EXIT_SECONDS = 12.0
"""A runner that is left alone waits up to 5 s for deaths, and as long again for those of what nobody knew of."""
Header = dict[str, Any]


class Runner:
    """One runner process."""

    def __init__(self, python: str, config: Mapping[str, Any]) -> None:
        self.config = dict(config)
        self.lost = ""
        self._lock = threading.Lock()
        self._guard = -1
        self._sock, other = socket.socketpair()
        with other:
            self._process = subprocess.Popen(
                [python, "-I", "-S", "-B", BOOT, str(other.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(other.fileno(),),
                start_new_session=True,
                env={"LANG": "C.UTF-8"},
                cwd="/",
            )
        self._reader = FrameReader(self._sock)
        try:
            self.facts, _ = self._call(self.config, b"", START_MS)
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The runner's process id."""
        return self._process.pid

    def call(self, op: str, payload: bytes = b"", wall_ms: int = 0, /, **fields: Any) -> tuple[Header, bytes]:
        """Ask one thing; wait at most `wall_ms` milliseconds and the guard time.

        Raises:
            InfrastructureError: the runner reported one, or is lost.

        """
        fields["op"] = op
        return self._call(fields, payload, wall_ms + GUARD_MS)

    def call_all(self, questions: Sequence[tuple[Header, bytes]], wall_ms: int) -> None:
        """Ask several things at once; the answers hold nothing. Raises the first error, after all were answered."""
        with self._exclusive():
            for fields, payload in questions:
                self._send(fields, payload, wall_ms + GUARD_MS)
            answers = [self._receive()[0] for _ in questions]
        for header in answers:
            self._raise(header)

    def stream(self, op: str, asked: Sequence[Header], wall_ms: int = 0) -> Iterator[tuple[int, Header, bytes]]:
        """Ask several things at once whose answers come in pieces; each piece with the number of its question.

        Must be read to the end. Raises the first error, after all were answered.
        """
        ends: list[Header] = []
        with self._exclusive():
            for fields in asked:
                self._send({**fields, "op": op}, b"", wall_ms + GUARD_MS)
            while len(ends) < len(asked):
                header, payload = self._receive()
                if "entry" not in header:
                    ends.append(header)
                    continue
                yield len(ends), header["entry"], payload
                payload = b""  # not to be held while the next one comes
        for header in ends:
            self._raise(header)

    def listener(self) -> socket.socket:
        """Ask for the listening end of a socket that programs of the open sandbox can reach."""
        with self._exclusive():
            self._send({"op": "listen"}, b"", GUARD_MS)
            _, (fd,) = self._reader.read_with_descriptors(1)
            header, _ = self._receive()
        self._raise(header)
        return socket.socket(fileno=fd)

    def start(self, wall_ms: int, **fields: Any) -> tuple[int, list[int]]:
        """Start a program; return its number and, if it may be spoken to directly, its standard input and output."""
        with self._exclusive():
            self._send({**fields, "op": "start"}, b"", wall_ms + GUARD_MS)
            header, fds = self._reader.read_with_descriptors(2)
        self._raise(header)
        return header["p"], fds

    def abandon(self) -> None:
        """Cut the connection, also under another thread's question: the runner kills everything and exits."""
        self.lost = self.lost or "closed"
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close the socket, upon which the runner kills everything and exits; wait for it."""
        self.lost = self.lost or "closed"
        self._sock.close()
        try:
            self._process.wait(EXIT_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
        if self._process.stderr is not None:
            self._process.stderr.close()
        if self._process.returncode != 0 and os.getuid() == 0 and self.config["uid"] != 0:
            _kill_all_of(self.config["uid"])

    def _call(self, fields: Header, payload: bytes, guard_ms: int) -> tuple[Header, bytes]:
        with self._exclusive():
            self._send(fields, payload, guard_ms)
            header, data = self._receive()
        self._raise(header)
        return header, data

    @contextlib.contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Hold the runner; whatever interrupts a question makes the runner useless for the next one."""
        with self._lock:
            if self.lost:
                raise InfrastructureError(Failure(code="sandbox_lost", message=f"the runner is gone: {self.lost}"))
            try:
                yield
            except (OSError, FramesClosedError, json.JSONDecodeError, struct.error) as error:
                self.lost = self._last_words() or f"{type(error).__name__} {error}".strip()
                message = f"the runner is gone: {self.lost}"
                raise InfrastructureError(Failure(code="sandbox_lost", message=message)) from error
            except BaseException as error:
                self.lost = f"interrupted by {type(error).__name__}"
                raise

    def _send(self, fields: Header, payload: bytes, guard_ms: int) -> None:
        if guard_ms != self._guard:
            self._guard = guard_ms
            seconds, rest = divmod(guard_ms, 1000)
            self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", seconds, rest * 1000))
        self._sock.sendall(pack(fields, payload))

    def _receive(self) -> tuple[Header, bytes]:
        return self._reader.read()

    def _raise(self, header: Header) -> None:
        if "error" in header:
            raise InfrastructureError(Failure(code=header["error"], message=header["message"]))

    def _last_words(self) -> str:
        stream = self._process.stderr
        if stream is None or not select.select([stream], [], [], 0.2)[0]:
            return ""
        lines = os.read(stream.fileno(), 1 << 14).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""


def _kill_all_of(uid: int) -> None:
    """A runner that was killed could not sweep what it had just started; its uid is its alone."""
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if folder.name.isdigit() and folder.stat().st_uid == uid:
                os.kill(int(folder.name), signal.SIGKILL)
