"""A provider of plain subprocesses: no isolation, quick; for tests of graders, never for programs one does not trust.

Kill points are imitated: "response" kills once the line is read; a number kills before the request is sent (it did not
happen), after the response was seen and dropped (it did), or never, as `middle` says.
"""

import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal

from proofyard.core import (
    Blobs,
    Capabilities,
    Ended,
    Entry,
    KillPoint,
    Limits,
    MemoryBlobs,
    Reply,
    Rung,
    RungReport,
    Sandbox,
    SandboxSpec,
    Tree,
    Usage,
    file_bytes,
    tree_of,
)

Middle = Literal["before", "after", "never"]


class PlainProcess:
    def __init__(self, popen: "subprocess.Popen[bytes]", limits: Limits, middle: Middle) -> None:
        self.popen = popen
        self.limits = limits
        self.middle = middle
        self.buffer = b""
        self.fault: str = ""
        assert popen.stdin is not None and popen.stdout is not None
        self.stdin, self.stdout = popen.stdin, popen.stdout

    def exchange(self, request: bytes, wall_ms: int, kill_at: KillPoint | None = None, *, torn: bool = False) -> Reply:
        if not self.buffer and select.select([self.stdout], [], [], 0)[0]:
            self.buffer = os.read(self.stdout.fileno(), 1 << 16)
        if self.buffer:
            return Reply(fault="unsolicited_output")
        if isinstance(kill_at, int) and self.middle == "before":
            return self._kill(None)
        try:
            os.write(self.stdin.fileno(), request + b"\n")
        except OSError:
            return Reply(fault="stdin_closed")
        reply = self.receive(wall_ms)
        if reply.line is not None and kill_at == "response":
            return self._kill(reply.line)
        if reply.line is not None and isinstance(kill_at, int) and self.middle == "after":
            return self._kill(None)
        return reply

    def _kill(self, line: bytes | None) -> Reply:
        self.popen.kill()
        self.popen.wait()
        return Reply(line=line, fault="killed" if line is None else None, killed=True)

    def send(self, data: bytes) -> None:
        with suppress(BrokenPipeError):
            os.write(self.stdin.fileno(), data)

    def receive(self, wall_ms: int) -> Reply:
        deadline = time.monotonic() + wall_ms / 1000
        while b"\n" not in self.buffer:
            if len(self.buffer) > self.limits.line:
                return Reply(fault="line_too_long")
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.stdout], [], [], left)[0]:
                return Reply(fault="timeout")
            data = os.read(self.stdout.fileno(), 1 << 16)
            if not data:
                return Reply(fault="eof")
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        return Reply(line=line)

    def finish(self, wall_ms: int) -> Ended:
        fault: Literal["timeout"] | None = None
        try:
            out, err = self.popen.communicate(timeout=wall_ms / 1000)
        except subprocess.TimeoutExpired:
            fault = "timeout"
            self.popen.kill()
            out, err = self.popen.communicate()
        out, code = self.buffer + out, self.popen.returncode
        if fault:
            return Ended(fault=fault, stdout=out, stderr=err)
        if code < 0:
            return Ended(signal=-code, stdout=out, stderr=err)
        return Ended(code=code, stdout=out, stderr=err)

    def close(self) -> None:
        if self.popen.poll() is None:
            self.popen.send_signal(signal.SIGKILL)
        self.popen.wait()
        for pipe in (self.popen.stdin, self.popen.stdout, self.popen.stderr):
            if pipe is not None:
                pipe.close()


class PlainSandbox:
    def __init__(self, spec: SandboxSpec, blobs: Blobs, middle: Middle) -> None:
        self.spec = spec
        self.blobs = blobs
        self.middle = middle
        self.root = Path(tempfile.mkdtemp(prefix="plain-"))
        self.processes: list[PlainProcess] = []
        for mount in spec.mounts:
            self.put(mount.tree, mount.path)
        for path in (spec.image.workdir, *spec.kept):
            self._host(path).mkdir(parents=True, exist_ok=True)

    @property
    def rung(self) -> Rung:
        return "none"

    @property
    def provenance(self) -> Mapping[str, str]:
        return {"rung": "none", "kill_confirmed": "yes"}

    def _host(self, path: str) -> Path:
        return self.root / path.lstrip("/")

    def put(self, tree: Tree, path: str) -> None:
        for name, entry in tree.entries.items():
            target = self._host(path) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file_bytes(entry, self.blobs))
            target.chmod(0o755 if entry.executable else 0o644)

    def get(self, path: str) -> Tree:
        top = self._host(path)
        if not top.is_dir():
            return Tree()
        files = {str(p.relative_to(top)): p.read_bytes() for p in top.rglob("*") if p.is_file() and not p.is_symlink()}
        links = {str(p.relative_to(top)): p for p in top.rglob("*") if p.is_symlink()}
        entries = {name: Entry(kind="symlink", target=str(p.readlink())) for name, p in links.items()}
        return tree_of(files, self.blobs).merged(Tree(entries=entries))

    def start(self, argv: Sequence[str], *, cwd: str = "", env: Mapping[str, str] | None = None) -> PlainProcess:
        kept = {path: str(self._host(path)) for path in self.spec.kept}
        words = [kept.get(word, word) for word in argv]
        if words[0] == "python":
            words[:1] = [sys.executable, "-B", "-S"]
        popen = subprocess.Popen(
            words,
            cwd=self._host(cwd or self.spec.image.workdir),
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "ROOT": str(self.root), **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.processes.append(PlainProcess(popen, self.spec.limits, self.middle))
        return self.processes[-1]

    def kill(self) -> bool:
        for process in self.processes:
            process.close()
        self.processes.clear()
        return True

    def snapshot(self) -> Tree:
        tree = Tree()
        for path in self.spec.kept:
            tree = tree.merged(self.get(path), path.lstrip("/"))
        return tree

    def usage(self) -> Usage:
        return Usage()

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self.root)


class PlainProvider:
    def __init__(self, middle: Middle = "never") -> None:
        self.middle: Middle = middle
        self.specs: list[SandboxSpec] = []

    def probe(self) -> Capabilities:
        return Capabilities(rungs=(RungReport(rung="none", works=True),))

    def open(self, spec: SandboxSpec, blobs: Blobs) -> Sandbox:
        self.specs.append(spec)
        return PlainSandbox(spec, blobs, self.middle)

    def opener(self, blobs: Blobs | None = None) -> Callable[[SandboxSpec], Sandbox]:
        held = blobs if blobs is not None else MemoryBlobs()
        return lambda spec: self.open(spec, held)

    def close(self) -> None:
        return
