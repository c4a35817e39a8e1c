# ruff: noqa: PTH123
"""Leaves a daemon behind that writes to the state."""

import os
import time

from probe import STATE, answer, request

ask = request()
reader, writer = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        null = os.open("/dev/null", os.O_RDWR) if os.access("/dev/null", os.W_OK) else os.open(STATE + "/null", 66)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        with open(STATE + "/grow", "ab", buffering=0) as file:
            file.write(b"x")
            os.write(writer, b"%d" % os.getpid())
            os.close(writer)
            while True:
                file.write(b"x")
                time.sleep(0.002)
    os._exit(0)
os.close(writer)
answer(ask, daemon=int(os.read(reader, 99)))
