"""Ignores every signal that can be ignored."""

import signal
import time

from probe import request

request()
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(number, signal.SIG_IGN)
while True:
    time.sleep(60)
