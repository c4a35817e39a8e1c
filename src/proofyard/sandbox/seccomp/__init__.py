"""The system calls that a sandboxed program may not make.

One filter a machine, kept as the bytes of `struct sock_filter` (`x86_64.bpf`, `aarch64.bpf`), made by
`scripts/make_seccomp.py`. It goes to bubblewrap by `--seccomp FD` or onto the calling thread by `load_filter`. Refused
calls answer EPERM; `clone3` ENOSYS, so that the C library falls back to `clone`; sockets other than unix and IP
EAFNOSUPPORT; a foreign calling convention (x32, i386) kills. The module `filters` uses the standard library alone.
"""

from proofyard.sandbox.seccomp.filters import MACHINES, filter_bytes, filter_hash, load_filter

__all__ = ["MACHINES", "filter_bytes", "filter_hash", "load_filter"]
