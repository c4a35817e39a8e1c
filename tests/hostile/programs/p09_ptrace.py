"""Traces init, its parent and its own child."""

import os
import time

from probe import answer, attempt, libc, request

ask = request()
child = os.fork()
if child == 0:
    time.sleep(60)
attach = 16
others = {"init": 1, "parent": os.getppid()} if ask["all"] else {}
found = {name: attempt(libc, "ptrace", attach, pid, 0, 0) for name, pid in others.items()}
found["child"] = attempt(libc, "ptrace", attach, child, 0, 0)
os.kill(child, 9)
answer(ask, found=found)
