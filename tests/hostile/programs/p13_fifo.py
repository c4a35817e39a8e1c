"""Leaves a FIFO and a socket in its state: whoever opens the FIFO waits for ever."""

import os
import socket

from probe import STATE, answer, attempt, request

ask = request()
os.chdir(STATE)
found = {"fifo": attempt(os.mkfifo, "fifo")}
found["socket"] = attempt(socket.socket(socket.AF_UNIX).bind, "socket")
answer(ask, found=found)
