"""Answers with an array."""

import sys

from probe import request

request()
sys.stdout.buffer.write(b"[1, 2]\n")
sys.stdout.flush()
