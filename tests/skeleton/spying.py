"""Looking for a needle: from inside a sandbox through everything readable, from the host through memory."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from proofyard.core import Ended, KillPoint, Process, Reply, Rung, Sandbox, Tree, Usage

SPY = """
import json, os
NEEDLE = "@@"[::-1].encode()

def holds(path):
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        data = b""
        while len(data) < 4 << 20:
            part = os.read(fd, 1 << 20)
            if not part:
                break
            data += part
        return NEEDLE in data
    except OSError:
        return False
    finally:
        os.close(fd)

def search():
    found, seen = [], 0
    for name, value in os.environb.items():
        if NEEDLE in name + value:
            found.append("environment")
    for top, folders, files in os.walk("/"):
        if top == "/":
            folders[:] = [f for f in folders if f not in ("usr", "proc", "sys", "opt", "lib", "lib64", "bin", "sbin")]
        for name in files + folders:
            path = os.path.join(top, name)
            if NEEDLE in os.fsencode(name) or (os.path.islink(path) and NEEDLE in os.fsencode(os.readlink(path))):
                found.append(path)
        for name in files:
            path = os.path.join(top, name)
            seen += 1
            if os.path.isfile(path) and holds(path):
                found.append(path)
    for pid in [p for p in os.listdir("/proc") if p.isdigit()] + ["self"]:
        for name in ("environ", "cmdline", "comm", "maps", "mountinfo", "status", "mounts", "stack", "wchan"):
            seen += 1
            if holds(f"/proc/{pid}/{name}"):
                found.append(f"/proc/{pid}/{name}")
        try:
            links = [os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")]
        except OSError:
            links = []
        found += [link for link in links if NEEDLE in os.fsencode(link)]
    return {"found": sorted(set(found)), "seen": seen}
"""


def spy(needle: str) -> str:
    """Source of `search()`, which does not hold the needle itself."""
    return SPY.replace("@@", needle[::-1])


def look_inside(sandbox: Sandbox, needle: str) -> list[str]:
    """Every readable place of the sandbox that holds the needle."""
    ended = sandbox.start(["python", "-c", spy(needle) + "\nprint(json.dumps(search()))\n"]).finish(20_000)
    assert ended.code == 0, ended
    report = json.loads(ended.stdout)
    assert report["seen"] > 5
    found: list[str] = report["found"]
    return found


def descendants(pid: int) -> Iterator[int]:
    """Every process below one, as the host sees them."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(") ")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(folder.name))
    rest = list(children.get(pid, ()))
    while rest:
        one = rest.pop()
        yield one
        rest += children.get(one, ())


def memory_holds(pid: int, needle: bytes) -> bool | None:
    """Whether the writable memory of a process holds the needle; None if it could not be read (it may have ended)."""
    try:
        maps = Path(f"/proc/{pid}/maps").read_text().splitlines()
        with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:
            for line in maps:
                span, mode, *_ = line.split()
                if not mode.startswith("rw"):
                    continue
                start, end = (int(part, 16) for part in span.split("-"))
                memory.seek(start)
                if needle in (memory.read(end - start) or b""):
                    return True
    except OSError:
        return None
    return False


class Watch:
    """Searches the memory of all processes below this one that are new, again and again, for several needles."""

    def __init__(self, *needles: str) -> None:
        self.needles = needles
        self.found: dict[str, set[str]] = {needle: set() for needle in needles}
        self.read = 0
        self.known = set(descendants(os.getpid()))

    def look(self) -> None:
        for pid in set(descendants(os.getpid())) - self.known:
            try:
                name = f"{Path(f'/proc/{pid}/comm').read_text().strip()} {Path(f'/proc/{pid}/cmdline').read_bytes()[:80]!r}"
            except OSError:
                continue
            for needle in self.needles:
                held = memory_holds(pid, needle.encode())
                self.read += held is not None
                if held:
                    self.found[needle].add(name)


class WatchedProcess:
    def __init__(self, process: Process, watch: Watch) -> None:
        self._process = process
        self._watch = watch

    def exchange(self, request: bytes, wall_ms: int, kill_at: KillPoint | None = None, *, torn: bool = False) -> Reply:
        reply = self._process.exchange(request, wall_ms, kill_at, torn=torn)
        self._watch.look()
        return reply

    def send(self, data: bytes) -> None:
        self._process.send(data)

    def receive(self, wall_ms: int) -> Reply:
        return self._process.receive(wall_ms)

    def finish(self, wall_ms: int) -> Ended:
        self._watch.look()
        return self._process.finish(wall_ms)


class WatchedSandbox:
    """A sandbox that looks into all memory after every exchange."""

    def __init__(self, sandbox: Sandbox, watch: Watch) -> None:
        self._sandbox = sandbox
        self._watch = watch

    @property
    def rung(self) -> Rung:
        return self._sandbox.rung

    @property
    def provenance(self) -> Mapping[str, str]:
        return self._sandbox.provenance

    def put(self, tree: Tree, path: str) -> None:
        self._sandbox.put(tree, path)

    def get(self, path: str) -> Tree:
        return self._sandbox.get(path)

    def start(self, argv: Sequence[str], *, cwd: str = "", env: Mapping[str, str] | None = None) -> Process:
        return WatchedProcess(self._sandbox.start(argv, cwd=cwd, env=env), self._watch)

    def kill(self) -> bool:
        return self._sandbox.kill()

    def snapshot(self) -> Tree:
        return self._sandbox.snapshot()

    def usage(self) -> Usage:
        return self._sandbox.usage()

    def close(self) -> None:
        self._watch.look()
        self._sandbox.close()
