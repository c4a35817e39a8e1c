"""Answers with NaN."""

import sys

from probe import request

request()
sys.stdout.buffer.write(b'{"ok": NaN}\n')
sys.stdout.flush()
