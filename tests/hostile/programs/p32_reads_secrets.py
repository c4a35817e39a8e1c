"""Reads hidden tests, the system's files, devices, its environment and open files."""

import fcntl
import os

from probe import answer, attempt, read, request


def symbols():
    """Whether an address of the kernel is told."""
    text = read("/proc/kallsyms", 65536).decode()
    return any(line.split()[0].strip("0") for line in text.splitlines()[:-1])


ask = request()
found = {path: attempt(read, path) for path in ask["files"]}
found |= {path: attempt(os.listdir, path) for path in ask["folders"]}
try:
    kernel = symbols()
except OSError:
    kernel = False
opened = [fd for fd in range(256) if attempt(fcntl.fcntl, fd, fcntl.F_GETFD) == "ok"]
answer(ask, found=found, kernel=kernel, environment=sorted(os.environ), opened=opened)
