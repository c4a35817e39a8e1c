"""The trusted parent of one program on the Landlock rung: what pid 1 is to a pid namespace, made of a child subreaper.

Everything the program starts stays below the keeper, whatever it does to its sessions and parents. When the program ends,
when the runner says so or when the runner dies, the keeper kills what is below it, again and again until nothing is
left, and only then ends itself. Standard library only.
"""

import json
import os
import signal
from typing import NoReturn

from proofyard.sandbox.runner.kernel import prctl, set_subreaper
from proofyard.sandbox.runner.reap import reap, sweep

__all__ = ["STOP", "keep", "prepare"]

STOP = signal.SIGTERM
"""Tells a keeper to kill all; the program cannot send it, its Landlock domain ends below the keeper."""
PR_SET_PDEATHSIG = 1


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
            status = reap(program)[0]
        last, _ = sweep(os.getpid(), program)
        os.write(report, json.dumps({"status": last if status is None else status}).encode())
    finally:
        os._exit(0)
