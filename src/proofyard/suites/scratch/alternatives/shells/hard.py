"""The service of tier hard: one table of documents, and one undo list in which batches and transactions are marks."""

import json
import sys
from typing import Any, NamedTuple, NoReturn

import family  # type: ignore[import-not-found]

Json = dict[str, Any]


class ServiceError(Exception):
    """An error that is the answer to a request: its code, a message and the extra fields."""

    def __init__(self, code: str, message: str, **extra: Any) -> None:
        super().__init__(message)
        self.code = code
        self.extra = extra

    def fields(self) -> Json:
        """The `error` of the response."""
        return {"code": self.code, "message": str(self), **self.extra}


class Version(NamedTuple):
    """What a name stands for: its last revision, and the document, None once it is deleted."""

    revision: int
    document: Json | None


_NEVER = Version(0, None)


class Table:
    """The versions by name. Every change is put on the undo list while a mark is set."""

    def __init__(self) -> None:
        self._versions: dict[str, Version] = {}
        self._undo: list[tuple[str, Version]] = []
        self._marks: list[int] = []

    @property
    def depth(self) -> int:
        """How many marks are set."""
        return len(self._marks)

    def read(self, name: str) -> Version:
        """What a name stands for now, revision 0 if it never was a document."""
        return self._versions.get(name, _NEVER)

    def write(self, name: str, document: Json | None) -> int:
        """Makes the next revision of a name and returns its number."""
        old = self.read(name)
        if self._marks:
            self._undo.append((name, old))
        self._versions[name] = Version(old.revision + 1, document)
        return old.revision + 1

    def living(self, prefix: str) -> list[tuple[str, int]]:
        """Names and revisions of the documents there are, ordered by name."""
        return sorted(
            (name, version.revision)
            for name, version in self._versions.items()
            if version.document is not None and name.startswith(prefix)
        )

    def mark(self) -> None:
        """Sets a mark to which `undo` goes back."""
        self._marks.append(len(self._undo))

    def keep(self) -> None:
        """Removes the last mark; what was done since belongs to the mark before it, if there is one."""
        self._marks.pop()
        if not self._marks:
            self._undo.clear()

    def undo(self) -> None:
        """Goes back to the last mark and removes it."""
        start = self._marks.pop()
        for name, old in reversed(self._undo[start:]):
            if old is _NEVER:
                del self._versions[name]
            else:
                self._versions[name] = old
        del self._undo[start:]


class Service:
    """Carries out operations; each method `do_...` is one on documents, with its arguments unchecked."""

    def __init__(self) -> None:
        self._table = Table()

    def call(self, op: str, args: Json) -> Any:
        """The result of an operation."""
        if op in family.OPS:
            require(family.check(op, args), f"an argument of {op} is missing or wrong")
            return run_family(op, args)
        method = getattr(self, f"do_{op}", None)
        if method is None:
            raise ServiceError("unknown_op", f"there is no operation {op!r}")
        return method(args)

    def do_create(self, args: Json) -> Json:
        """Adds a document."""
        name, document = name_in(args), document_in(args)
        if self._table.read(name).document is not None:
            raise ServiceError("exists", f"there is already a document {name!r}")
        return {"name": name, "revision": self._table.write(name, document)}

    def do_update(self, args: Json) -> Json:
        """Replaces a document."""
        name, document, expected = name_in(args), document_in(args), expected_in(args)
        self._current(name, expected)
        return {"name": name, "revision": self._table.write(name, document)}

    def do_delete(self, args: Json) -> Json:
        """Removes a document."""
        name, expected = name_in(args), expected_in(args)
        self._current(name, expected)
        return {"name": name, "revision": self._table.write(name, None)}

    def do_get(self, args: Json) -> Json:
        """Returns a document."""
        name = name_in(args)
        document = self._current(name, None)
        return {"name": name, "revision": self._table.read(name).revision, "document": document}

    def do_evaluate(self, args: Json) -> Any:
        """Carries out what a document holds."""
        document = self._current(name_in(args), None)
        return run_family(document["op"], document["args"])

    def do_list(self, args: Json) -> Json:
        """Lists the documents there are."""
        prefix = args.get("prefix", "")
        require(isinstance(prefix, str) and len(prefix) <= 128, "prefix must be a string of 0 to 128 code points")
        return {"documents": [{"name": name, "revision": at} for name, at in self._table.living(prefix)]}

    def do_batch(self, args: Json) -> Json:
        """Carries out several changes, or none."""
        items = args.get("operations")
        require(isinstance(items, list) and 1 <= len(items) <= 100, "operations must be an array of 1 to 100 items")
        results = []
        self._table.mark()
        for index, item in enumerate(items or ()):
            try:
                results.append(self._item(item))
            except ServiceError as error:
                self._table.undo()
                message = f"item {index}: {error}"
                raise ServiceError("batch_failed", message, index=index, item_code=error.code) from error
        self._table.keep()
        return {"results": results}

    def do_begin(self, _args: Json) -> Json:
        """Opens a transaction."""
        self._table.mark()
        return {"depth": self._table.depth}

    def do_commit(self, _args: Json) -> Json:
        """Keeps the changes of the innermost transaction."""
        self._inside()
        self._table.keep()
        return {"depth": self._table.depth}

    def do_rollback(self, _args: Json) -> Json:
        """Undoes the changes of the innermost transaction."""
        self._inside()
        self._table.undo()
        return {"depth": self._table.depth}

    def _item(self, item: Any) -> Json:
        """Carries out one item of a batch."""
        methods = {"create": self.do_create, "update": self.do_update, "delete": self.do_delete}
        op, args = (item.get("op"), item.get("args")) if isinstance(item, dict) else (None, None)
        if not isinstance(op, str) or op not in methods or not isinstance(args, dict):
            raise ServiceError("invalid_args", "an item is a create, update or delete with its args")
        return methods[op](args)

    def _current(self, name: str, expected: int | None) -> Json:
        """The document of a name, which must be there, and at the expected revision if there is one."""
        revision, document = self._table.read(name)
        if document is None:
            raise ServiceError("not_found", f"there is no document {name!r}")
        if expected is not None and expected != revision:
            raise ServiceError("conflict", f"the document is at revision {revision}", revision=revision)
        return document

    def _inside(self) -> None:
        """Raises if no transaction is open."""
        if not self._table.depth:
            raise ServiceError("no_transaction", "no transaction is open")


def require(right: bool, message: str) -> None:
    """Raises `invalid_args` if an argument is not right."""
    if not right:
        raise ServiceError("invalid_args", message)


def is_integer(value: Any) -> bool:
    """Whether a JSON value is an integer."""
    return isinstance(value, int) and not isinstance(value, bool)


def name_in(args: Json) -> str:
    """The argument `name`."""
    name = args.get("name")
    if not isinstance(name, str) or not 1 <= len(name) <= 128:
        raise ServiceError("invalid_args", "name must be a string of 1 to 128 code points")
    return name


def document_in(args: Json) -> Json:
    """The argument `document`, without its unknown keys."""
    document = args.get("document")
    if not isinstance(document, dict):
        raise ServiceError("invalid_args", "document must be an object")
    op, inner = document.get("op"), document.get("args")
    require(isinstance(op, str) and op in family.OPS, "op of the document is not one of the operations")
    require(isinstance(inner, dict) and family.check(op, inner), "args of the document are not right")
    return {"op": op, "args": inner}


def expected_in(args: Json) -> int | None:
    """The argument `if_revision`, None if it was left out."""
    if "if_revision" not in args:
        return None
    expected = args["if_revision"]
    require(is_integer(expected) and expected >= 1, "if_revision must be an integer, at least 1")
    return int(expected)


def run_family(op: str, args: Json) -> Any:
    """The result of an operation of the family with checked arguments."""
    try:
        return family.run(op, args)
    except family.Refused as refused:
        raise ServiceError(refused.code, f"{op}: {refused.code}", **refused.extra) from refused


def refuse_constant(name: str) -> NoReturn:
    """Refuses `NaN` and `Infinity`, which are no JSON."""
    raise ValueError(name)


def respond(line: bytes, service: Service) -> Json:
    """The response to a line."""
    ident: str | int | None = None
    try:
        try:
            request = json.loads(line.decode("utf-8"), parse_constant=refuse_constant)
        except (ValueError, RecursionError) as wrong:
            raise ServiceError("bad_json", "the line is not JSON") from wrong
        if not isinstance(request, dict):
            raise ServiceError("bad_request", "a request is an object")
        sent, op, args = request.get("id"), request.get("op"), request.get("args", {})
        if not isinstance(sent, str) and not is_integer(sent):
            raise ServiceError("bad_request", "id must be a string or an integer")
        ident = sent
        if not isinstance(op, str) or not isinstance(args, dict):
            raise ServiceError("bad_request", "op must be a string, args an object")
        return {"id": ident, "ok": True, "result": service.call(op, args)}
    except ServiceError as error:
        return {"id": ident, "ok": False, "error": error.fields()}


def main() -> int:
    """Answers every line of standard input."""
    sys.set_int_max_str_digits(0)
    service = Service()
    while line := sys.stdin.buffer.readline():
        if line.strip(b" \t\r\n"):
            sys.stdout.write(json.dumps(respond(line, service)) + "\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
