"""Sleeps past the deadline."""

import time

from probe import answer, request

ask = request()
time.sleep(ask["seconds"])
answer(ask, slept=True)
