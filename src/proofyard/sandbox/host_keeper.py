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
from typing import Any, NoReturn

from proofyard.sandbox.runner.kernel import set_subreaper
from proofyard.sandbox.runner.reap import reap, sweep

__all__ = ["keep"]

SWEEP_SECONDS = 10.0
"""After so long a process that cannot be killed is given up on, and said to be left."""
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
    last, gone = sweep(os.getpid(), command.pid, SWEEP_SECONDS)
    status = last if status is None else status
    _tell(control, {"status": None if status is None else os.waitstatus_to_exitcode(status), "gone": gone})


def _start(order: dict[str, Any]) -> "subprocess.Popen[bytes]":
    command = subprocess.Popen(order["argv"], cwd=order["cwd"], env=order["env"], start_new_session=True)
    # What the command reads and writes is not to be held open by its keeper.
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(nothing, fd)
    return command


def _wait(program: int, control: socket.socket, wake: int) -> int | None:
    """Reap until the command has ended (its wait status) or is to stop (None)."""
    while True:
        ready = select.select([control.fileno(), wake], [], [])[0]
        if control.fileno() in ready or any(number in STOPS for number in os.read(wake, 4096)):
            return None
        status, _ = reap(program)
        if status is not None:
            return status


def _tell(control: socket.socket, message: dict[str, object]) -> None:
    with contextlib.suppress(OSError):  # nobody is left to hear it
        control.sendall(json.dumps(message).encode() + b"\n")
