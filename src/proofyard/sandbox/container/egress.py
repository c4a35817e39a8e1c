"""The way out of a container whose network is none but for some hosts: a listener inside, served by the proxy outside."""

import ctypes
import os
import socket
import threading
from pathlib import Path
from typing import Final

from proofyard.core import Failure, InfrastructureError
from proofyard.sandbox.container.machine import Container
from proofyard.sandbox.container.used import is_here
from proofyard.sandbox.proxy import PORT

__all__ = ["listener_inside"]

_NEW_NETWORK: Final = 0x40000000
_WAITING: Final = 64


def listener_inside(container: Container, pid: int) -> socket.socket:
    """A socket that listens on the container's own 127.0.0.1, at the port that leads outside. pid: its first process.

    A socket belongs to the network in which it was made, whoever holds it: a thread enters the container's, makes it and
    ends. So nothing of ours runs inside.

    Raises:
        InfrastructureError: `isolation_unavailable`, the container is not one of this machine, or may not be entered.

    """
    if not is_here(container, pid):
        raise _unavailable("the engine runs on another machine")
    found: list[socket.socket] = []
    failed: list[OSError] = []

    def make() -> None:
        try:
            where = os.open(Path(f"/proc/{pid}/ns/net"), os.O_RDONLY | os.O_CLOEXEC)
            try:
                libc = ctypes.CDLL(None, use_errno=True)
                if libc.setns(where, _NEW_NETWORK):
                    number = ctypes.get_errno()
                    raise OSError(number, os.strerror(number))
            finally:
                os.close(where)
            found.append(socket.create_server(("127.0.0.1", PORT), backlog=_WAITING))
        except OSError as error:
            failed.append(error)

    thread = threading.Thread(target=make, name="proofyard-egress-listener", daemon=True)
    thread.start()
    thread.join()
    if failed:
        raise _unavailable(f"its network cannot be entered ({failed[0].strerror}); it needs root")
    return found[0]


def _unavailable(why: str) -> InfrastructureError:
    message = f"a list of hosts cannot be enforced for a container here: {why}"
    return InfrastructureError(Failure(code="isolation_unavailable", message=message))
