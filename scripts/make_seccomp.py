"""Make the seccomp filters that proofyard ships: `python scripts/make_seccomp.py [--check]`.

Needs libseccomp and PyPI `pyseccomp` (development only). Writes one file of `struct sock_filter` a machine into
`src/proofyard/sandbox/seccomp/`; with `--check` it writes nothing and ends with 1 if a file differs.
"""

import argparse
import errno
import os
import struct
import sys
import tempfile
from pathlib import Path

import pyseccomp as seccomp

TARGET = Path(__file__).resolve().parent.parent / "src/proofyard/sandbox/seccomp"
MACHINES = {"x86_64": seccomp.Arch.X86_64, "aarch64": seccomp.Arch.AARCH64}

REFUSED = """
    ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd
    mount umount2 pivot_root chroot setns unshare move_mount open_tree fsopen fsmount fsconfig fspick
    bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register
    keyctl add_key request_key
    kexec_load kexec_file_load init_module finit_module delete_module create_module query_module get_kernel_syms
    open_by_handle_at name_to_handle_at quotactl
    shmget msgget semget mq_open memfd_create
    swapon swapoff reboot acct settimeofday clock_settime adjtimex clock_adjtime sethostname setdomainname syslog vhangup
    fanotify_init fanotify_mark lookup_dcookie mbind migrate_pages move_pages set_mempolicy personality
    modify_ldt iopl ioperm uselib ustat sysfs nfsservctl _sysctl
"""

NEWER = (440, 442, 443, 447, 450, 457, 458, 467)
"""Calls by number, the same on every machine, that an older libseccomp does not know by name; all are refused.

process_madvise, mount_setattr, quotactl_fd, memfd_secret, set_mempolicy_home_node, statmount, listmount, open_tree_attr.
"""

FIRST_UNKNOWN = 470
"""Calls from this number on did not exist when the list above was read: they answer ENOSYS, as on an older kernel."""

NAMESPACES = (0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET."""

FIRST_FAMILIES = (0, *range(3, 10))
"""Socket families below AF_INET6 (10) other than AF_UNIX (1) and AF_INET (2)."""

TERMINAL_INPUT = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: they type into a terminal."""

SOCKET_LEVEL = 1
BUFFERS = (7, 8, 18, 32, 33, 73)
"""SO_SNDBUF, SO_RCVBUF, SO_RCVLOWAT (grows a TCP socket's buffer), SO_SNDBUFFORCE, SO_RCVBUFFORCE and SO_RESERVE_MEM."""

SET_PIPE_SIZE = 1031
"""F_SETPIPE_SZ."""

LOAD, JUMP_EQUAL, JUMP_GREATER_EQUAL, JUMP_SET, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
"""Instructions of the filter's machine; LOAD 0 loads the call's number."""

FAST_OPEN = 0x20000000
WORD = 0xFFFFFFFF
REFUSE = seccomp.ERRNO(errno.EPERM)


def add(program: seccomp.SyscallFilter, action: int, name: str, *args: seccomp.Arg) -> None:
    """Add one rule."""
    number = seccomp.resolve_syscall(seccomp.Arch.NATIVE, name)
    if number == -1:
        raise SystemExit(f"libseccomp does not know {name}")
    program.add_rule(action, number, *args)  # not there on a machine: no rule


def masked(arg: int, mask: int, value: int) -> seccomp.Arg:
    """Return the condition that an argument's bits under `mask` are `value`."""
    return seccomp.Arg(arg, seccomp.MASKED_EQ, mask, value)


def rules(program: seccomp.SyscallFilter) -> None:
    """Add every rule of the policy. Numbers are the building machine's: libseccomp translates them."""
    for name in REFUSED.split():
        add(program, REFUSE, name)
    for flag in NAMESPACES:
        add(program, REFUSE, "clone", masked(0, flag, flag))
    add(program, seccomp.ERRNO(errno.ENOSYS), "clone3")  # its flags are in memory, out of reach
    for request in TERMINAL_INPUT:
        add(program, REFUSE, "ioctl", masked(1, WORD, request))
    # What lies in the kernel's buffers is in no process's memory, where the limits and the watchdog look.
    for option in BUFFERS:
        add(program, REFUSE, "setsockopt", masked(1, WORD, SOCKET_LEVEL), masked(2, WORD, option))
    add(program, REFUSE, "fcntl", masked(1, WORD, SET_PIPE_SIZE))
    for name in ("sync", "syncfs"):  # they reach the disks of the host: done without doing anything
        add(program, seccomp.ERRNO(0), name)
    socket_rules(program)


def socket_rules(program: seccomp.SyscallFilter) -> None:
    """Add what sockets may be made, and that no call but `connect` connects."""
    for name in ("socket", "socketpair"):
        for family in FIRST_FAMILIES:
            add(program, seccomp.ERRNO(errno.EAFNOSUPPORT), name, masked(0, WORD, family))
        add(program, seccomp.ERRNO(errno.EAFNOSUPPORT), name, seccomp.Arg(0, seccomp.GE, 11))
    # Other stream protocols over IP (SCTP, SMC, MPTCP, DCCP) connect where only TCP is being watched.
    add(program, seccomp.ERRNO(errno.EPROTONOSUPPORT), "socket", seccomp.Arg(2, seccomp.GE, 59))
    add(program, seccomp.ERRNO(errno.EPROTONOSUPPORT), "socket", masked(2, WORD, 33))
    # A fast open connects without the call `connect`, past a rule on it.
    for name, arg in (("sendto", 3), ("sendmsg", 2), ("sendmmsg", 3)):
        add(program, seccomp.ERRNO(errno.EOPNOTSUPP), name, masked(arg, FAST_OPEN, FAST_OPEN))


def build(arch: int) -> bytes:
    """Return the filter's instructions for one machine, in its (little) byte order."""
    program = seccomp.SyscallFilter(seccomp.ALLOW)
    program.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)
    if arch != seccomp.system_arch():
        program.add_arch(arch)
        program.remove_arch(seccomp.system_arch())
    rules(program)
    with tempfile.TemporaryFile() as file:
        program.export_bpf(file)
        file.seek(0)
        return newer_calls() + file.read()


def newer_calls() -> bytes:
    """Return the instructions put first, for calls by number: EPERM for NEWER, ENOSYS from FIRST_UNKNOWN on.

    A number with bit 30 (x32) is left to the rest, which kills.
    """
    left = len(NEWER)
    code = [(LOAD, 0, 0, 0), (JUMP_SET, left + 3, 0, 0x40000000)]
    code += [(JUMP_EQUAL, left - i, 0, number) for i, number in enumerate(NEWER)]
    code += [
        (JUMP_GREATER_EQUAL, 1, 2, FIRST_UNKNOWN),
        (RETURN, 0, 0, seccomp.ERRNO(errno.EPERM)),
        (RETURN, 0, 0, seccomp.ERRNO(errno.ENOSYS)),
    ]
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def main() -> int:
    """Write or check the files."""
    parser = argparse.ArgumentParser(description="make the seccomp filters")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file differs")
    check = parser.parse_args().check
    stale = 0
    for machine, arch in MACHINES.items():
        data, path = build(arch), TARGET / f"{machine}.bpf"
        if check:
            stale += not path.exists() or path.read_bytes() != data
        else:
            path.write_bytes(data)
        sys.stdout.write(f"{path.name}: {len(data) // 8} instructions{os.linesep}")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
