"""The shipped filters: golden hashes, every rule by an evaluator for both machines, and loaded in a real process."""

import errno
import importlib.util
import json
import platform
import signal
import struct
import subprocess
import sys
from pathlib import Path

import pyseccomp
import pytest

from proofyard.sandbox.seccomp import MACHINES, filter_bytes, filter_hash, filters

ROOT = Path(__file__).parents[2]
ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NAMES = {"x86_64": pyseccomp.Arch.X86_64, "aarch64": pyseccomp.Arch.AARCH64}
ALLOW, KILL_PROCESS, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000

GOLDEN = {
    "x86_64": "ca43728e940876eed7204ca90d3d81d3b197fe8d909e98d394615ce10e0696dd",
    "aarch64": "fd8a0d396c9e983eda3d1e0ea95f84ea5a18dfe651e64ed94e1e0ff1e791ec75",
}

REFUSED_NAMES = (
    "ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd mount umount2 pivot_root chroot setns unshare "
    "move_mount open_tree fsopen fsmount fsconfig fspick mount_setattr bpf perf_event_open userfaultfd "
    "io_uring_setup io_uring_enter io_uring_register keyctl add_key request_key kexec_load kexec_file_load "
    "init_module finit_module delete_module open_by_handle_at name_to_handle_at quotactl shmget msgget semget mq_open "
    "memfd_create memfd_secret swapon swapoff reboot acct settimeofday clock_settime adjtimex clock_adjtime "
    "sethostname setdomainname syslog vhangup fanotify_init lookup_dcookie mbind migrate_pages move_pages "
    "set_mempolicy personality"
)
REFUSED = REFUSED_NAMES.split()
BY_NUMBER = {"process_madvise": 440, "mount_setattr": 442, "quotactl_fd": 443, "memfd_secret": 447}
NEW_NUMBERS = {"set_mempolicy_home_node": 450, "statmount": 457, "listmount": 458, "open_tree_attr": 467}
LOOKED_INTO = "clone ioctl socket socketpair sendto sendmsg sendmmsg setsockopt fcntl"
DONE_WITHOUT_DOING = ("sync", "syncfs")
ORDINARY = "read write openat close mmap futex execve exit_group getpid kill wait4 prctl socket connect rt_sigaction"


def number(machine: str, name: str) -> int:
    return BY_NUMBER.get(name) or int(pyseccomp.resolve_syscall(NAMES[machine], name))


def evaluate(program: bytes, nr: int, arch: int, *args: int) -> int:
    """Run a filter on one call as the kernel does."""
    values = [*args, *[0] * (6 - len(args))]
    data = struct.pack("<iIQ6Q", nr - (1 << 32) if nr >= 1 << 31 else nr, arch, 0, *values)
    code = [struct.unpack_from("<HBBI", program, i) for i in range(0, len(program), 8)]
    at, acc = 0, 0
    while True:
        op, yes, no, k = code[at]
        at += 1
        if op == 0x20:
            acc = struct.unpack_from("<I", data, k)[0]
        elif op == 0x54:
            acc &= k
        elif op == 0x05:
            at += k
        elif op == 0x06:
            return int(k)
        else:
            at += yes if {0x15: acc == k, 0x25: acc > k, 0x35: acc >= k, 0x45: acc & k}[op] else no


def error(number: int) -> int:
    return ERRNO | number


@pytest.mark.parametrize("machine", MACHINES)
def test_golden(machine: str) -> None:
    assert filter_hash(machine) == GOLDEN[machine]
    assert len(filter_bytes(machine)) % 8 == 0


@pytest.mark.parametrize("machine", MACHINES)
def test_the_generator_makes_the_same_policy(machine: str) -> None:
    """Other versions of libseccomp may order the instructions otherwise; what they answer is the same."""
    spec = importlib.util.spec_from_file_location("make_seccomp", ROOT / "scripts" / "make_seccomp.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    made, shipped = script.build(script.MACHINES[machine]), filter_bytes(machine)
    arguments = [(v, v, v, v) for v in (0, 1, 2, 6, 10, 11, 16, 33, 58, 59, 262, 0x5412, 0x541C, 0x20000000, 0x3D0F00)]
    arguments += [(flag | 17, 0, 0, 0) for flag in script.NAMESPACES]
    arguments += [(3, level, option, 0) for level in (0, 1, 6) for option in range(80)] + [(3, 1031, 0, 0)]
    by_argument = {number(machine, name) for name in LOOKED_INTO.split()}
    for arch in ARCH.values():
        for nr in (*range(480), 0x40000000, 0xFFFFFFFF):
            for args in arguments if nr in by_argument else arguments[:1]:
                assert evaluate(made, nr, arch, *args) == evaluate(shipped, nr, arch, *args), (nr, args)


def test_default_machine_and_unknown_machine() -> None:
    assert filter_bytes() == filter_bytes(platform.machine())
    with pytest.raises(ValueError, match="no seccomp filter for riscv64: it exists for x86_64 and aarch64"):
        filter_bytes("riscv64")


@pytest.mark.parametrize("machine", MACHINES)
def test_refused_calls(machine: str) -> None:
    program = filter_bytes(machine)
    numbers = {name: number(machine, name) for name in REFUSED} | BY_NUMBER | NEW_NUMBERS
    assert min(numbers.values()) > 0
    assert {n: evaluate(program, nr, ARCH[machine]) for n, nr in numbers.items()} == dict.fromkeys(
        numbers, error(errno.EPERM)
    )


@pytest.mark.parametrize("machine", MACHINES)
def test_only_the_named_calls_are_refused(machine: str) -> None:
    program, arch = filter_bytes(machine), ARCH[machine]
    refused = {nr for nr in range(470) if evaluate(program, nr, arch, 1) != ALLOW}
    extra = "create_module query_module get_kernel_syms fanotify_mark modify_ldt iopl ioperm uselib ustat sysfs clone3"
    named = {number(machine, n) for n in [*REFUSED, *extra.split(), *DONE_WITHOUT_DOING, "_sysctl", "nfsservctl"]}
    assert refused == {nr for nr in named if nr >= 0} | set(BY_NUMBER.values()) | set(NEW_NUMBERS.values())
    assert not refused & {number(machine, name) for name in ORDINARY.split()}


@pytest.mark.parametrize("machine", MACHINES)
def test_clone(machine: str) -> None:
    program, arch = filter_bytes(machine), ARCH[machine]
    clone = number(machine, "clone")
    assert evaluate(program, 435, arch) == error(errno.ENOSYS)
    assert evaluate(program, clone, arch, 0x01200011) == ALLOW  # fork
    assert evaluate(program, clone, arch, 0x003D0F00) == ALLOW  # a thread
    for flag in (0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000):
        assert evaluate(program, clone, arch, flag | 0x11) == error(errno.EPERM)
        assert evaluate(program, clone, arch, 1 << 40 | flag) == error(errno.EPERM)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ["socket", "socketpair"])
def test_socket_families(machine: str, name: str) -> None:
    program, arch, nr = filter_bytes(machine), ARCH[machine], number(machine, name)
    allowed = {f for f in range(64) if evaluate(program, nr, arch, f, 1) == ALLOW}
    assert allowed == {1, 2, 10}
    for family in (0, 16, 17, 38, 40, 1 << 32 | 16, 0xFFFFFFFF):
        assert evaluate(program, nr, arch, family, 1) == error(errno.EAFNOSUPPORT)


@pytest.mark.parametrize("machine", MACHINES)
def test_socket_protocols_and_fast_open(machine: str) -> None:
    program, arch = filter_bytes(machine), ARCH[machine]
    for family in (2, 10):
        answers = {p: evaluate(program, number(machine, "socket"), arch, family, 1, p) for p in range(300)}
        assert {p for p, answer in answers.items() if answer != ALLOW} == {33, *range(59, 300)}
        assert {answers[33], answers[262]} == {error(errno.EPROTONOSUPPORT)}
    fast = 0x20000000
    for name, args in (("sendto", (0, 0, 0, fast)), ("sendmsg", (0, 0, fast)), ("sendmmsg", (0, 0, 0, fast))):
        assert evaluate(program, number(machine, name), arch, *args) == error(errno.EOPNOTSUPP)
        assert evaluate(program, number(machine, name), arch, 0, fast, 0x4000, 0x4000) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_terminal_input(machine: str) -> None:
    program, arch, ioctl = filter_bytes(machine), ARCH[machine], number(machine, "ioctl")
    for request in (0x5412, 0x541C, 1 << 32 | 0x5412):
        assert evaluate(program, ioctl, arch, 0, request) == error(errno.EPERM)
    assert evaluate(program, ioctl, arch, 0, 0x5413) == ALLOW


@pytest.mark.parametrize("machine", MACHINES)
def test_sizes_of_kernel_buffers(machine: str) -> None:
    program, arch, nr = filter_bytes(machine), ARCH[machine], number(machine, "setsockopt")
    for level in (1, 1 << 32 | 1):
        answers = {option: evaluate(program, nr, arch, 3, level, option) for option in range(100)}
        assert {option for option, answer in answers.items() if answer != ALLOW} == {7, 8, 18, 32, 33, 73}
        assert answers[7] == answers[33] == evaluate(program, nr, arch, 3, level, 1 << 32 | 7) == error(errno.EPERM)
    assert {evaluate(program, nr, arch, 3, level, 7) for level in (0, 6, 41)} == {ALLOW}  # other protocols' options
    fcntl = number(machine, "fcntl")
    assert {c for c in range(1024, 1050) if evaluate(program, fcntl, arch, 3, c) == error(errno.EPERM)} == {1031}
    assert {evaluate(program, fcntl, arch, 3, command) for command in (*range(20), 1030, 1032)} == {ALLOW}


@pytest.mark.parametrize("machine", MACHINES)
def test_sync_is_done_without_doing(machine: str) -> None:
    program, arch = filter_bytes(machine), ARCH[machine]
    assert {evaluate(program, number(machine, name), arch) for name in DONE_WITHOUT_DOING} == {error(0)}
    assert {evaluate(program, number(machine, name), arch) for name in ("fsync", "fdatasync")} == {ALLOW}


@pytest.mark.parametrize("machine", MACHINES)
def test_foreign_and_unknown_calls(machine: str) -> None:
    program, arch = filter_bytes(machine), ARCH[machine]
    for foreign in {0x40000003, 0x40000028, 0xC00000B7, 0xC000003E} - {arch}:
        assert evaluate(program, 39, foreign) == KILL_PROCESS
    if machine == "x86_64":
        assert {evaluate(program, 0x40000000 | nr, arch) for nr in (0, 39, 101, 520)} == {KILL_PROCESS}
    assert [evaluate(program, nr, arch) for nr in (469, 470, 9999)] == [ALLOW, *[error(errno.ENOSYS)] * 2]


PRELUDE = f"""
import ctypes, errno, json, os, sys
sys.path.insert(0, {str(Path(filters.__file__).parent)!r})
import filters
libc = ctypes.CDLL(None, use_errno=True)
def call(nr, *args):
    ctypes.set_errno(0)
    back = libc.syscall(ctypes.c_long(nr), *(ctypes.c_long(a) for a in args))
    return ctypes.get_errno() if back == -1 else 0
if sys.argv[1] == "on":
    filters.load_filter(filters.filter_bytes())
"""


def run(code: str, filtered: bool) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-I", "-S", "-B", "-c", PRELUDE + code, "on" if filtered else "off"]
    return subprocess.run(argv, capture_output=True, text=True, check=False, timeout=60)


def answer(code: str, filtered: bool) -> object:
    done = run(code, filtered)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


HERE = platform.machine()
# Calls with arguments that do no harm and, unfiltered, need no privilege to be answered otherwise than by EPERM.
UNPRIVILEGED = {"shmget": [-1, -1, 0], "msgget": [0x7F001234, 0], "semget": [-1, -1, 0], "memfd_create": [-1, -1]}
UNPRIVILEGED |= {"personality": [0xFFFFFFFF], "unshare": [0], "process_vm_readv": [-1, 0, 0, 0, 0, -1]}


def test_loaded_filter_refuses_each_call() -> None:
    calls = {name: [number(HERE, name), *UNPRIVILEGED.get(name, [-1] * 6)] for name in [*REFUSED, *NEW_NUMBERS]}
    calls |= {name: [nr, -1, -1, -1, -1] for name, nr in NEW_NUMBERS.items()}
    code = f"print(json.dumps({{n: call(*a) for n, a in {calls!r}.items()}}))"
    assert answer(code, True) == dict.fromkeys(calls, errno.EPERM)


def test_without_the_filter_the_calls_answer_otherwise() -> None:
    calls = {name: [number(HERE, name), *args] for name, args in UNPRIVILEGED.items()}
    found = answer(f"print(json.dumps({{n: call(*a) for n, a in {calls!r}.items()}}))", False)
    assert isinstance(found, dict)
    assert errno.EPERM not in found.values()
    assert (found["personality"], found["unshare"], found["msgget"]) == (0, 0, errno.ENOENT)


SOCKETS = """
import socket
def made(family, kind, protocol=0):
    try:
        socket.socket(family, kind, protocol).close()
    except OSError as error:
        return error.errno
    return 0
print(json.dumps([call(435, 0, 0), call(9999), made(1, 1), made(2, 1), made(2, 2), made(10, 1), made(16, 3),
                  made(2, 1, 262)]))
"""


def test_clone3_and_sockets() -> None:
    refused = [errno.ENOSYS, errno.ENOSYS, 0, 0, 0, 0, errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT]
    assert answer(SOCKETS, True) == refused
    control = answer(SOCKETS, False)
    assert isinstance(control, list)
    assert (control[0], control[6]) == (errno.EINVAL, 0)


FAST_OPEN = """
import socket
server = socket.create_server(("127.0.0.1", 0))
client = socket.socket()
try:
    client.sendto(b"x", 0x20000000, server.getsockname())
    server.settimeout(5)
    print(json.dumps(len(server.accept())))
except OSError as error:
    print(json.dumps(-error.errno))
"""


def test_fast_open_does_not_connect() -> None:
    assert answer(FAST_OPEN, True) == -errno.EOPNOTSUPP
    assert answer(FAST_OPEN, False) == 2


I386 = """
import mmap
page = mmap.mmap(-1, 4096, prot=7)
page.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20 (getpid); int 0x80; ret
ask = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
print(json.dumps(ask() == os.getpid()), flush=True)
os._exit(0)
"""


@pytest.mark.skipif(HERE != "x86_64", reason="the i386 and x32 calls exist on x86_64 alone")
def test_foreign_calls_kill() -> None:
    assert answer(I386, False) is True
    assert run(I386, True).returncode == -signal.SIGSYS
    assert run(f"call(0x40000000 | {number('x86_64', 'getpid')})", True).returncode == -signal.SIGSYS
    assert run(f"call({number('x86_64', 'getpid')})", True).returncode == 0


ORDINARY_PYTHON = """
import asyncio, multiprocessing, pathlib, shutil, socket, sqlite3, subprocess, tempfile, threading
out = []
thread = threading.Thread(target=out.append, args=("thread",))
thread.start()
thread.join()
out.append(subprocess.run(["echo", "child"], capture_output=True, text=True, check=True).stdout.strip())
context = multiprocessing.get_context("fork")
with context.Pool(2) as pool:
    out.append(pool.map(abs, [-1, -2]))
async def waits():
    process = await asyncio.create_subprocess_exec("true")
    await asyncio.sleep(0)
    return await process.wait()
out.append(asyncio.run(waits()))
with tempfile.TemporaryDirectory() as folder:
    base = sqlite3.connect(folder + "/base.db")
    base.execute("create table t (a)")
    base.execute("insert into t values (3)")
    base.commit()
    out.append(base.execute("select a from t").fetchone()[0])
    base.close()
    shutil.copytree(folder, folder + "/copy")
    out.append(pathlib.Path(folder, "copy/base.db").read_bytes() == pathlib.Path(folder, "base.db").read_bytes())
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
server.accept()[0].sendall(b"own loopback")
out.append(client.recv(99).decode())
if __name__ == "__main__":
    print(json.dumps(out))
"""


def test_ordinary_python_works() -> None:
    assert answer(ORDINARY_PYTHON, True) == ["thread", "child", [1, 2], 0, 3, True, "own loopback"]


def test_the_module_needs_the_standard_library_alone() -> None:
    code = "print(json.dumps([sorted(m for m in sys.modules if 'proofyard' in m), len(filters.filter_hash())]))"
    assert answer(code, False) == [[], 64]
