"""Answers before it is asked, with a guess of the request's id."""

import sys
import time

sys.stdout.write('{"id": "r1", "ok": true}\n')
sys.stdout.flush()
sys.stdin.readline()
time.sleep(60)
