"""The program in this process: how expected responses are computed, kills and restarts included."""

import json
from hashlib import sha256
from typing import Any

import msgspec

from proofyard.suites.scratch.family import Family
from proofyard.suites.scratch.program.documents import DocumentService
from proofyard.suites.scratch.program.durable import DurableService
from proofyard.suites.scratch.program.envelope import answer
from proofyard.suites.scratch.program.files import StateFile
from proofyard.suites.scratch.program.operation import Operation
from proofyard.suites.scratch.program.revisions import HISTORIES, RevisionService
from proofyard.suites.scratch.program.store import Store, Tables
from proofyard.suites.scratch.tiers import Tier

__all__ = ["Disk", "Machine", "canonical"]


class Disk(StateFile):
    """A state folder in memory. Values in tables are never changed in place, so a shallow copy is what a file would hold."""

    def __init__(self, tables: Tables | None = None) -> None:
        super().__init__("")
        self.tables = tables

    def load(self) -> Tables | None:
        """Return the tables stored last."""
        return None if self.tables is None else _copy(self.tables)

    def save(self, tables: Tables) -> None:
        """Store the tables."""
        self.tables = _copy(tables)


class Machine:
    """One run of a tier's program for a family on a disk. `start` again is a restart: what is not on disk is lost."""

    def __init__(self, tier: Tier, family: Family, disk: Tables | None = None) -> None:
        self._tier = tier
        self._family = family
        self.disk = Disk(disk)
        self._texts: dict[int, tuple[object, str]] = {}
        self._last: list[Tables] = []
        self._digest = b""
        self.start()

    def start(self) -> None:
        """Begin a new process."""
        self._service = self._new_service()
        table: dict[str, Operation] = self._service.operations() if self._service else {}
        self._operations = {**self._family.program.OPERATIONS, **table}

    def _new_service(self) -> DocumentService | RevisionService | None:
        operations = self._family.program.OPERATIONS
        if self._tier.durable:
            return DurableService(operations, self.disk)
        if self._tier.name == "hard":
            return RevisionService(operations, Store({HISTORIES: {}}))
        return DocumentService(operations) if self._tier.name == "intermediate" else None

    def respond(self, line: bytes) -> dict[str, Any]:
        """The response to a line, as it would be read back from its JSON."""
        response: dict[str, Any] = json.loads(json.dumps(answer(line, self._operations), allow_nan=False))
        return response

    def state(self) -> bytes:
        """A digest of all that later responses depend on: equal states, equal digests."""
        if isinstance(self._service, RevisionService):
            store = self._service.store
            now = [store.tables, *store.snapshots, self.disk.tables or {}]
        else:
            now = [{"documents": self._service.documents if self._service else {}}]
        if now != self._last:
            # Values are the very same objects unless replaced, so that this comparison costs next to nothing.
            self._last = [_copy(tables) for tables in now]
            self._digest = sha256(canonical([self._described(tables) for tables in now])).digest()
        return self._digest

    def _described(self, tables: Tables) -> dict[str, dict[str, str]]:
        """The tables with a digest of each value, worked out once; keeping the value keeps its `id` its own."""
        known = self._texts
        for table in tables.values():
            for value in table.values():
                if id(value) not in known:
                    known[id(value)] = (value, sha256(canonical(value)).hexdigest())
        return {name: {key: known[id(value)][1] for key, value in table.items()} for name, table in tables.items()}


def canonical(value: object) -> bytes:
    """JSON values as bytes: the same for equal ones whatever the order of their keys, others for others."""
    try:
        return msgspec.json.encode(value, order="sorted")
    except UnicodeEncodeError:  # half a surrogate pair
        return b"\0" + json.dumps(value, sort_keys=True, default=bytes.hex).encode()


def _copy(tables: Tables) -> Tables:
    return {name: dict(table) for name, table in tables.items()}
