"""Answers with a number that overflows."""

import sys

from probe import request

request()
sys.stdout.buffer.write(b'{"ok": 1e999}\n')
sys.stdout.flush()
