"""The trusted parent of one command on the host, a process of its own that `host` starts with its end of a socket.

It is a child subreaper, so all that the command starts stays below it, whatever it does to its session, its parents and its
environment. The first line on the socket is the command (`argv`, `cwd`, `env`), the first answer `{}` or why it cannot be
run (`error`). When the command ends, when the other side shuts the socket down, or when proofyard dies and the kernel closes
it, the keeper kills what is below it until nothing is left, answers with `status` (exit code, negative: a signal) and `gone`
(whether nothing is left), and ends. Standard library only.
"""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import time
from typing import Any, NoReturn

from proofyard.sandbox.runner.kernel import set_subreaper
from proofyard.sandbox.runner.memory import descendants

__all__ = ["keep"]

SWEEP_SECONDS = 10.0
"""After so long a process that cannot be killed is given up on, and said to be left."""
PAUSE_SECONDS = 0.001
STOPS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""Whoever ends the keeper so ends the command too."""


def keep(fd: int) -> NoReturn:
    """Serve one command from its start until nothing of it is left."""
    try:
        _serve(socket.socket(fileno=fd))
    finally:
        os._exit(0)


def _serve(control: socket.socket) -> None:
    wake, woken = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
    signal.set_wakeup_fd(woken)
    for number in (signal.SIGCHLD, *STOPS):
        signal.signal(number, lambda *_: None)
    set_subreaper()
    with control.makefile("rb") as lines:
        line = lines.readline()
    if not line.endswith(b"\n"):
        return
    try:
        command = _start(json.loads(line))  # held: an object that is freed reaps its process and forgets the status
    except (OSError, ValueError, IndexError) as error:
        _tell(control, {"error": str(error)})
        return
    _tell(control, {})
    status = _wait(command.pid, control, wake)
    last, gone = _sweep(command.pid)
    _tell(control, {"status": last if status is None else status, "gone": gone})


def _start(order: dict[str, Any]) -> "subprocess.Popen[bytes]":
    command = subprocess.Popen(order["argv"], cwd=order["cwd"], env=order["env"], start_new_session=True)
    # What the command reads and writes is not to be held open by its keeper.
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(nothing, fd)
    return command


def _wait(program: int, control: socket.socket, wake: int) -> int | None:
    """Reap until the command has ended (its status) or is to stop (None)."""
    while True:
        ready = select.select([control.fileno(), wake], [], [])[0]
        if control.fileno() in ready or any(number in STOPS for number in os.read(wake, 4096)):
            return None
        status, _ = _reap(program)
        if status is not None:
            return status


def _sweep(program: int) -> tuple[int | None, bool]:
    """Kill all below this process until no child is left; the command's status, if it ended by this, and whether none is.

    What is forked meanwhile is met in the next round: a killed parent's children come to this process.
    """
    found: int | None = None
    end = time.monotonic() + SWEEP_SECONDS
    while True:
        for pid in descendants(os.getpid())[1:]:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        status, more = _reap(program)
        found = status if status is not None else found
        if not more or time.monotonic() > end:
            return found, not more
        time.sleep(PAUSE_SECONDS)


def _reap(program: int) -> tuple[int | None, bool]:
    """Reap all that ended; the command's status if it is among them, and whether any child is left."""
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found, False
        if pid == 0:
            return found, True
        if pid == program:
            found = os.waitstatus_to_exitcode(status)


def _tell(control: socket.socket, message: dict[str, object]) -> None:
    with contextlib.suppress(OSError):  # nobody is left to hear it
        control.sendall(json.dumps(message).encode() + b"\n")
