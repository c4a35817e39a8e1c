"""Answers, and one line more."""

import json
import sys

from probe import request

for _ in range(2):
    ask = request()
    sys.stdout.write(json.dumps({"id": ask["id"]}) + '\n{"id": "extra"}\n')
    sys.stdout.flush()
