"""Answers with a line that ends in CR LF."""

import sys

from probe import request

request()
sys.stdout.buffer.write(b'{"ok": 1}\r\n')
sys.stdout.flush()
