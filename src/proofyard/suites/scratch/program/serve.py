"""The loop: lines from standard input, responses to standard output, each flushed before the next line is read."""

import json
import sys
from collections.abc import Mapping

from .envelope import answer
from .operation import Operation

__all__ = ["serve"]


def serve(operations: Mapping[str, Operation]) -> None:
    """Answer every line that is not blank until the input ends."""
    for line in sys.stdin.buffer:
        if line.strip(b" \t\r\n"):
            response = json.dumps(answer(line, operations))
            sys.stdout.buffer.write(response.encode("ascii") + b"\n")
            sys.stdout.buffer.flush()
