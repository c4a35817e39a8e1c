"""Runs in a container as its first process: lays out the files, starts the program, says at its end what it used.

Standard library only. The order comes first on standard input, after its length in 12 digits; what follows is the program's.
The last line of standard error is ours: it begins with a word that came with the order, and this process's memory cannot be
read by others.
"""

# pathlib would be one more import at each start.
# ruff: noqa: PTH101, PTH103, PTH120, PTH123

import base64
import ctypes
import json
import os
import resource
import signal
import sys
from collections.abc import Mapping
from typing import Any

__all__ = ["main"]

LENGTH = 12
NOT_FOUND = 127
PR_SET_DUMPABLE = 4


def read(count: int) -> bytes:
    """Read so many bytes of standard input, and not one more."""
    data = bytearray()
    while len(data) < count:
        piece = os.read(0, count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return bytes(data)


def lay(files: list[tuple[str, str, int]]) -> None:
    """Write files: path, content in base64, mode."""
    for path, content, mode in files:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(base64.b64decode(content))
        os.chmod(path, mode)


def run(order: Mapping[str, Any]) -> None:
    """Become the program. Does not return."""
    try:
        for number, soft, hard in order["rlimits"]:
            resource.setrlimit(number, (soft, hard))
        os.makedirs(order["cwd"], exist_ok=True)
        os.chdir(order["cwd"])
        argv = order["argv"]
        if argv[0] == "python":
            argv = [sys.executable, *order["flags"], *argv[1:]]
        os.execvpe(argv[0], argv, order["env"])
    except BaseException as error:
        os.write(2, f"{error}\n".encode())
    os._exit(NOT_FOUND)


def wait(program: int) -> int:
    """Reap whatever ends until the program does, then end the rest; return the program's status."""
    status = None
    while True:
        try:
            pid, found = os.wait()
        except ChildProcessError:
            return status or 0
        if pid == program:
            status = found
        if status is not None and os.getpid() == 1:
            try:
                os.kill(-1, signal.SIGKILL)
            except ProcessLookupError:
                continue


def main() -> None:
    """Read the order, run the program, report."""
    if ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0):
        raise OSError("prctl")
    order = json.loads(read(int(read(LENGTH))))
    lay(order["files"])
    program = os.fork()
    if program == 0:
        run(order)
    status = wait(program)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = {
        "code": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
        "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
        "cpu_us": int((used.ru_utime + used.ru_stime) * 1_000_000),
        "peak": used.ru_maxrss * 1024,
    }
    os.write(2, f"\n{order['word']} {json.dumps(report)}\n".encode())
    os._exit(0)


if __name__ == "__main__":
    main()
