"""Asks for namespaces, mounts, dangerous interfaces and more of everything."""

import ctypes
import os
import resource
import socket
import struct

from probe import LIBC, answer, attempt, libc, request, syscall

X86 = os.uname().machine == "x86_64"


def number(x86, arm):
    return x86 if X86 else arm


def raised(limit):
    resource.setrlimit(limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def in_new_namespace(flag):
    """The system call clone itself, with a namespace's flag."""
    pid = LIBC.syscall(ctypes.c_long(number(56, 220)), ctypes.c_long(flag | 17), *(ctypes.c_long(0) for _ in range(4)))
    if pid == 0:
        os._exit(0)
    if pid == -1:
        raise OSError(ctypes.get_errno(), "clone")


def capabilities():
    """The effective, permitted and inheritable sets as one number."""
    header = ctypes.create_string_buffer(struct.pack("<Ii", 0x20080522, 0))
    data = ctypes.create_string_buffer(24)
    LIBC.capget(header, data)
    return sum(struct.unpack("<6I", data.raw))


ask = request()
flags = {"user": 0x10000000, "mount": 0x20000, "pid": 0x20000000, "net": 0x40000000}
found = {f"unshare {name}": attempt(libc, "unshare", flag) for name, flag in flags.items()}
found |= {f"clone {name}": attempt(in_new_namespace, flag) for name, flag in flags.items()}
found |= {
    "clone3": attempt(syscall, 435, 0, 0),
    "setns": attempt(libc, "setns", 0, 0),
    "mount": attempt(libc, "mount", b"none", b"/tmp", b"tmpfs", 0, None),
    "umount": attempt(libc, "umount2", b"/tmp", 2),
    "pivot_root": attempt(syscall, number(155, 41), 0, 0),
    "chroot": attempt(os.chroot, "/"),
    "io_uring": attempt(syscall, 425, 8, 0),
    "bpf": attempt(syscall, number(321, 280), 0, 0, 0),
    "userfaultfd": attempt(syscall, number(323, 282), 1),
    "keyctl": attempt(syscall, number(250, 219), 0, -3, 0),
    "perf_event": attempt(syscall, number(298, 241), 0, 0, -1, -1, 0),
    "memfd": attempt(syscall, number(319, 279), -1, -1),
    "sethostname": attempt(libc, "sethostname", b"hostile", -1),
    "setuid": attempt(os.setuid, 0),
    "setgroups": attempt(os.setgroups, [0]),
    "packet socket": attempt(socket.socket, 17, socket.SOCK_RAW),
}
if ask["rlimits"]:
    for name in ("NOFILE", "NPROC", "AS", "FSIZE", "CPU", "CORE"):
        found[f"raise {name}"] = attempt(raised, getattr(resource, f"RLIMIT_{name}"))
state = {"capabilities": capabilities(), "no new privileges": LIBC.prctl(39, 0, 0, 0, 0)}
state["seccomp"] = LIBC.prctl(21, 0, 0, 0, 0)
answer(ask, found=found, state=state, uid=os.getuid())
