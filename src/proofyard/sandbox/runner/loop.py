"""The runner's one loop: polls the control socket and everything of the running programs, and ticks every 30 ms."""

import os
import select
import socket
import time
from collections.abc import Callable
from typing import Protocol

__all__ = ["TICK_MS", "ControllerGoneError", "Loop", "Ticking"]

TICK_MS = 30
READABLE = select.POLLIN | select.POLLHUP | select.POLLERR


class ControllerGoneError(Exception):
    """The control socket closed or its process ended: kill everything and exit."""


class Ticking(Protocol):
    """What is called on every tick while it lives."""

    def tick(self) -> None:
        """Look after limits."""
        ...


class Loop:
    """Descriptors and their callbacks."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._control_fd = control.fileno()
        self._poll = select.poll()
        self._poll.register(self._control_fd, select.POLLIN)
        self._callbacks: dict[int, Callable[[], object]] = {}
        self._next_tick = 0.0
        self.ticking: set[Ticking] = set()
        self._parent = os.pidfd_open(os.getppid())
        self.watch(self._parent, self._gone)

    def _gone(self) -> None:
        raise ControllerGoneError

    def watch(self, fd: int, callback: Callable[[], object], *, write: bool = False) -> None:
        """Call `callback` whenever `fd` is readable (or, with `write`, writable) or hung up."""
        self._callbacks[fd] = callback
        self._poll.register(fd, select.POLLOUT if write else select.POLLIN)

    def forget(self, fd: int) -> None:
        """Stop watching `fd`; must come before it is closed."""
        if self._callbacks.pop(fd, None) is not None:
            self._poll.unregister(fd)

    def detach(self) -> None:
        """Heed the controller no more: it is gone, and what is left to do is done without it."""
        self._poll.unregister(self._control_fd)
        self.forget(self._parent)

    def idle(self) -> None:
        """Serve the programs until a frame from the controller is there to read."""
        while not self._turn(None):
            pass

    def turn(self, deadline: float) -> None:
        """Wait for one round of events, at most until `deadline` (monotonic seconds).

        Raises ControllerGoneError when the control socket closes meanwhile.
        """
        remaining = max(0.0, deadline - time.monotonic())
        if self._turn(int(remaining * 1000) + 1) and not self._control.recv(1, socket.MSG_PEEK):
            raise ControllerGoneError

    def until(self, done: Callable[[], bool], deadline: float) -> bool:
        """Serve until `done()` or the deadline; return the last `done()`."""
        while not done():
            if time.monotonic() >= deadline:
                return False
            self.turn(deadline)
        return True

    def _turn(self, timeout_ms: int | None) -> bool:
        control = False
        if self.ticking:
            due = max(0, int((self._next_tick - time.monotonic()) * 1000) + 1)
            timeout_ms = due if timeout_ms is None else min(timeout_ms, due)
        for fd, _ in self._poll.poll(timeout_ms):
            if fd == self._control_fd:
                control = True
            elif callback := self._callbacks.get(fd):
                callback()
        if self.ticking and time.monotonic() >= self._next_tick:
            self._next_tick = time.monotonic() + TICK_MS / 1000
            for item in list(self.ticking):
                item.tick()
        return control
