"""What a worker process holds for a run while it works on its jobs: the sandbox provider, and the call to stop."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from proofyard.core import Failure, InfrastructureError, Provider
from proofyard.engine.modelling import Models
from proofyard.engine.orders import Site

__all__ = ["WorkSite", "at", "close"]

_sites: dict[str, "WorkSite"] = {}
_guard = threading.Lock()


class WorkSite:
    """One run in one worker process. The provider is made when the first sandbox is wanted."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.stopped = threading.Event()
        self.models = Models(site, self.stopped.is_set)
        self._provider: Provider | None = None
        self._changed = threading.Condition()
        self._busy = 0

    def provider(self) -> Provider:
        """Return the sandbox provider of this process. Raises InfrastructureError if the run was stopped."""
        with self._changed:
            if self.stopped.is_set():
                raise InfrastructureError(Failure(code="sandbox_lost", message="the run was stopped"))
            if self._provider is None:
                from proofyard.sandbox import LocalProvider

                self._provider = LocalProvider(unsafe=self.site.unsafe, slots=self.site.slots)
            return self._provider

    @contextmanager
    def working(self) -> Iterator[None]:
        """Count a job under way."""
        with self._changed:
            self._busy += 1
        try:
            yield
        finally:
            with self._changed:
                self._busy -= 1
                self._changed.notify_all()

    def close(self, patience_s: float) -> bool:
        """Stop: meters say so, every sandbox dies, jobs under way get `patience_s` to end. Whether all did."""
        deadline = time.monotonic() + patience_s
        with self._changed:
            self.stopped.set()
            provider, self._provider = self._provider, None
        if provider is not None:
            # A sandbox that is at work closes when it is done with that; it dies with this process at the latest.
            closer = threading.Thread(target=provider.close, name="proofyard-close", daemon=True)
            closer.start()
            closer.join(patience_s)
        self.models.close()
        with self._changed:
            while self._busy:
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left)
        return True


def at(site: Site) -> WorkSite:
    """Return this process's site of a run, made when first asked for."""
    with _guard:
        found = _sites.get(site.run)
        if found is None:
            found = _sites[site.run] = WorkSite(site)
        return found


def close(run: str, patience_s: float) -> bool:
    """Close the site of a run in this process; whether no job of it is under way any more."""
    with _guard:
        found = _sites.pop(run, None)
    return found is None or found.close(patience_s)
