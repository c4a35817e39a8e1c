"""A program started in a container that is there already: the engine's `exec`, whose exit code is the program's."""

from typing import Final, Protocol

from proofyard.core import Failure, InfrastructureError, KillPoint, Reply, UsageError
from proofyard.sandbox.container.process import ContainerProcess, Report, Watcher

__all__ = ["Execution", "Holder"]

_KILLED: Final = 137
"""What the engine's command ends with when the program was ended by SIGKILL."""


class Holder(Watcher, Protocol):
    """The sandbox, as programs in its container need it."""

    def is_running(self) -> bool:
        """Whether the container is running."""
        ...


class Execution(ContainerProcess):
    """One of the programs in a container. When it goes over a limit all of the container is killed."""

    coming_up_s = 0.0
    _watcher: Holder

    def exchange(self, request: bytes, wall_ms: int, kill_at: KillPoint | None = None, *, torn: bool = False) -> Reply:
        """Send one line and wait for one line back. A container has no kill points."""
        if kill_at is not None or torn:
            raise UsageError("a container has no kill points")
        return super().exchange(request, wall_ms)

    def _end(self) -> bool:
        """Have the program ended, and its exit code; whether it is known to be dead if it had to be killed."""
        if self.wall_us:
            return True
        gone = self._fault is None or self._watcher.remove()
        self._drain(gone)
        code, _ = self._stop()
        self._note_wall()
        if not gone:
            raise InfrastructureError(Failure(code="kill_unconfirmed", message="a container may still be running"))
        if self._fault is None:
            self._told(code)
        return gone

    def _told(self, code: int) -> None:
        """Take the exit code for the program's, unless its container is gone: then it is none."""
        alive = code == 0 or self._watcher.is_running()
        if code == _KILLED and self._watcher.was_out_of_memory():
            self._fault = "oom"
        elif not alive:
            self._fault = "killed"
            return
        self.report = Report(code=code, signal=None, cpu_us=0, peak=0)

    def _hear(self) -> None:
        """Nobody reports here."""

    def _stderr(self) -> bytes:
        return bytes(self._err)
