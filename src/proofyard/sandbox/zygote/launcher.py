"""Rung 2 for the runner: keeps warm processes by image and starts samples as their forks."""

import json
import os
import socket
from collections.abc import Mapping
from typing import Any

from proofyard.sandbox.runner import files
from proofyard.sandbox.runner.bubblewrap import BubblewrapLauncher
from proofyard.sandbox.runner.launcher import Box, Program, StartError
from proofyard.sandbox.runner.root import Options, environment, interpreter_argv, system_options
from proofyard.sandbox.runner.setup import Layout
from proofyard.sandbox.zygote.handle import SampleHandle
from proofyard.sandbox.zygote.inside import calls, wire
from proofyard.sandbox.zygote.limits import rlimits
from proofyard.sandbox.zygote.process import BOOT, WarmProcess

__all__ = ["ZygoteLauncher", "make"]

MOST_WARM = 2
"""Warm processes kept by one runner; a further image ends the one used longest ago."""
SHM_BYTES, SHM_INODES = 16 << 20, 256
SEND_SECONDS = 10.0
MOST_IMPORTED = 16 << 20
"""Bytes of the folder that holds a file to be imported."""
ARENAS, ARENAS_WITH_PACKAGES = 8, 96
"""Megabytes laid out for objects of what is preloaded: about what the standard library and scientific packages take."""
WARM_ENVIRONMENT = {"MPLBACKEND": "Agg", "MPLCONFIGDIR": "/tmp/matplotlib"}


def make(config: Mapping[str, Any], layout: Layout, program: bytes) -> "ZygoteLauncher":
    """Return the back end of this rung. program: the seccomp filter."""
    return ZygoteLauncher(config, layout, program)


class ZygoteLauncher:
    """Storage is a tmpfs in the runner's own mount namespace, as on rung 1, so state outlives sample and warm process."""

    rung = "zygote"

    def __init__(self, config: Mapping[str, Any], layout: Layout, program: bytes) -> None:
        self._config = config
        self._layout = layout
        self._filter = program
        self._storage = BubblewrapLauncher(config, layout, program)
        self._warm: dict[str, WarmProcess] = {}
        self._named: tuple[Box | None, str] = (None, "")
        """The box that is open, and its image as the name of a warm process."""

    def make_base(self, limits: Mapping[str, int]) -> str:
        """Mount the storage of one sandbox."""
        return self._storage.make_base(limits)

    def open(self, box: Box) -> None:
        """Have the image's warm process ready."""
        if box.armed:
            raise StartError("a warm process has no kill at an exact point")
        if box.network.get("mode", "none") != "none":
            raise StartError("a warm process has no network")
        self._process(box)

    def start(self, box: Box, program: Program) -> SampleHandle:
        """Fork one sample; an argv that a warm interpreter cannot honour is executed afresh in the same namespaces."""
        process = self._process(box)
        places = sorted(box.places, key=lambda place: place.inside)
        mounts: list[int] = []
        init, init_end = socket.socketpair()
        sample, sample_end = socket.socketpair()
        body = os.memfd_create("request", os.MFD_CLOEXEC)
        handle = SampleHandle(process, init, (sample, sample_end), box.limits)
        try:
            mounts.extend(calls.copy_mount(place.source, read_only=not place.writable) for place in places)
            os.write(body, json.dumps(self._request(box, program)).encode())
            os.lseek(body, 0, os.SEEK_SET)
            wire.send(sample, {}, (program.stdin, program.stdout, program.stderr, body))  # read when it is there
            init.settimeout(SEND_SECONDS)
            process.order(process.maker, handle, [init_end.fileno()])
            wire.send(init, self._cell(box, program, [place.inside for place in places]), tuple(mounts))
        except OSError as error:
            handle.close()
            process.give_up()
            raise StartError(f"the warm process does not answer: {error}") from error
        finally:
            init_end.close()
            for fd in (*mounts, body):
                os.close(fd)
        init.setblocking(False)
        sample.setblocking(False)
        return handle

    def close(self, box: Box) -> None:
        """Unmount the storage; the warm process stays unless it is doubtful."""
        self._storage.close(box)
        for key in [key for key, process in self._warm.items() if process.lost]:
            self._warm.pop(key).end()

    def leave(self) -> None:
        """End every warm process."""
        while self._warm:
            self._warm.popitem()[1].end()

    def _process(self, box: Box) -> WarmProcess:
        if self._named[0] is not box:
            self._named = (box, json.dumps(box.image, sort_keys=True))
        key = self._named[1]
        process = self._warm.pop(key, None)
        if process is not None:
            process.serve()
            if process.lost:
                process.end()
                process = None
        if process is None:
            while len(self._warm) >= MOST_WARM:
                self._warm.pop(next(iter(self._warm))).end()
            process = self._new(box)
        self._warm[key] = process
        return process

    def _new(self, box: Box) -> WarmProcess:
        packages = bool(self._config["packages"])
        options = Options()
        options.add("--unshare-user", "--unshare-all", "--die-with-parent", "--new-session")
        options.add("--uid", "1000", "--gid", "1000", "--hostname", "sandbox", "--json-status-fd", "4", "--clearenv")
        system_options(options, self._config, self._layout, box)
        options.add("--proc", "/proc", "--dev", "/dev", "--size", str(64 << 20), "--tmpfs", "/tmp")
        for name, value in self._environment(box, ["python"], {}).items():
            options.add("--setenv", name, value)
        options.add("--chdir", "/", "--remount-ro", "/dev", "--remount-ro", "/")
        command = interpreter_argv(self._config, ["python", "-c", BOOT], packages)
        config = {
            "preload": [name for name in box.image["preload"] if not name.startswith("/")],
            "files": _files(box),
            "arenas": ARENAS_WITH_PACKAGES if packages else ARENAS,
            "filter": self._filter.hex(),
            "interpreter": interpreter_argv(self._config, ["python"], packages),
        }
        return WarmProcess(self._config["bwrap"], options, command, config)

    def _environment(self, box: Box, argv: list[str], extra: Mapping[str, str]) -> dict[str, str]:
        program = Program(argv, extra, "", -1, -1, -1)
        return {**WARM_ENVIRONMENT, **environment(self._config, box, program)}

    def _request(self, box: Box, program: Program) -> wire.Line:
        """What the sample is asked."""
        return {
            "argv": list(program.argv),
            "env": self._environment(box, list(program.argv), program.env),
            "cwd": program.cwd or box.image["workdir"],
            "rlimits": rlimits(box.limits),
            "memory": box.limits["memory"],
        }

    @staticmethod
    def _cell(box: Box, program: Program, places: list[str]) -> wire.Line:
        """What its init is asked."""
        disk, inodes = box.limits["disk"], box.limits["inodes"]
        return {
            "cwd": program.cwd or box.image["workdir"],
            "places": places,
            "tmp": f"mode=1777,size={disk},nr_inodes={inodes}",
            "shm": f"mode=1777,size={min(disk, SHM_BYTES)},nr_inodes={min(inodes, SHM_INODES)}",
        }


def _files(box: Box) -> dict[str, str]:
    """Content, in hexadecimal digits, of the files that are to be imported, as this box has them.

    Raises:
        StartError: one is no file of a read-only mount.

    """
    return {path: _content(box, path).hex() for path in box.image["preload"] if path.startswith("/")}


def _content(box: Box, path: str) -> bytes:
    folder, _, name = path.rpartition("/")
    for place in box.places:
        if f"{folder}/".startswith(f"{place.inside}/") and not place.writable:
            # No link is followed: a mount may be a submission.
            for entry, data in files.read_back(place.source, folder[len(place.inside) :], MOST_IMPORTED):
                if entry["path"] == name and entry["kind"] == "file":
                    return data
    raise StartError(f"to be imported beforehand, {path} has to be a file of a read-only mount")
