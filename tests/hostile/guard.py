"""What is watched on the host while a hostile program runs: listeners, canaries, processes, memory."""

import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

SHARED = ("/", "/dev", "/dev/shm", "/etc", "/home", "/mnt", "/opt", "/root", "/run", "/tmp", "/usr", "/var", "/var/tmp")
"""Folders of the host in which nothing may appear."""
LEFT = re.compile(r"^(fill|n)\d+$|hostile-")
MEMORY_MB = 100


class Process(NamedTuple):
    """One process of the host. `start` tells two users of one pid apart."""

    pid: int
    parent: int
    uid: int
    state: str
    start: int


def processes() -> dict[int, Process]:
    """Every process of the host."""
    found = {}
    for at in Path("/proc").iterdir():
        if at.name.isdigit():
            try:
                fields = (at / "stat").read_text().rpartition(")")[2].split()
                uid = int((at / "status").read_text().partition("\nUid:")[2].split()[0])
            except OSError:
                continue
            found[int(at.name)] = Process(int(at.name), int(fields[1]), uid, fields[0], int(fields[19]))
    return found


SEEN_UIDS: set[int] = {os.getuid()} - {0}
"""Uids, root's apart, that this process or a descendant of it ever had."""


def ours() -> set[tuple[int, int]]:
    """Descendants of this process, and what their uids left to the host's init; zombies too."""
    every = processes()
    children: dict[int, list[int]] = {}
    for process in every.values():
        children.setdefault(process.parent, []).append(process.pid)
    found, todo = set(), list(children.get(os.getpid(), []))
    while todo:
        pid = todo.pop()
        found.add(pid)
        todo += children.get(pid, [])
    SEEN_UIDS.update(every[pid].uid for pid in found if every[pid].uid)
    found |= {p.pid for p in every.values() if p.parent == 1 and p.uid in SEEN_UIDS}
    return {(pid, every[pid].start) for pid in found}


def resident_mb(pid: int) -> float:
    """Resident memory of a process; 0 if it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)
    except OSError:
        return 0.0


def peak_mb(reset: bool = False) -> float:
    """Most resident memory of this process since the last reset."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    return int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]) / 1024


class Guard:
    """Listeners nobody may reach, canaries nobody may read or touch."""

    def __init__(self) -> None:
        self.token = secrets.token_hex(8)
        self.secret = secrets.token_hex(16)
        os.environ["HOSTILE_CANARY"] = self.secret
        self.folders = [Path(tempfile.mkdtemp(prefix="canary-", dir=at)) for at in ("/tmp", "/var/tmp", "/dev/shm")]
        for folder in self.folders:
            folder.chmod(0o777)
            (folder / "canary").write_text(self.secret)
            (folder / "canary").chmod(0o666)
        self.canaries = [str(folder / "canary") for folder in self.folders]
        self.key = 0x7F000000 + secrets.randbelow(1 << 20)
        self.abstract = f"hostile-{self.token}"
        self.path = str(self.folders[0] / "socket")
        self.sockets = {
            "tcp4": socket.create_server(("127.0.0.1", 0)),
            "tcp6": socket.create_server(("::1", 0), family=socket.AF_INET6),
            "udp": self._bound(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            "abstract": self._bound(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + self.abstract),
            "abstract datagram": self._bound(socket.AF_UNIX, socket.SOCK_DGRAM, "\0" + self.abstract + "-d"),
            "unix path": self._bound(socket.AF_UNIX, socket.SOCK_STREAM, self.path),
        }
        Path(self.path).chmod(0o777)
        for listener in self.sockets.values():
            listener.setblocking(False)
        self.terminal, self.slave = os.openpty()
        Path(os.ttyname(self.slave)).chmod(0o666)
        self.victims: list[subprocess.Popen[bytes]] = []

    @staticmethod
    def _bound(family: int, kind: int, address: object) -> socket.socket:
        made = socket.socket(family, kind)
        made.bind(address)
        if kind == socket.SOCK_STREAM:
            made.listen(16)
        return made

    def port(self, name: str) -> int:
        """The port of an IP listener."""
        return int(self.sockets[name].getsockname()[1])

    def victim(self, uid: int) -> subprocess.Popen[bytes]:
        """Start a harmless process of the uid, for others to kill."""
        user = uid if os.getuid() == 0 else None
        made = subprocess.Popen(["/bin/sleep", "600"], user=user, start_new_session=True)
        self.victims.append(made)
        return made

    def reached(self) -> list[str]:
        """Names of the listeners that somebody reached since the last call."""
        found = []
        for name, listener in self.sockets.items():
            while True:
                try:
                    if listener.type == socket.SOCK_STREAM:
                        listener.accept()[0].close()
                    else:
                        listener.recv(99)
                except BlockingIOError:
                    break
                found.append(name)
        return found

    def touched(self) -> list[str]:
        """Canaries that are changed, and files that a hostile program left on the host."""
        found = [path for path in self.canaries if Path(path).read_text() != self.secret]
        for folder in self.folders:
            found += [str(p) for p in folder.iterdir() if p.name not in {"canary", "socket"}]
        for kind in ("shm", "msg", "sem"):
            rows = Path("/proc/sysvipc", kind).read_text().splitlines()[1:]
            found += [f"System V {kind}" for row in rows if int(row.split()[0]) == self.key]
        for shared in (*SHARED, str(Path.home()), str(Path.cwd())):
            if os.access(shared, os.R_OK):
                found += [str(path) for path in Path(shared).iterdir() if LEFT.search(path.name)]
        return found

    def left(self, baseline: set[tuple[int, int]], seconds: float = 2.0) -> list[str]:
        """Processes, zombies too, that are not of the baseline; those that end within some seconds are not left."""
        end = time.monotonic() + seconds
        while (new := ours() - baseline) and time.monotonic() < end:
            time.sleep(0.01)
        every = processes()
        return [f"{pid} ({every[pid].state}) {command(pid)}" for pid, _ in sorted(new) if pid in every]

    def memory(self, pids: Iterable[int]) -> list[str]:
        """Of this process and those given, the ones above the bound."""
        large = {pid: resident_mb(pid) for pid in pids}
        return [f"{pid} holds {mb:.0f} MB: {command(pid)}" for pid, mb in large.items() if mb > MEMORY_MB]

    def close(self) -> None:
        """Drop everything."""
        for listener in self.sockets.values():
            listener.close()
        os.close(self.terminal)
        os.close(self.slave)
        for made in self.victims:
            made.kill()
            made.wait()
        for folder in self.folders:
            shutil.rmtree(folder)
        os.environ.pop("HOSTILE_CANARY", None)


def command(pid: int) -> str:
    """The command line of a process, for messages."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:120]
    except OSError:
        return "?"


def settings(guard: Guard, victim: int) -> dict[str, object]:
    """What the programs are told, so that they know where to reach for."""
    root = str(Path(__file__).parents[2])
    mark = f"hostile-{guard.token}"
    outside = [
        "",
        "/etc",
        "/usr",
        "/usr/bin",
        "/usr/lib",
        "/workspace",
        "/workspace/project",
        "/opt",
        "/opt/python",
        "/home",
        "/root",
    ]
    outside += [
        "/var",
        "/var/tmp",
        "/run",
        "/sys/fs/cgroup",
        "/dev",
        "/proc",
        "/proc/sys/kernel",
        root,
        str(Path.home()),
    ]
    special = ["/proc/sys/kernel/hostname", "/proc/sys/vm/drop_caches", "/proc/sysrq-trigger", "/sys/kernel/mm/ksm/run"]
    special += ["/dev/mem", "/dev/kmsg", "/etc/passwd", "/usr/bin/env", "/workspace/project/probe.py", sys.executable]
    secret = ["/etc/shadow", "/etc/passwd", "/etc/hostname", "/etc/machine-id", "/etc/resolv.conf", "/root/.bashrc"]
    secret += [
        "/proc/kcore",
        "/proc/kmsg",
        "/dev/mem",
        "/dev/kmsg",
        "/dev/sda",
        "/dev/vda",
        "/dev/fuse",
        "/dev/net/tun",
    ]
    secret += [f"{root}/tests/hostile/table.py", f"{root}/pyproject.toml", f"{root}/src/proofyard/__init__.py"]
    return {
        "tcp4": guard.port("tcp4"),
        "tcp6": guard.port("tcp6"),
        "udp": guard.port("udp"),
        "abstract": guard.abstract,
        "socket": guard.path,
        "secret": guard.secret[::-1],
        "target": guard.canaries[0],
        "paths": [f"{folder}/{mark}" for folder in outside] + special + guard.canaries,
        "places": [
            "/tmp",
            "/dev/shm",
            "/dev",
            "/",
            "/workspace",
            "/workspace/project",
            "/var/tmp",
            "/run",
            "/usr",
            "/home",
            "/opt",
        ],
        "files": secret + guard.canaries,
        "folders": [root, *(str(folder) for folder in guard.folders), "/boot", "/lost+found"],
        "terminals": [os.ttyname(guard.slave)],
        "victim": victim,
        "key": guard.key,
        "modules": ["proofyard", "msgspec", "numpy", "pytest", "pip", "setuptools"],
    }
