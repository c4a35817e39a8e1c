"""Messages between the runner, the warm process and a sample's init: one JSON line each, descriptors beside it."""

import json
import os
import socket
from typing import Any

from proofyard.sandbox.runner.frames import receive_descriptors

__all__ = ["Line", "receive", "send"]

LONGEST = 8 << 20
MOST_DESCRIPTORS = 250
Line = dict[str, Any]


def send(sock: socket.socket, message: Line, fds: tuple[int, ...] = ()) -> None:
    """Send one message with its descriptors. Raises OSError if the other end is gone."""
    data = json.dumps(message).encode() + b"\n"
    if fds:
        sent = socket.send_fds(sock, [data], list(fds))
        data = data[sent:]
    if data:
        sock.sendall(data)


def receive(sock: socket.socket) -> tuple[Line, list[int]] | None:
    """Return the next message and its descriptors, None at the end of the stream.

    Reads exactly one line, so that nothing of the next message (and none of its descriptors) is taken with it: the
    sender waits for an answer before it sends another.
    """
    data = bytearray()
    fds: list[int] = []
    while not data.endswith(b"\n"):
        part, found = receive_descriptors(sock, 1 << 16, MOST_DESCRIPTORS)
        fds += found
        data += part
        if not part or len(data) > LONGEST:
            for fd in fds:
                os.close(fd)
            return None
    return json.loads(data), fds
