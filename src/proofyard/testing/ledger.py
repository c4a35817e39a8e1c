"""What a scripted server was asked and what it answered."""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from proofyard.testing.script import Asked, Usage

__all__ = ["Entry", "Ledger", "masked"]

_SECRET: Final = ("authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie", "proxy-authorization")


@dataclass
class Entry:
    """One question. `call` is the id the client gave it (`x-client-request-id`); `headers` hold no key.

    status: 0 if the connection was reset. begun: the model's answer had begun, so that it would be billed. complete: all
    that was to be sent was sent. usage: what it would be billed for. answered: the server is done with it.
    """

    n: int
    wire: str
    path: str
    call: str
    model: str
    stream: bool
    fault: str
    authorized: bool
    headers: dict[str, str]
    body: dict[str, Any]
    status: int = -1
    begun: bool = False
    complete: bool = False
    usage: Usage | None = None
    answered: threading.Event = field(default_factory=threading.Event)


class Ledger:
    """Entries in order of arrival, kept also in a file if one is named."""

    def __init__(self, file: Path | None) -> None:
        self._entries: list[Entry] = []
        self._lock = threading.Lock()
        self._file = file

    def entries(self) -> list[Entry]:
        """Every entry up to now."""
        with self._lock:
            return list(self._entries)

    def open(self, asked: Asked, path: str, headers: dict[str, str], fault: str, authorized: bool) -> Entry:
        """Take a question down, before anything is sent."""
        with self._lock:
            entry = Entry(
                n=len(self._entries) + 1,
                wire=asked.wire,
                path=path,
                call=headers.get("x-client-request-id", ""),
                model=asked.model,
                stream=asked.stream,
                fault=fault,
                authorized=authorized,
                headers=headers,
                body=asked.body,
            )
            self._entries.append(entry)
            self._write("asked", entry)
        return entry

    def close(self, entry: Entry, *, status: int, begun: bool, complete: bool, usage: Usage | None) -> None:
        """Note what came of a question."""
        with self._lock:
            entry.status, entry.begun, entry.complete, entry.usage = status, begun, complete, usage
            self._write("answered", entry)
        entry.answered.set()

    def _write(self, kind: str, entry: Entry) -> None:
        if self._file is None:
            return
        shown = {name: value for name, value in vars(entry).items() if name not in {"answered", "body"}}
        if entry.usage:
            shown["usage"] = entry.usage._asdict()
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"kind": kind, **shown}) + "\n")


def masked(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers by lower-case name, the values of those that hold keys replaced."""
    return {name.lower(): "[masked]" if name.lower() in _SECRET else value for name, value in headers.items()}
