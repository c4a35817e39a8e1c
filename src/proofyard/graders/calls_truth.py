"""What a reference returns, measured once in a sandbox of its own and kept by content: in memory, and in the user's cache."""

import contextlib
import os
import platform
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from proofyard.core import Record, cache_folder, digest_of, sha256

__all__ = ["NoTruth", "TruthCache", "truth_key"]

_KEPT: Final = 64
"""Truths held in memory by one grader."""


class NoTruth(Exception):  # noqa: N818 - a finding about the task, not a fault of the program
    """The reference itself does not do what it should; the message says in one line what came."""


_Truth = TypeVar("_Truth", bound=Record)


def truth_key(named: dict[str, str]) -> str:
    """The name of a truth: SHA-256 of all that it depends on, with the interpreter and the machine."""
    here = {"python": platform.python_version(), "machine": f"{platform.machine()} {platform.node()}"}
    return digest_of({name: sha256(text.encode()) for name, text in {**named, **here}.items()})


class TruthCache:
    """Truths of one form by key. Safe to use from many threads: each truth is measured by one of them."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._held: OrderedDict[str, Record] = OrderedDict()
        self._measuring: dict[str, threading.Lock] = {}

    def get(self, key: str, form: type[_Truth], measure: Callable[[], _Truth]) -> _Truth:
        """Return the truth of that key, measured now if it is not known.

        Raises:
            NoTruth: there is none; nothing is kept then.
            InfrastructureError: of the sandbox.

        """
        with self._lock:
            busy = self._measuring.setdefault(key, threading.Lock())
        with busy:
            with self._lock:
                held = self._held.get(key)
            if isinstance(held, form):
                return held
            truth = self._read(key, form)
            if truth is None:
                truth = measure()
                self._write(key, truth)
            with self._lock:
                self._held[key] = truth
                while len(self._held) > _KEPT:
                    self._measuring.pop(self._held.popitem(last=False)[0], None)
            return truth

    def _path(self, key: str) -> Path:
        if self._folder is not None:
            return self._folder / f"{key}.json"
        return cache_folder() / "truths" / f"{key}.json"

    def _read(self, key: str, form: type[_Truth]) -> _Truth | None:
        try:
            return msgspec.json.decode(self._path(key).read_bytes(), type=form)
        except (OSError, msgspec.DecodeError):
            return None

    def _write(self, key: str, truth: Record) -> None:
        """Keep it for the next process; a cache that cannot be written costs time only."""
        path = self._path(key)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            fd, name = tempfile.mkstemp(dir=path.parent)
            with os.fdopen(fd, "wb") as stream:
                stream.write(msgspec.json.encode(truth))
            Path(name).replace(path)
