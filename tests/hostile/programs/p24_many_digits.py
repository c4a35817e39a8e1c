"""Answers with an integer of 100,000 digits."""

import sys

from probe import request

request()
sys.stdout.buffer.write(b'{"ok": ' + b"9" * 100_000 + b"}\n")
sys.stdout.flush()
