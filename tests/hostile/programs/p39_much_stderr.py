"""Writes 130 MB of errors, then answers."""

import os

from probe import answer, request

ask = request()
block = b"e" * (1 << 20)
for _ in range(ask["mb"]):
    left = len(block)
    while left:
        left -= os.write(2, block[:left])
answer(ask, wrote=ask["mb"])
