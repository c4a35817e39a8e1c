"""Landlock rules and the extra filter, put on real child processes; each refusal has its positive control."""

import errno
import json
import os
import platform
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from proofyard.sandbox.landlock import DEVICES, LOWEST_ABI, create, enforce, extra_filter, kernel_abi, machine_grants
from proofyard.sandbox.seccomp import load_filter

pytestmark = pytest.mark.skipif(kernel_abi() < LOWEST_ABI, reason="this kernel has no Landlock with scopes")

STDLIB = str(Path(os.__file__).parent)


def in_child(action: Callable[[], object], *steps: Callable[[], object]) -> object:
    """Run the steps, then the action, in a forked child; return its value, or the name of the errno it raised."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            for step in steps:
                step()
            try:
                answer = action()
            except OSError as error:
                answer = errno.errorcode.get(error.errno or 0, repr(error))
            os.write(writer, json.dumps(answer).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        data = stream.read()
    assert os.waitpid(child, 0)[1] == 0
    return json.loads(data)


@pytest.fixture
def rules(tmp_path: Path) -> Callable[[], None]:
    for name in ("read", "write", "listed"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    (tmp_path / "secret").write_text("secret")
    ruleset = create(
        [str(tmp_path / "read"), str(tmp_path / "absent")],
        [str(tmp_path / "write")],
        [str(tmp_path / "listed")],
        DEVICES,
    )
    return lambda: enforce(ruleset)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def random_bytes() -> int:
    with Path("/dev/urandom").open("rb", buffering=0) as stream:
        return len(stream.read(4))


def both(action: Callable[[], object], *steps: Callable[[], object]) -> tuple[object, object]:
    """What the action gives freely, and held by the steps."""
    return in_child(action), in_child(action, *steps)


def test_what_is_not_granted_is_refused(tmp_path: Path, rules: Callable[[], None]) -> None:
    assert both((tmp_path / "secret").read_text, rules) == ("secret", "EACCES")
    assert both(lambda: names(tmp_path), rules)[1] == "EACCES"
    assert both(lambda: (tmp_path / "new").write_text("x"), rules) == (1, "EACCES")
    assert both(lambda: (tmp_path / "read" / "new").write_text("x"), rules) == (1, "EACCES")
    assert both(lambda: os.truncate(tmp_path / "read" / "file", 4), rules) == (None, "EACCES")
    assert both((tmp_path / "listed" / "file").read_text, rules) == ("listed", "EACCES")
    assert both(lambda: os.link(tmp_path / "write" / "file", tmp_path / f"{os.getpid()}"), rules) == (None, "EACCES")


def test_what_is_granted_works(tmp_path: Path, rules: Callable[[], None]) -> None:
    assert in_child((tmp_path / "read" / "file").read_text, rules) == "read"
    assert in_child(lambda: names(tmp_path / "listed"), rules) == ["file"]
    target = tmp_path / "write" / "sub"

    def work() -> str:
        target.mkdir()
        (target / "a").write_text("kept")
        (target / "a").rename(tmp_path / "write" / "b")
        (tmp_path / "write" / "file").unlink()
        target.rmdir()
        return (tmp_path / "write" / "b").read_text()

    assert in_child(work, rules) == "kept"
    assert in_child(lambda: Path("/dev/null").write_text("x"), rules) == 1
    assert in_child(random_bytes, rules) == 4


def test_device_nodes_cannot_be_made(tmp_path: Path, rules: Callable[[], None]) -> None:
    # As root a character device 1:3 can be made outside; as a plain user the kernel refuses it first.
    free, held = both(lambda: os.mknod(tmp_path / "write" / f"{os.getpid()}", 0o20600, os.makedev(1, 3)), rules)
    assert free == (None if os.geteuid() == 0 else "EPERM")
    assert held in {"EACCES", "EPERM"}


def test_tcp_is_refused(rules: Callable[[], None]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def connect() -> None:
            socket.create_connection(("127.0.0.1", port), 5).close()

        assert both(connect, rules) == (None, "EACCES")
        assert both(lambda: socket.create_server(("127.0.0.1", 0)).close(), rules) == (None, "EACCES")


def test_abstract_sockets_and_signals_stay_inside(rules: Callable[[], None]) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"\0proofyard-test-{os.getpid()}")
        server.listen()

        def connect() -> None:
            with socket.socket(socket.AF_UNIX) as client:
                client.connect(server.getsockname())

        assert both(connect, rules) == (None, "EPERM")
    parent = os.getpid()
    assert both(lambda: os.kill(parent, 0), rules) == (None, "EPERM")


def test_the_extra_filter_refuses_what_namespaces_would(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("x")
    parent = os.getpid()

    def guard() -> None:
        load_filter(extra_filter(owns_files=True))

    def pair(kind: int) -> Callable[[], None]:
        return lambda: [end.close() for end in socket.socketpair(socket.AF_UNIX, kind)] and None

    def connect() -> None:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(own))

    assert both(lambda: socket.socket(socket.AF_INET).close(), guard) == (None, "EACCES")
    assert both(lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).close(), guard) == (None, "EACCES")
    assert both(pair(socket.SOCK_DGRAM), guard) == (None, "EACCES")
    assert both(pair(socket.SOCK_STREAM), guard) == (None, None)
    assert both(connect, guard) == ("ECONNREFUSED", "EACCES")
    assert both(lambda: os.setpriority(os.PRIO_USER, 65533, 1), guard)[1] == "EPERM"
    assert both(lambda: os.setpriority(os.PRIO_PROCESS, 0, 1), guard) == (None, None)
    assert both(lambda: os.sched_setaffinity(parent, os.sched_getaffinity(parent)), guard) == (None, "EPERM")
    assert both(lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)), guard) == (None, None)
    assert both(lambda: own.chmod(0o600), guard) == (None, "EPERM")
    assert both(lambda: os.utime(own, (1, 1)), guard) == (None, "EPERM")
    assert both(lambda: own.chmod(0o600), lambda: load_filter(extra_filter(owns_files=False))) == (None, None)


def test_limits_of_other_processes_cannot_be_changed() -> None:
    import resource

    parent = os.getpid()
    limits = resource.getrlimit(resource.RLIMIT_CORE)

    def guard() -> None:
        load_filter(extra_filter(owns_files=False))

    def change(pid: int) -> Callable[[], object]:
        return lambda: resource.prlimit(pid, resource.RLIMIT_CORE, limits)

    assert both(change(parent), guard) == (list(limits), "EPERM")
    assert both(change(0), guard) == (list(limits), list(limits))


def test_filter_exists_for_both_machines() -> None:
    x86, arm = (extra_filter(owns_files=True, machine=name) for name in ("x86_64", "aarch64"))
    assert (len(x86) // 8, len(arm) // 8) == (149, 137)
    with pytest.raises(ValueError, match="no seccomp filter for riscv64"):
        extra_filter(owns_files=True, machine="riscv64")
    assert platform.machine() in {"x86_64", "aarch64"}


def test_an_interpreter_runs_on_its_grants_without_its_packages(tmp_path: Path) -> None:
    executable = os.path.realpath(sys.executable)
    grants = machine_grants(executable, STDLIB)
    ruleset = create(grants.read, [str(tmp_path)], grants.listed, DEVICES)
    packages = Path(STDLIB) / "site-packages"
    program = (
        "import ssl, sqlite3, asyncio, ctypes, decimal, multiprocessing, tempfile\n"
        "from pathlib import Path\n"
        "tempfile.NamedTemporaryFile().close()\n"
        f"for path in ({str(packages / 'README.txt')!r}, '/etc/passwd', '/proc/self/environ', '/'):\n"
        "    try: Path(path).is_dir() and list(Path(path).iterdir()) or Path(path).read_bytes(); print(path)\n"
        "    except OSError as error: print(type(error).__name__)\n"
    )

    def run(hold: Callable[[], None] | None) -> list[str]:
        done = subprocess.run(
            [executable, "-E", "-s", "-S", "-B", "-c", program],
            preexec_fn=hold,
            env={"TMPDIR": str(tmp_path)},
            capture_output=True,
            check=True,
            cwd=tmp_path,
        )
        return done.stdout.decode().split()

    free, held = run(None), run(lambda: enforce(ruleset))
    assert free[1:3] == ["/etc/passwd", "/proc/self/environ"]
    assert held[0] == free[0] if free[0] == "FileNotFoundError" else held[0] == "PermissionError"
    assert held[1:] == ["PermissionError"] * 3
