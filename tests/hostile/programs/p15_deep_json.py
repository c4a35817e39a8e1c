"""Answers with JSON of 200,000 levels."""

import sys

from probe import request

request()
sys.stdout.buffer.write(b"[" * 200_000 + b"]" * 200_000 + b"\n")
sys.stdout.flush()
