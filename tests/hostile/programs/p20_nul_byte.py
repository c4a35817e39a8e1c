"""Answers with a NUL byte."""

import sys

from probe import request

request()
sys.stdout.buffer.write(b'{"ok": 1}\x00\n')
sys.stdout.flush()
