"""A document: one operation of the family with its arguments, under a name."""

from collections.abc import Mapping
from typing import Any

from .arguments import Reader, anything, enum, mapping, string, structure
from .operation import Operation

__all__ = ["NAME", "PREFIX", "Document", "document_of", "document_reader"]

Document = dict[str, Any]
"""`{"op": name of a family operation, "args": its arguments}`."""

NAME = string(1, 128)
PREFIX = string(high=128)


def document_reader(family: Mapping[str, Operation]) -> Reader:
    """A reader of documents whose arguments pass the check of their operation; it only checks."""
    shape = structure({"op": enum(*family), "args": mapping(anything)})

    def read(value: object, where: str) -> None:
        document = shape(value, where)
        family[document["op"]].check(document["args"])

    return read


def document_of(args: dict[str, Any]) -> Document:
    """The document in the arguments of a write: `args` as it was sent, other keys dropped."""
    return {"op": args["document"]["op"], "args": args["document"]["args"]}
