"""What containers of tasks are made of, without an engine: archives, what is taken, whose they are, what `sh` is told."""

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from proofyard.core import Entry, InfrastructureError, MemoryBlobs, Tree, tree_of
from proofyard.sandbox.container.archive import Budget, Piece, packed, unpacked
from proofyard.sandbox.container.hold import HOLDING, Hold
from proofyard.sandbox.container.machine import exec_environment
from proofyard.sandbox.container.named import engine_of, reference
from proofyard.sandbox.container.owner import container_name, remove_leftovers
from proofyard.sandbox.container.room import making_room, making_way
from proofyard.sandbox.container.taking import Taking

BLOBS = MemoryBlobs()
WIDE = 1 << 20


def read(data: bytes, top: str = "/", budget: Budget | None = None) -> dict[str, Entry]:
    return unpacked(io.BytesIO(data), top, BLOBS, budget or Budget(WIDE, 100))


def test_trees_come_back_as_they_went() -> None:
    tree = tree_of({"a/b": "x", "run": "#!", "big": "y" * 9000}, BLOBS, ["run"])
    tree = Tree(entries={**tree.entries, "link": Entry(kind="symlink", target="a/b"), "no": Entry(kind="whiteout")})
    found = read(packed([Piece(tree, "/srv/work", (7, 8))], BLOBS))
    assert found == {f"srv/work/{path}": entry for path, entry in tree.entries.items() if path != "no"}
    assert packed([Piece(Tree(entries={"no": Entry(kind="whiteout")}), "/")], BLOBS) == b""
    with tarfile.open(fileobj=io.BytesIO(packed([Piece(tree, "/srv", (7, 8))], BLOBS))) as archive:
        assert {(info.uid, info.gid, oct(info.mode)) for info in archive if info.isreg()} == {
            (7, 8, "0o644"), (7, 8, "0o755"),
        }  # fmt: skip


def odd_archive() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.GNU_FORMAT) as archive:

        def add(name: str, kind: bytes = tarfile.REGTYPE, data: bytes = b"", link: str = "") -> None:
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kind, len(data), link
            archive.addfile(info, io.BytesIO(data))

        add("out", tarfile.DIRTYPE)
        add("out/one", data=b"12345")
        add("out/same", tarfile.LNKTYPE, link="out/one")
        add("out/elsewhere", tarfile.LNKTYPE, link="etc/passwd")
        add("out/pipe", tarfile.FIFOTYPE)
        add("out/device", tarfile.CHRTYPE)
        add("../../up", data=b"u")
        add("/from/top", data=b"t")
        add("out/\udcff", data=b"n")
        add("out/last", data=b"123456")
    return stream.getvalue()


def test_odd_members_of_an_archive() -> None:
    found = read(odd_archive(), "/app")
    one = found["app/out/one"]
    assert (one.kind, one.size, found["app/out/same"]) == ("file", 5, one)
    assert {path: entry.kind for path, entry in found.items()} == {
        "app/out/one": "file", "app/out/same": "file", "app/out/elsewhere": "special", "app/out/pipe": "special",
        "app/out/device": "special", "up": "file", "app/from/top": "file", "app/out/last": "file",
    }  # fmt: skip


def test_no_more_is_read_than_there_is_room_for() -> None:
    found = read(odd_archive(), "/app", Budget(8, 100))
    assert {path for path, entry in found.items() if entry.kind == "file"} == {
        "app/out/one", "app/out/same", "up", "app/from/top",
    }  # fmt: skip
    assert found["app/out/last"].kind == "special"
    assert list(read(odd_archive(), "/app", Budget(WIDE, 2))) == ["app/out/one", "app/out/same"]


@pytest.mark.parametrize(
    ("path", "taken", "with_system"),
    [
        ("/app/x", True, True),
        ("/answer", True, True),
        ("/var/lib/x", True, True),
        ("/logs/agent/x", True, True),
        ("/usrx", True, True),
        ("/usr/bin/cat", False, True),
        ("/etc/ld.so.preload", False, True),
        ("/lib64", False, True),
        ("/etc/hosts", False, False),
        ("/logs", False, False),
        ("/logs/verifier/reward.txt", False, False),
        ("/tests/test.sh", False, False),
        ("/solution", False, False),
        ("/tmp/x", False, False),
        ("/workspace/agent/.config", False, False),
    ],
)
def test_what_is_taken(path: str, taken: bool, with_system: bool) -> None:
    kept = ("/", "/app", "/solution")
    assert (Taking(kept).takes(path), Taking((*kept, "/usr")).takes(path)) == (taken, with_system)
    assert Taking(kept).left([path]) == ([path] if with_system and not taken else [])


class Engine:
    """Has containers of these names, and removes all but one."""

    def __init__(self, *names: str) -> None:
        self.names = list(names)

    def call(self, *words: str) -> tuple[int, str, str]:
        assert words[:4] == ("ps", "--all", "--filter", "label=proofyard")
        return 0, "\n".join(self.names), ""

    def remove(self, name: str) -> bool:
        self.names.remove(name)
        return True


def test_only_what_dead_processes_left_is_removed() -> None:
    code = "from proofyard.sandbox.container.owner import container_name; print(container_name())"
    dead = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
    own = container_name()
    parts = dead.split("-")
    reused = "-".join([*own.split("-")[:3], "1", "0a0a0a0a0a0a"])  # its number, started at another time
    others = ["-".join(["proofyard", "000000000000", *parts[2:]]), "proofyard-1-0a", "mine", own]
    engine = Engine(dead, *others, reused)
    assert remove_leftovers(engine) == [dead, reused]  # type: ignore[arg-type]
    assert engine.names == others
    assert own.split("-")[2] == str(os.getpid())


def test_what_sh_is_told_before_work_is_laid() -> None:
    tree = tree_of({"a b/c": "x", "f": ""}, BLOBS)
    tree = Tree(entries={**tree.entries, "gone": Entry(kind="whiteout")})
    assert making_way(Piece(tree, "/app", (5, 6))).splitlines() == [
        "rm -rf -- /app/gone",
        "if [ -L /app ] || [ ! -d /app ]; then { rm -f -- /app && mkdir -- /app && chown 5:6 /app; } || exit 1; fi",
        "if [ -L '/app/a b' ] || [ ! -d '/app/a b' ]; then { rm -f -- '/app/a b' && mkdir -- '/app/a b' && "
        "chown 5:6 '/app/a b'; } || exit 1; fi",
        "if [ -d '/app/a b/c' ] && [ ! -L '/app/a b/c' ]; then rm -rf -- '/app/a b/c'; fi",
        "if [ -d /app/f ] && [ ! -L /app/f ]; then rm -rf -- /app/f; fi",
    ]
    assert making_room(Piece(tree, "/app")) == "rm -rf -- /app/gone"
    assert making_room(Piece(tree_of({"f": ""}, BLOBS), "/app", (5, 6))) == (
        "[ -d /app ] || { mkdir -- /app && chown 5:6 /app; } || exit 1"
    )


def test_values_are_named_not_told_unless_the_engine_would_take_them_for_its_own() -> None:
    env = exec_environment({"TOKEN": "secret", "PATH": "/x", "DOCKER_HOST": "x", "http_proxy": "x"})
    assert env["TOKEN"] == "secret"
    assert {name: env.get(name) for name in ("PATH", "DOCKER_HOST", "http_proxy")} == {
        name: os.environ.get(name) for name in ("PATH", "DOCKER_HOST", "http_proxy")
    }


def held(folder: Path, script: str) -> Hold:
    program = folder / "docker"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return Hold(str(program), "name")


def test_a_container_is_held_by_a_pipe(tmp_path: Path) -> None:
    whole = " ".join(f'"{word}"' for word in HOLDING)
    hold = held(tmp_path, f"echo starting; seq 20000; exec {whole}")
    assert hold.wait(20) == ""
    assert hold.alive()
    hold.leave()
    assert not hold.alive()
    gone = held(tmp_path, "echo first; echo no such thing >&2; exit 1")
    assert gone.wait(20) == "no such thing"
    gone.leave()


def test_engines_are_named() -> None:
    assert reference("docker", "sha256:1") == "docker://sha256:1"
    with pytest.raises(InfrastructureError, match=r"'lxc://x' names no container engine \[isolation_unavailable\]"):
        engine_of("lxc://x")
