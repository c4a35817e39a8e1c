"""The intermediate tier: named documents, each an operation of the family with its arguments."""

from collections.abc import Mapping
from typing import Any

from .arguments import optional, required
from .document import NAME, PREFIX, Document, document_of, document_reader
from .errors import DomainError
from .operation import Operation

__all__ = ["DocumentService", "operations"]


def operations(family: Mapping[str, Operation]) -> dict[str, Operation]:
    """All operations of the tier."""
    return {**family, **DocumentService(family).operations()}


class DocumentService:
    """Documents in memory, without revisions: `documents` by name."""

    def __init__(self, family: Mapping[str, Operation]) -> None:
        self._family = family
        self._read_document = document_reader(family)
        self.documents: dict[str, Document] = {}

    def operations(self) -> dict[str, Operation]:
        """The operations on documents."""
        return {
            "create": Operation(("name", "document"), self._check_write, self.create),
            "get": Operation(("name",), self._check_name, self.get),
            "update": Operation(("name", "document"), self._check_write, self.update),
            "delete": Operation(("name",), self._check_name, self.delete),
            "list": Operation(("prefix",), self._check_list, self.list),
            "evaluate": Operation(("name",), self._check_name, self.evaluate),
        }

    def _check_name(self, args: dict[str, Any]) -> None:
        required(args, "name", NAME)

    def _check_write(self, args: dict[str, Any]) -> None:
        required(args, "name", NAME)
        required(args, "document", self._read_document)

    def _check_list(self, args: dict[str, Any]) -> None:
        optional(args, "prefix", PREFIX)

    def _find(self, name: str) -> Document:
        if name not in self.documents:
            raise DomainError("not_found", f"there is no document {name!r}")
        return self.documents[name]

    def create(self, args: dict[str, Any]) -> object:
        """Add a document under a free name."""
        if args["name"] in self.documents:
            raise DomainError("exists", f"there is already a document {args['name']!r}")
        return self._put(args)

    def update(self, args: dict[str, Any]) -> object:
        """Replace a document."""
        self._find(args["name"])
        return self._put(args)

    def _put(self, args: dict[str, Any]) -> object:
        self.documents[args["name"]] = document_of(args)
        return {"name": args["name"]}

    def delete(self, args: dict[str, Any]) -> object:
        """Remove a document."""
        self._find(args["name"])
        del self.documents[args["name"]]
        return {"name": args["name"]}

    def get(self, args: dict[str, Any]) -> object:
        """Return a document."""
        return {"name": args["name"], "document": self._find(args["name"])}

    def list(self, args: dict[str, Any]) -> object:
        """Return the names that begin with the prefix, by code point."""
        prefix = args.get("prefix", "")
        return {"documents": [{"name": name} for name in sorted(self.documents) if name.startswith(prefix)]}

    def evaluate(self, args: dict[str, Any]) -> object:
        """Carry out a document's operation."""
        document = self._find(args["name"])
        return self._family[document["op"]].run(document["args"])
