"""The hard tier: documents with revisions, batches that happen wholly or not at all, nested transactions.

A document's whole history is kept: revision n is the n-th entry, and a document whose last entry is a deletion is gone.
"""

from collections.abc import Mapping
from typing import Any

from .arguments import anything, array, integer, optional, required
from .document import NAME, PREFIX, Document, document_of, document_reader
from .errors import DomainError, InvalidArgsError
from .operation import Operation
from .store import Store

__all__ = ["HISTORIES", "REVISION", "Entry", "RevisionService", "operations"]

Entry = dict[str, Any]
"""One revision: `{"action": "create" | "update" | "delete", "document": the document, None for a deletion}`."""

HISTORIES = "histories"
REVISION = integer(1)
_ITEMS = array(anything, 1, 100)


def operations(family: Mapping[str, Operation]) -> dict[str, Operation]:
    """All operations of the tier."""
    return {**family, **RevisionService(family, Store({HISTORIES: {}})).operations()}


class RevisionService:
    """Documents with revisions in `store`."""

    def __init__(self, family: Mapping[str, Operation], store: Store) -> None:
        self._family = family
        self._read_document = document_reader(family)
        self.store = store
        self._changes = {
            "create": Operation(("name", "document"), self._check_create, self.create),
            "update": Operation(("name", "document", "if_revision"), self._check_update, self.update),
            "delete": Operation(("name", "if_revision"), self._check_delete, self.delete),
        }

    def operations(self) -> dict[str, Operation]:
        """The operations on documents."""
        return {
            **self._changes,
            "batch": Operation(("operations",), self._check_batch, self.batch),
            "get": Operation(("name",), self._check_name, self.get),
            "list": Operation(("prefix",), self._check_list, self.list),
            "evaluate": Operation(("name",), self._check_name, self.evaluate),
            "begin": Operation((), _check_nothing, self.begin),
            "commit": Operation((), _check_nothing, self.commit),
            "rollback": Operation((), _check_nothing, self.rollback),
        }

    def _check_name(self, args: dict[str, Any]) -> None:
        required(args, "name", NAME)

    def _check_create(self, args: dict[str, Any]) -> None:
        required(args, "name", NAME)
        required(args, "document", self._read_document)

    def _check_update(self, args: dict[str, Any]) -> None:
        self._check_create(args)
        optional(args, "if_revision", REVISION)

    def _check_delete(self, args: dict[str, Any]) -> None:
        self._check_name(args)
        optional(args, "if_revision", REVISION)

    def _check_batch(self, args: dict[str, Any]) -> None:
        required(args, "operations", _ITEMS)

    def _check_list(self, args: dict[str, Any]) -> None:
        optional(args, "prefix", PREFIX)

    def _history(self, name: str) -> list[Entry]:
        """All entries of a document, none if it never existed."""
        entries: list[Entry] = self.store.tables[HISTORIES].get(name, [])
        return entries

    def _exists(self, name: str) -> bool:
        entries = self._history(name)
        return bool(entries) and entries[-1]["action"] != "delete"

    def _live(self, name: str) -> list[Entry]:
        """The entries of a document that exists now."""
        if not self._exists(name):
            raise DomainError("not_found", f"there is no document {name!r}")
        return self._history(name)

    def _expected(self, args: dict[str, Any]) -> None:
        """Check that the document exists and is at the revision the request expects."""
        revision = len(self._live(args["name"]))
        if args.get("if_revision", revision) != revision:
            raise DomainError("conflict", f"the document is at revision {revision}", revision=revision)

    def _append(self, name: str, action: str, document: Document | None) -> object:
        entries = [*self._history(name), {"action": action, "document": document}]
        self.store.tables[HISTORIES][name] = entries
        return {"name": name, "revision": len(entries)}

    def create(self, args: dict[str, Any]) -> object:
        """Add a document under a free name."""
        if self._exists(args["name"]):
            raise DomainError("exists", f"there is already a document {args['name']!r}")
        return self._append(args["name"], "create", document_of(args))

    def update(self, args: dict[str, Any]) -> object:
        """Replace a document."""
        self._expected(args)
        return self._append(args["name"], "update", document_of(args))

    def delete(self, args: dict[str, Any]) -> object:
        """Remove a document, which uses up a revision."""
        self._expected(args)
        return self._append(args["name"], "delete", None)

    def get(self, args: dict[str, Any]) -> object:
        """Return a document."""
        entries = self._live(args["name"])
        return {"name": args["name"], "revision": len(entries), "document": entries[-1]["document"]}

    def _listed(self, prefix: str) -> list[dict[str, Any]]:
        """Name and revision of each document whose name begins with the prefix, by code point of the name."""
        names = sorted(name for name in self.store.tables[HISTORIES] if name.startswith(prefix) and self._exists(name))
        return [{"name": name, "revision": len(self._history(name))} for name in names]

    def list(self, args: dict[str, Any]) -> object:
        """Return the documents whose name begins with the prefix."""
        return {"documents": self._listed(args.get("prefix", ""))}

    def evaluate(self, args: dict[str, Any]) -> object:
        """Carry out a document's operation."""
        document = self._live(args["name"])[-1]["document"]
        return self._family[document["op"]].run(document["args"])

    def batch(self, args: dict[str, Any]) -> object:
        """Carry out all items in order, or none if one fails."""
        results = []
        self.store.begin()
        for index, item in enumerate(args["operations"]):
            try:
                results.append(self._change(item))
            except (InvalidArgsError, DomainError) as error:
                self.store.rollback()
                code = error.code if isinstance(error, DomainError) else "invalid_args"
                message = f"item {index}: {error.message}"
                raise DomainError("batch_failed", message, index=index, item_code=code) from None
        self.store.commit()
        return {"results": results}

    def _change(self, item: object) -> object:
        """Carry out one item of a batch."""
        if not isinstance(item, dict) or not isinstance(item.get("args"), dict):
            raise InvalidArgsError("an item must be an object with op and args")
        operation = self._changes.get(item["op"]) if isinstance(item.get("op"), str) else None
        if operation is None:
            raise InvalidArgsError("op must be create, update or delete")
        operation.check(item["args"])
        return operation.run(item["args"])

    def begin(self, _: dict[str, Any]) -> object:
        """Open a transaction."""
        self.store.begin()
        return {"depth": self.store.depth}

    def commit(self, _: dict[str, Any]) -> object:
        """Close the innermost transaction and keep its changes."""
        self.store.commit()
        return {"depth": self.store.depth}

    def rollback(self, _: dict[str, Any]) -> object:
        """Close the innermost transaction and undo its changes."""
        self.store.rollback()
        return {"depth": self.store.depth}


def _check_nothing(_: dict[str, Any]) -> None:
    """Begin, commit and rollback know no arguments."""
