"""Tables in memory that can be taken back to an earlier state: what transactions and batches stand on."""

from typing import Any

from .errors import DomainError

__all__ = ["Store", "Tables"]

Tables = dict[str, dict[str, Any]]
"""Table name -> key -> value. Values are never changed in place, only replaced, so a shallow copy is a snapshot."""


class Store:
    """Named `tables` and a stack of `snapshots`, one for each open transaction."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.snapshots: list[Tables] = []

    @property
    def depth(self) -> int:
        """How many transactions are open."""
        return len(self.snapshots)

    def begin(self) -> None:
        """Open a transaction inside the present one."""
        self.snapshots.append({name: dict(table) for name, table in self.tables.items()})

    def commit(self) -> None:
        """Close the innermost transaction; its changes belong to the one around it."""
        self._close()

    def rollback(self) -> None:
        """Close the innermost transaction and undo its changes."""
        self.tables = self._close()

    def _close(self) -> Tables:
        if not self.snapshots:
            raise DomainError("no_transaction", "no transaction is open")
        return self.snapshots.pop()
