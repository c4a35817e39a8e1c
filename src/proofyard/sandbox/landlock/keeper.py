"""The trusted parent of one program on the Landlock rung: what pid 1 is to a pid namespace, made of a child subreaper.

Everything the program starts stays below the keeper, whatever it does to its sessions and parents. When the program ends,
when the runner says so or when the runner dies, the keeper kills what is below it, again and again until nothing is
left, and only then ends itself. Standard library only.
"""

import json
import os
import signal
import time
from typing import NoReturn

from proofyard.sandbox.runner.kernel import prctl, set_subreaper
from proofyard.sandbox.runner.memory import descendants

__all__ = ["STOP", "keep", "prepare", "sweep"]

STOP = signal.SIGTERM
"""Tells a keeper to kill all; the program cannot send it, its Landlock domain ends below the keeper."""
PR_SET_PDEATHSIG = 1
PAUSE_SECONDS = 0.001


def prepare(parent: int) -> None:
    """Before the program is forked: become its subreaper, hear of its end and of the runner's."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD, STOP})
    set_subreaper()
    prctl(PR_SET_PDEATHSIG, STOP, "PR_SET_PDEATHSIG")
    if os.getppid() != parent:
        os._exit(1)


def keep(program: int, report: int) -> NoReturn:
    """Wait for the program or for `STOP`, then sweep; write the program's wait status to `report` and end."""
    status: int | None = None
    try:
        while status is None:
            if signal.sigwaitinfo({signal.SIGCHLD, STOP}).si_signo == STOP:
                break
            status = _reap(program)[0]
        last = sweep(os.getpid(), program)
        os.write(report, json.dumps({"status": last if status is None else status}).encode())
    finally:
        os._exit(0)


def sweep(top: int, program: int = -1) -> int | None:
    """Kill all below `top` (this process) until no child is left; return the wait status of `program`, if it was there.

    Whatever is forked meanwhile is met in the next round: a killed parent's children come to this process.
    """
    found: int | None = None
    while True:
        for pid in descendants(top)[1:]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        status, more = _reap(program)
        found = status if status is not None else found
        if not more:
            return found
        time.sleep(PAUSE_SECONDS)


def _reap(program: int) -> tuple[int | None, bool]:
    """Reap all that ended; the program's status if it is among them, and whether any child is left."""
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found, False
        if pid == 0:
            return found, True
        if pid == program:
            found = status
