"""What a program's answer must say. Each check returns complaints; `rung` is where the program ran."""

import base64
from collections.abc import Callable, Collection, Mapping

from proofyard.core.tree import Entry
from tests.hostile.drive import LIMITS, Seen

Check = Callable[[Seen, str], list[str]]

ABSENT = {"ENOENT", "EACCES", "EPERM", "EROFS", "ENOTDIR", "ENXIO", "ENODEV", "EXDEV"}
CLOSED = {"ECONNREFUSED", "ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "EACCES", "EPERM"}
NO_FAMILY = {"EAFNOSUPPORT", "EACCES", "EPERM"}
ENVIRONMENT = {"PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PWD", "TMPDIR", "LD_LIBRARY_PATH", "USER"}
ENVIRONMENT |= {
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "MPLBACKEND",
    "MPLCONFIGDIR",
    "PYTHONPATH",
}
MB = 1 << 20


def nothing(_seen: Seen, _rung: str) -> list[str]:
    return []


def unlike(found: Mapping[str, object], allowed: Collection[str], but: Mapping[str, Collection[str]] = {}) -> list[str]:
    """Entries that say something else than is allowed."""
    return [f"{name}: {said}" for name, said in found.items() if said not in but.get(name, allowed)]


def forks(seen: Seen, _rung: str) -> list[str]:
    said = seen.answer
    return [] if said["reason"] == "EAGAIN" and 1 <= said["made"] <= LIMITS["pids"] else [f"forks: {said}"]


def memory(seen: Seen, _rung: str) -> list[str]:
    said = seen.answer
    return [] if said["reason"] == "MemoryError" and 128 <= said["mb"] <= 512 else [f"memory: {said}"]


def disks(seen: Seen, _rung: str) -> list[str]:
    """Writable places end at their size, the rest take nothing; the state takes something."""
    found = seen.answer["found"]
    caps = {"state": LIMITS["disk"] // MB, "/tmp": 64, "/dev/shm": 64}
    wrong = [
        f"{place}: {mb} MB, {why}" for place, (mb, why) in found.items() if why == "bound" or mb > caps.get(place, 0)
    ]
    return wrong + ([] if found["state"][0] > 8 else ["the state took nothing"])


def inodes(seen: Seen, _rung: str) -> list[str]:
    found = seen.answer["found"]
    wrong = [f"{place}: {count} files" for place, (count, why) in found.items() if why == "bound"]
    wrong += [f"{p}: {n} files" for p, (n, _) in found.items() if n and p not in {"state", "/tmp", "/dev/shm"}]
    return wrong + ([] if found["state"][0] > 100 else ["the state took nothing"])


def all_eperm(seen: Seen, _rung: str) -> list[str]:
    return unlike(seen.answer["found"], {"EPERM"})


def untraced(seen: Seen, _rung: str) -> list[str]:
    return unlike(seen.answer["found"], {"EPERM"}, {"init": {"EPERM", "ESRCH"}, "parent": {"EPERM", "ESRCH"}})


def no_host_data(seen: Seen, _rung: str) -> list[str]:
    return [f"the secret is in {hit}" for hit in seen.answer["hits"]]


def not_written(seen: Seen, _rung: str) -> list[str]:
    return unlike(seen.answer["found"], {*ABSENT, "EISDIR", "EBUSY", "ETXTBSY"})


def content(entry: Entry) -> bytes:
    return base64.b64decode(entry.inline or "")


def links(seen: Seen, _rung: str) -> list[str]:
    """Links come home as links; nothing of the host comes with them."""
    refused = {"hard link", "hard link across", "device", "block"}
    found = seen.answer["found"]
    wrong = unlike({name: found[name] for name in refused}, {*ABSENT, "EINVAL"})
    kinds = {path.rpartition("/")[2]: entry.kind for path, entry in seen.tree.entries.items()}
    want = {"link": "symlink", "folder": "symlink", "up": "symlink", "setuid": "file"}
    if kinds != want:
        wrong.append(f"snapshot: {kinds}")
    return wrong + [
        f"{p} has content" for p, e in seen.tree.entries.items() if e.kind != "file" and (e.inline or e.sha)
    ]


def specials(seen: Seen, _rung: str) -> list[str]:
    kinds = {path.rpartition("/")[2]: entry.kind for path, entry in seen.tree.entries.items()}
    made = {name for name, said in seen.answer["found"].items() if said == "ok"}
    return [] if "fifo" in made and kinds == dict.fromkeys(made, "special") else [f"snapshot: {kinds} of {made}"]


def an_array(seen: Seen, _rung: str) -> list[str]:
    return [] if isinstance(seen.answer, list) else [f"answer: {seen.answer!r}"]


def secrets(seen: Seen, _rung: str) -> list[str]:
    said = seen.answer
    wrong = unlike(said["found"], ABSENT)
    wrong += [f"environment: {name}" for name in said["environment"] if name not in ENVIRONMENT]
    wrong += ["addresses of the kernel"] if said["kernel"] else []
    return wrong + ([] if said["opened"] == [0, 1, 2] else [f"open files: {said['opened']}"])


def network(seen: Seen, rung: str) -> list[str]:
    """Nothing is reached; the program's own loopback works where it has a network namespace."""
    return unlike(
        seen.answer["found"],
        CLOSED,
        {
            "udp": {*CLOSED, "ok"},  # sent into its own namespace; the host's socket is watched
            "mptcp": {"EPROTONOSUPPORT", *CLOSED},
            "fast open": {"EOPNOTSUPP", "ENOTSUP", *CLOSED},
            "unix path": {*ABSENT, *CLOSED},
            "dns": {"gaierror", "TimeoutError", *CLOSED},
            "vsock": NO_FAMILY,
            "netlink": NO_FAMILY,
            "packet": NO_FAMILY,
            "own loopback": {"EACCES"} if rung == "landlock" else {"ok"},
        },
    )


def nobody_hit(seen: Seen, _rung: str) -> list[str]:
    return unlike(seen.answer["found"], {"ESRCH", "EPERM"})


def descriptors(seen: Seen, _rung: str) -> list[str]:
    said = seen.answer
    return [] if said["reason"] == "EMFILE" and said["opened"] < LIMITS["files"] else [f"files: {said}"]


def privileges(seen: Seen, _rung: str) -> list[str]:
    found, state = seen.answer["found"], seen.answer["state"]
    family = dict.fromkeys(["packet socket"], NO_FAMILY)
    raised = {name: {"ValueError", "EPERM"} for name in found if name.startswith("raise ")}
    rest = {"clone3": {"ENOSYS"}, "setuid": {"EPERM", "EINVAL"}, "setgroups": {"EPERM", "EINVAL"}}
    wrong = unlike(found, {"EPERM"}, {**family, **raised, **rest})
    want = {"capabilities": 0, "no new privileges": 1, "seccomp": 2}
    wrong += [] if state == want else [f"state: {state}"]
    return wrong + (["runs as root"] if seen.answer["uid"] == 0 else [])


def drained(seen: Seen, _rung: str) -> list[str]:
    kept = len(seen.ended.stderr) if seen.ended else -1
    return [] if seen.answer["wrote"] == 130 and 0 < kept <= 64 << 10 else [f"{seen.answer['wrote']} MB, kept {kept}"]


def no_terminal(seen: Seen, _rung: str) -> list[str]:
    said = seen.answer
    wrong = unlike(said["found"], {*ABSENT, "ENOTTY", "EIO"}) + unlike(said["opened"], {*ABSENT, "EIO"})
    return wrong + [f"descriptor {fd} is a terminal" for fd in said["tty"]]


def denied(seen: Seen, _rung: str) -> list[str]:
    return unlike(seen.answer["found"], {"EPERM", "EACCES"})


def nothing_installed(seen: Seen, rung: str) -> list[str]:
    """No module of ours; folders of packages are absent or empty (on the Landlock rung names may show, never contents)."""
    wrong = unlike(seen.answer["found"], {"ModuleNotFoundError"})
    empty = {0, "FileNotFoundError", "PermissionError", "NotADirectoryError"}
    if rung != "landlock":
        wrong += [f"{folder}: {said}" for folder, said in seen.answer["there"].items() if said not in empty]
    return wrong


def ended_well(seen: Seen, _rung: str) -> list[str]:
    grown = [entry.size for path, entry in seen.tree.entries.items() if path.endswith("/grow")]
    return [] if seen.ended and seen.ended.code == 0 and len(grown) == 1 and grown[0] > 0 else [f"{seen.ended} {grown}"]


def never_stored(seen: Seen, rung: str) -> list[str]:
    return [f"stored on {rung}: {path}" for path in seen.tree.entries if path.endswith("stored")]
