"""Answers with a lone surrogate."""

import sys

from probe import request

request()
sys.stdout.buffer.write(b'{"ok": "\\ud800"}\n')
sys.stdout.flush()
