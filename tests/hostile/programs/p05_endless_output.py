"""Writes for ever and never ends the line."""

import os

from probe import request

request()
while True:
    os.write(1, b"x" * 65536)
