"""Traces init, its parent and its own child."""

import os
import time

from probe import answer, attempt, libc, request

ask = request()
child = os.fork()
if child == 0:
    time.sleep(60)
attach = 16
found = {name: attempt(libc, "ptrace", attach, pid, 0, 0) for name, pid in (("init", 1), ("parent", os.getppid()))}
found["child"] = attempt(libc, "ptrace", attach, child, 0, 0)
os.kill(child, 9)
answer(ask, found=found)
