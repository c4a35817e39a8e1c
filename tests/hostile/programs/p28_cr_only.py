"""Answers with a line that ends in CR."""

import sys

from probe import request

request()
sys.stdout.buffer.write(b'{"ok": 1}\r')
sys.stdout.flush()
