"""Answers with a byte order mark."""

import sys

from probe import request

request()
sys.stdout.buffer.write(b'\xef\xbb\xbf{"ok": 1}\n')
sys.stdout.flush()
