"""The service of tier max: all state is what a list of events makes of it, and a log keeps the events.

Events are applied when they happen, kept in `pending` while a transaction is open, and taken back from its end to undo
something. What is pending outside of any transaction goes to the log as one record, before the response is written.
"""

import bisect
import hashlib
import json
import math
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import family  # type: ignore[import-not-found]

Json = dict[str, Any]
Check = Callable[[Any], bool]

# An event is `[action, name, document]`, without document for a deletion, or `["key", key, payload, result]`.
Event = list[Any]

_SEGMENT = 16 << 20  # The size in bytes from which the log goes on in a new file.
_TAG = 32  # How many characters at the beginning of a cursor say what it belongs to.


class RequestError(Exception):
    """An error that answers a request: its code, a message and the extra fields."""

    def __init__(self, code: str, message: str, **extra: Any) -> None:
        super().__init__(message)
        self.code = code
        self.error: Json = {"code": code, "message": message, **extra}


class Log:
    """Records in numbered files; each record is a line: a checksum, a space and JSON without line feeds."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = 1
        self._file: int | None = None
        self._size = 0

    def records(self) -> Iterator[Any]:
        """All whole records, the oldest first; what a write that was cut short has left at the end is cut off."""
        for path in sorted(self._folder.glob("log-*")):
            content = path.read_bytes()
            start = 0
            while (end := content.find(b"\n", start)) >= 0:
                checksum, _, text = content[start:end].partition(b" ")
                if checksum != b"%08x" % zlib.crc32(text):
                    break
                yield json.loads(text.decode("utf-8", "surrogatepass"))
                start = end + 1
            if start < len(content):
                os.truncate(path, start)
            self._number, self._size = int(path.name.removeprefix("log-")), start

    def append(self, record: Any) -> None:
        """Writes a record. When this returns, no kill can lose it; there is no fsync, as power is never lost."""
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        rest = memoryview(b"%08x %s\n" % (zlib.crc32(text), text))
        file = self._open()
        while rest:
            written = os.write(file, rest)
            self._size += written
            rest = rest[written:]

    def _open(self) -> int:
        """The file to write to, a new one if the last is long enough."""
        if self._size >= _SEGMENT:
            if self._file is not None:
                os.close(self._file)
            self._file, self._number, self._size = None, self._number + 1, 0
        if self._file is None:
            path = self._folder / f"log-{self._number:06}"
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        return self._file


class State:
    """Documents, keys and transactions."""

    def __init__(self, log: Log) -> None:
        # By name: for each revision its action and the document, None for a deletion.
        self.histories: dict[str, list[tuple[str, Json | None]]] = {}
        # By key: the payload and the result.
        self.keys: dict[str, tuple[str, Any]] = {}
        # For each open transaction, the innermost last, the mark of its beginning.
        self.begun: list[int] = []
        self._log = log
        self._pending: list[Event] = []
        for record in log.records():
            for event in record:
                self._apply(event)

    def add(self, *event: Any) -> None:
        """Makes an event happen."""
        self._apply(list(event))
        self._pending.append(list(event))

    def mark(self) -> int:
        """The place to which `rewind` goes back."""
        return len(self._pending)

    def rewind(self, mark: int) -> None:
        """Takes back all events since a mark, the last first."""
        while len(self._pending) > mark:
            kind, subject, *_ = self._pending.pop()
            if kind == "key":
                del self.keys[subject]
                continue
            self.histories[subject].pop()
            if not self.histories[subject]:
                del self.histories[subject]

    def settle(self) -> None:
        """Makes durable what happened, unless a transaction is open."""
        if self._pending and not self.begun:
            self._log.append(self._pending)
            self._pending = []

    def current(self, name: str) -> Json:
        """The document of a name, which must be there."""
        history = self.histories.get(name)
        document = history[-1][1] if history else None
        if document is None:
            raise RequestError("not_found", f"there is no document {name!r}")
        return document

    def _apply(self, event: Event) -> None:
        """Does to the tables what an event says."""
        kind, subject, *rest = event
        if kind == "key":
            self.keys[subject] = (rest[0], rest[1])
        else:
            self.histories.setdefault(subject, []).append((kind, rest[0] if rest else None))


def write(state: State, op: str, args: Json) -> Json:
    """Carries out a `create`, `update` or `delete` whose arguments were checked."""
    name = args["name"]
    history = state.histories.get(name, [])
    if op == "create":
        if history and history[-1][1] is not None:
            raise RequestError("exists", f"there is already a document {name!r}")
    else:
        state.current(name)
        if args.get("if_revision", len(history)) != len(history):
            raise RequestError("conflict", f"the document is at revision {len(history)}", revision=len(history))
    if op == "delete":
        state.add(op, name)
    else:
        state.add(op, name, {key: args["document"][key] for key in ("op", "args")})
    return {"name": name, "revision": len(state.histories[name])}


def batch(state: State, _op: str, args: Json) -> Json:
    """Carries out the items of a batch in turn; what a failed one leaves is taken back by `change`."""
    results = []
    for index, item in enumerate(args["operations"]):
        try:
            results.append(write(state, *item_of(item)))
        except RequestError as error:
            message = f"item {index}: {error}"
            raise RequestError("batch_failed", message, index=index, item_code=error.code) from error
    return {"results": results}


def item_of(item: Any) -> tuple[str, Json]:
    """The operation and the checked arguments of an item of a batch."""
    op, args = (item.get("op"), item.get("args")) if isinstance(item, dict) else (None, None)
    if not isinstance(op, str) or op not in {"create", "update", "delete"} or not isinstance(args, dict):
        raise RequestError("invalid_args", "an item is a create, update or delete with its args")
    args = {name: value for name, value in args.items() if name != "idempotency_key"}
    check(op, args)
    return op, args


def change(state: State, op: str, args: Json) -> Json:
    """Carries out an operation that changes documents, wholly or not at all, and only once for a key."""
    key = args.get("idempotency_key")
    payload = payload_of(op, args)
    if key in state.keys:
        known, result = state.keys[key]
        if known != payload:
            raise RequestError("key_reuse", f"the key {key!r} belongs to another request")
        return dict(result)
    mark = state.mark()
    try:
        result = CHANGES[op](state, op, args)
    except RequestError:
        state.rewind(mark)
        raise
    if key is not None:
        state.add("key", key, payload, result)
    state.settle()
    return result


def payload_of(op: str, args: Json) -> str:
    """A digest in which any two different payloads differ."""
    known = {name: args[name] for name in ARGUMENTS[op] if name in args and name != "idempotency_key"}
    return hashlib.sha256(json.dumps([op, known], sort_keys=True).encode("ascii")).hexdigest()


def get(state: State, args: Json) -> Json:
    """Returns a document as it is or was."""
    name, history = args["name"], state.histories.get(args["name"], [])
    if "revision" not in args:
        return {"name": name, "revision": len(history), "document": state.current(name)}
    revision = args["revision"]
    document = history[revision - 1][1] if revision <= len(history) else None
    if document is None:
        raise RequestError("not_found", f"there is no revision {revision} of a document {name!r}")
    return {"name": name, "revision": revision, "document": document}


def list_documents(state: State, args: Json) -> Json:
    """A page of the documents there are."""
    prefix = args.get("prefix", "")
    after = opened("list", prefix, args)
    names = sorted(
        name for name, history in state.histories.items() if name.startswith(prefix) and history[-1][1] is not None
    )
    start = 0 if after is None else bisect.bisect_right(names, after)
    page = names[start : start + args.get("limit", 50)]
    left = start + len(page) < len(names)
    return {
        "documents": [{"name": name, "revision": len(state.histories[name])} for name in page],
        "next_cursor": cursor_of("list", prefix, page[-1]) if left else None,
    }


def history_of(state: State, args: Json) -> Json:
    """A page of the revisions of a document."""
    name = args["name"]
    start = int(opened("history", name, args) or 0)
    history = state.histories.get(name)
    if history is None:
        raise RequestError("not_found", f"there never was a document {name!r}")
    end = min(start + args.get("limit", 50), len(history))
    return {
        "revisions": [{"revision": at + 1, "action": history[at][0]} for at in range(start, end)],
        "next_cursor": cursor_of("history", name, str(end)) if end < len(history) else None,
    }


def cursor_of(op: str, subject: str, last: str) -> str:
    """A cursor after an item: a tag over all that it belongs to, then the item."""
    return hashlib.sha256(json.dumps([op, subject, last]).encode("ascii")).hexdigest()[:_TAG] + last


def opened(op: str, subject: str, args: Json) -> str | None:
    """The item in the cursor of a request, None without a cursor."""
    if "cursor" not in args:
        return None
    last: str = args["cursor"][_TAG:]
    if args["cursor"] != cursor_of(op, subject, last):
        raise RequestError("invalid_args", "cursor was not given for this listing")
    return last


def transact(state: State, op: str) -> Json:
    """Opens a transaction, or closes the innermost one."""
    if op == "begin":
        state.begun.append(state.mark())
    elif not state.begun:
        raise RequestError("no_transaction", "no transaction is open")
    else:
        start = state.begun.pop()
        if op == "rollback":
            state.rewind(start)
        state.settle()
    return {"depth": len(state.begun)}


def string(least: int, most: int) -> Check:
    """A check for strings of `least` to `most` code points."""
    return lambda value: isinstance(value, str) and least <= len(value) <= most


def integer(most: float) -> Check:
    """A check for integers of 1 to `most`."""
    return lambda value: isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def is_document(value: Any) -> bool:
    """Whether a value holds an operation of the family and valid arguments for it."""
    op, args = (value.get("op"), value.get("args")) if isinstance(value, dict) else (None, None)
    return isinstance(op, str) and op in family.OPS and isinstance(args, dict) and bool(family.check(op, args))


NAME, KEY = string(1, 128), {"idempotency_key": string(1, 128)}
NEEDED = {"name", "document", "operations"}
ARGUMENTS: dict[str, dict[str, Check]] = {
    "create": {"name": NAME, "document": is_document, **KEY},
    "update": {"name": NAME, "document": is_document, "if_revision": integer(math.inf), **KEY},
    "delete": {"name": NAME, "if_revision": integer(math.inf), **KEY},
    "batch": {"operations": lambda value: isinstance(value, list) and 1 <= len(value) <= 100, **KEY},
    "get": {"name": NAME, "revision": integer(math.inf)},
    "evaluate": {"name": NAME},
    "list": {"prefix": string(0, 128), "limit": integer(100), "cursor": string(1, sys.maxsize)},
    "history": {"name": NAME, "limit": integer(100), "cursor": string(1, sys.maxsize)},
    "begin": {},
    "commit": {},
    "rollback": {},
}
CHANGES = {"create": write, "update": write, "delete": write, "batch": batch}
OTHERS: dict[str, Callable[[State, Json], Any]] = {
    "get": get,
    "evaluate": lambda state, args: compute(**state.current(args["name"])),
    "list": list_documents,
    "history": history_of,
    "begin": lambda state, _: transact(state, "begin"),
    "commit": lambda state, _: transact(state, "commit"),
    "rollback": lambda state, _: transact(state, "rollback"),
}


def check(op: str, args: Json) -> None:
    """Raises `invalid_args` unless the arguments of an operation on documents are right."""
    for name, accepts in ARGUMENTS[op].items():
        if name in args and not accepts(args[name]):
            raise RequestError("invalid_args", f"{name} has the wrong type or range")
        if name not in args and name in NEEDED:
            raise RequestError("invalid_args", f"{name} is missing")


def compute(op: str, args: Json) -> Any:
    """The result of an operation of the family with checked arguments."""
    try:
        return family.run(op, args)
    except family.Refused as refused:
        raise RequestError(refused.code, f"{op}: {refused.code}", **refused.extra) from refused


def call(state: State, op: str, args: Json) -> Any:
    """The result of an operation."""
    if op in family.OPS:
        if not family.check(op, args):
            raise RequestError("invalid_args", f"an argument of {op} is missing or wrong")
        return compute(op, args)
    if op not in ARGUMENTS:
        raise RequestError("unknown_op", f"there is no operation {op!r}")
    check(op, args)
    return change(state, op, args) if op in CHANGES else OTHERS[op](state, args)


def respond(state: State, line: bytes) -> Json:
    """The response to a line."""
    ident: str | int | None = None
    try:
        request = parse(line)
        sent = request.get("id")
        if not isinstance(sent, str | int) or isinstance(sent, bool):
            raise RequestError("bad_request", "id must be a string or an integer")
        ident = sent
        op, args = request.get("op"), request.get("args", {})
        if not isinstance(op, str) or not isinstance(args, dict):
            raise RequestError("bad_request", "op must be a string, args an object")
        return {"id": ident, "ok": True, "result": call(state, op, args)}
    except RequestError as error:
        return {"id": ident, "ok": False, "error": error.error}


def parse(line: bytes) -> Json:
    """The request in a line, which must be an object."""
    try:
        request = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as wrong:
        raise RequestError("bad_json", "the line is not JSON") from wrong
    if not isinstance(request, dict):
        raise RequestError("bad_request", "a request is an object")
    return request


def _no_constant(name: str) -> NoReturn:
    """Refuses `NaN` and `Infinity`."""
    raise ValueError(name)


def main() -> int:
    """Answers every line of standard input."""
    sys.set_int_max_str_digits(0)
    state = State(Log(Path(sys.argv[2])))
    for line in iter(sys.stdin.buffer.readline, b""):
        if line.strip(b" \t\r\n"):
            sys.stdout.buffer.write(json.dumps(respond(state, line)).encode("ascii") + b"\n")
            sys.stdout.buffer.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
