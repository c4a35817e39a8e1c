"""Answers with two documents on one line."""

import sys

from probe import request

request()
sys.stdout.buffer.write(b'{"ok": 1} {"ok": 2}\n')
sys.stdout.flush()
