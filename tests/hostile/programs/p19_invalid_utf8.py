"""Answers with bytes that are no UTF-8."""

import sys

from probe import request

request()
sys.stdout.buffer.write(b'{"ok": "\xff\xfe"}\n')
sys.stdout.flush()
