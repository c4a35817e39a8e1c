"""The service of tier intermediate: operations on documents are rows of a table, and a response is a plain value."""

import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

import family  # type: ignore[import-not-found]

Json = dict[str, Any]
Documents = dict[str, Json]


class Argument(NamedTuple):
    """An argument of an operation on documents."""

    name: str
    accepts: Callable[[Any], bool]
    needed: bool = True


class Operation(NamedTuple):
    """An operation on documents: what it takes, and what it does with the documents."""

    arguments: tuple[Argument, ...]
    action: Callable[[Documents, Json], Json]


def main() -> int:
    """Answers every line of standard input, with the documents in a dictionary."""
    sys.set_int_max_str_digits(0)
    decoder = json.JSONDecoder(parse_constant=refuse_constant)
    documents: Documents = {}
    for line in sys.stdin.buffer:
        if not line.strip(b" \t\r\n"):
            continue
        try:
            request = decoder.decode(line.decode("utf-8"))
        except (ValueError, RecursionError):
            response = {"id": None, **failure("bad_json", "the line is not JSON")}
        else:
            response = respond(request, documents)
        print(json.dumps(response), flush=True)
    return 0


def refuse_constant(name: str) -> NoReturn:
    """Takes `NaN` and its like for what they are: no JSON."""
    raise ValueError(f"{name} is no JSON")


def success(result: Any) -> Json:
    """What a response says beside its id, for a result."""
    return {"ok": True, "result": result}


def failure(code: str, message: str, **extra: Any) -> Json:
    """What a response says beside its id, for an error."""
    return {"ok": False, "error": {"code": code, "message": message, **extra}}


def respond(request: Any, documents: Documents) -> Json:
    """The response to a request, which may be any JSON value."""
    if not isinstance(request, dict):
        return {"id": None, **failure("bad_request", "a request is an object")}
    ident = request.get("id")
    if not isinstance(ident, str | int) or isinstance(ident, bool):
        return {"id": None, **failure("bad_request", "id must be a string or an integer")}
    op, args = request.get("op"), request.get("args", {})
    if not isinstance(op, str) or not isinstance(args, dict):
        return {"id": ident, **failure("bad_request", "op must be a string, args an object")}
    return {"id": ident, **perform(op, args, documents)}


def perform(op: str, args: Json, documents: Documents) -> Json:
    """Carries out an operation, of the family or on documents."""
    if op in family.OPS:
        return compute(op, args) if family.check(op, args) else failure("invalid_args", f"wrong arguments of {op}")
    operation = OPERATIONS.get(op)
    if operation is None:
        return failure("unknown_op", f"there is no operation {op!r}")
    for argument in operation.arguments:
        if argument.name not in args:
            if argument.needed:
                return failure("invalid_args", f"{argument.name} is missing")
        elif not argument.accepts(args[argument.name]):
            return failure("invalid_args", f"{argument.name} has the wrong type or length")
    return operation.action(documents, args)


def compute(op: str, args: Json) -> Json:
    """Carries out an operation of the family, whose arguments were checked."""
    try:
        return success(family.run(op, args))
    except family.Refused as refused:
        return failure(refused.code, f"{op}: {refused.code}", **refused.extra)


def is_name(value: Any) -> bool:
    """Whether a value can name a document."""
    return isinstance(value, str) and 1 <= len(value) <= 128


def is_prefix(value: Any) -> bool:
    """Whether a value can be the beginning of names."""
    return isinstance(value, str) and len(value) <= 128


def is_document(value: Any) -> bool:
    """Whether a value holds an operation of the family and valid arguments for it."""
    if not isinstance(value, dict):
        return False
    op, args = value.get("op"), value.get("args")
    return isinstance(op, str) and op in family.OPS and isinstance(args, dict) and bool(family.check(op, args))


def missing(name: str) -> Json:
    """The error for a document that is not there."""
    return failure("not_found", f"there is no document {name!r}")


def put(documents: Documents, args: Json) -> Json:
    """Writes a document, without its unknown keys."""
    documents[args["name"]] = {"op": args["document"]["op"], "args": args["document"]["args"]}
    return success({"name": args["name"]})


def create(documents: Documents, args: Json) -> Json:
    """Adds a document."""
    if args["name"] in documents:
        return failure("exists", f"there is already a document {args['name']!r}")
    return put(documents, args)


def update(documents: Documents, args: Json) -> Json:
    """Replaces a document."""
    return put(documents, args) if args["name"] in documents else missing(args["name"])


def delete(documents: Documents, args: Json) -> Json:
    """Removes a document."""
    return success({"name": args["name"]}) if documents.pop(args["name"], None) else missing(args["name"])


def get(documents: Documents, args: Json) -> Json:
    """Returns a document."""
    document = documents.get(args["name"])
    return success({"name": args["name"], "document": document}) if document else missing(args["name"])


def evaluate(documents: Documents, args: Json) -> Json:
    """Carries out what a document holds."""
    document = documents.get(args["name"])
    return compute(document["op"], document["args"]) if document else missing(args["name"])


def list_names(documents: Documents, args: Json) -> Json:
    """Lists the documents whose names begin with a prefix."""
    names = sorted(name for name in documents if name.startswith(args.get("prefix", "")))
    return success({"documents": [{"name": name} for name in names]})


_NAME = Argument("name", is_name)
_DOCUMENT = Argument("document", is_document)

OPERATIONS = {
    "create": Operation((_NAME, _DOCUMENT), create),
    "update": Operation((_NAME, _DOCUMENT), update),
    "delete": Operation((_NAME,), delete),
    "get": Operation((_NAME,), get),
    "evaluate": Operation((_NAME,), evaluate),
    "list": Operation((Argument("prefix", is_prefix, needed=False),), list_names),
}


if __name__ == "__main__":
    sys.exit(main())
