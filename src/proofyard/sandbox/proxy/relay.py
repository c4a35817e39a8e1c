"""The part of the proxy that runs inside the sandbox, and the pump that both parts use.

Standard library only. Run as `python relay.py SOCKET PORT PROGRAM...`: listens on 127.0.0.1:PORT, forwards every connection
to the unix socket from a background process, and becomes PROGRAM. One thread, since threads count against the sandbox's
limit of processes.
"""

import contextlib
import os
import resource
import select
import socket
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

__all__ = ["PORT", "SOCKET_INSIDE", "Pair", "environment", "relay_argv", "serve"]

PORT = 3128
"""Port of the sandbox's own 127.0.0.1 on which the relay listens; `ROUTE_PORT` of core."""
SOCKET_INSIDE = "/run/egress.sock"
"""Where the launcher binds the proxy's socket in the sandbox."""
CHUNK = 65_536
MOST_PAIRS = 64
"""Connections carried at once; more wait in the listener's queue."""
SOURCE = Path(__file__).read_text() if "__file__" in globals() else ""
"""This file, read at import: a runner cannot reach it any more when it starts programs; empty inside the sandbox."""
SPARE_FILES = 12
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def relay_argv(python: Sequence[str], argv: Sequence[str]) -> list[str]:
    """Return the command that starts the relay and then becomes `argv`. python: the interpreter inside, with flags."""
    return [*python, "-c", SOURCE, SOCKET_INSIDE, str(PORT), *argv]


def environment(hosts: Iterable[str]) -> dict[str, str]:
    """Return the variables that send a program's HTTP to the relay; its own loopback is left out unless it is listed."""
    listed = {entry.rpartition(":")[0].strip("[]").lower() for entry in hosts}
    direct = ",".join(name for name in LOOPBACK if name not in listed)
    proxy = f"http://127.0.0.1:{PORT}"
    names = {"http_proxy": proxy, "https_proxy": proxy, "no_proxy": direct}
    return {**names, **{name.upper(): value for name, value in names.items()}}


class _Way:
    """One direction: bytes read from `source` and not yet written to `target`."""

    def __init__(self, source: socket.socket, target: socket.socket, data: bytes) -> None:
        self.source, self.target, self.data = source, target, data
        self.ended = self.closed = False

    def move(self, spend: Callable[[int], bool]) -> None:
        if not self.ended and not self.data:
            with contextlib.suppress(BlockingIOError):
                self.data = self.source.recv(CHUNK)
                self.ended = not self.data
                if not spend(len(self.data)):
                    raise ConnectionAbortedError
        if self.data:
            with contextlib.suppress(BlockingIOError):
                self.data = self.data[self.target.send(self.data) :]
        if self.ended and not self.data and not self.closed:
            self.closed = True
            self.target.shutdown(socket.SHUT_WR)


class Pair:
    """Two connected sockets whose bytes are carried to each other, without ever blocking.

    first: bytes to send to `right` before all others. spend: told the number of bytes read, answers whether to go on.
    """

    def __init__(
        self,
        left: socket.socket,
        right: socket.socket,
        first: bytes = b"",
        spend: Callable[[int], bool] = lambda _size: True,
    ) -> None:
        self.ends, self.spend, self.done = (left, right), spend, False
        self.ways = (_Way(left, right, first), _Way(right, left, b""))
        for end in self.ends:
            end.setblocking(False)

    def interest(self) -> dict[int, int]:
        """Descriptors and the poll events waited for."""
        wanted: dict[int, int] = {}
        for way in self.ways:
            if way.data:
                wanted[way.target.fileno()] = wanted.get(way.target.fileno(), 0) | select.POLLOUT
            elif not way.ended:
                wanted[way.source.fileno()] = wanted.get(way.source.fileno(), 0) | select.POLLIN
        return wanted

    def move(self) -> None:
        """Carry what can be carried now; `done` when both ends are closed or one is broken."""
        try:
            for way in self.ways:
                way.move(self.spend)
        except OSError:
            self.close()
        if all(way.closed for way in self.ways):
            self.close()

    def close(self) -> None:
        """Close both ends."""
        self.done = True
        for end in self.ends:
            end.close()

    def run(self, idle_ms: int) -> None:
        """Carry until done, or until nothing came for so many milliseconds."""
        while not self.done:
            poll = select.poll()
            for descriptor, events in self.interest().items():
                poll.register(descriptor, events)
            if not poll.poll(idle_ms):
                self.close()
                return
            self.move()


def serve(listener: socket.socket, path: str) -> None:
    """Forward the listener's connections to the unix socket at `path`, for ever."""
    listener.setblocking(False)
    pairs: list[Pair] = []
    most = min(MOST_PAIRS, (resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE_FILES) // 2)
    while True:
        poll = select.poll()
        if len(pairs) < most:
            poll.register(listener, select.POLLIN)
        owners: dict[int, Pair] = {}
        for pair in pairs:
            for descriptor, events in pair.interest().items():
                poll.register(descriptor, events)
                owners[descriptor] = pair
        for descriptor, _ in poll.poll():
            if descriptor == listener.fileno():
                pairs += _accepted(listener, path)
            elif not owners[descriptor].done:
                owners[descriptor].move()
        pairs = [pair for pair in pairs if not pair.done]


def _accepted(listener: socket.socket, path: str) -> list[Pair]:
    try:
        client = listener.accept()[0]
    except OSError:
        return []
    upstream = socket.socket(socket.AF_UNIX)
    try:
        upstream.connect(path)
    except OSError:
        client.close()
        upstream.close()
        return []
    return [Pair(client, upstream)]


def _main() -> None:
    path, port, *argv = sys.argv[1:]
    listener = socket.create_server(("127.0.0.1", int(port)), backlog=MOST_PAIRS)
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        listener.close()
        os.execvp(argv[0], argv)
    if os.fork():
        os._exit(0)
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(nothing, descriptor)  # else the program's end of output would never be seen
    serve(listener, path)


if __name__ == "__main__":
    _main()
