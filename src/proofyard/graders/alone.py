"""Work side by side, and now and then one piece alone."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["Turnstile"]

_Found = TypeVar("_Found")


class Turnstile:
    """Lets any number of threads through together, or one by itself, which goes before those that wait."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._together = 0
        self._alone = False
        self._asking = 0

    @contextmanager
    def together(self) -> Iterator[None]:
        """Hold a place beside others; waits while somebody is alone or asks to be."""
        with self._changed:
            self._changed.wait_for(lambda: not self._alone and not self._asking)
            self._together += 1
        try:
            yield
        finally:
            with self._changed:
                self._together -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the only place; waits until all others have left."""
        with self._changed:
            self._asking += 1
            try:
                self._changed.wait_for(lambda: not self._alone and not self._together)
                self._alone = True
            finally:
                self._asking -= 1
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._changed.notify_all()

    def once_more_alone(self, work: Callable[[], _Found], again: Callable[[_Found], bool]) -> tuple[_Found, bool]:
        """Do the work beside others and, if `again` says so of what came of it, once more alone.

        Return what came of it last, and whether it was done twice.
        """
        with self.together():
            found = work()
        if not again(found):
            return found, False
        with self.alone():
            return work(), True
