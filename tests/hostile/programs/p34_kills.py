"""Kills all it can name: a process of the host, init, its parent, everybody."""

import os
import signal

from probe import answer, attempt, request

ask = request()
found = {"victim": attempt(os.kill, ask["victim"], signal.SIGKILL)}
found["victim's group"] = attempt(os.killpg, ask["victim"], signal.SIGKILL)
answer(ask, found=found)
if ask["all"]:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGKILL):
        for pid in (-1, 1, os.getppid()):
            attempt(os.kill, pid, number)
