"""One line in, one response out: strict JSON, the request's shape, dispatch, and the order in which errors are found."""

import json
from collections.abc import Mapping
from typing import Any

from .errors import DomainError, InvalidArgsError
from .operation import Operation

__all__ = ["Response", "answer"]

Response = dict[str, Any]


def answer(line: bytes, operations: Mapping[str, Operation]) -> Response:
    """Carry out the request on `line`; whatever is wrong with it becomes an error response."""
    identity = None
    try:
        request = _read_json(line)
        identity = _identity(request)
        name, args = _read_request(request)
        if name not in operations:
            raise DomainError("unknown_op", f"there is no operation {name!r}")
        operation = operations[name]
        operation.check(args)
        return {"id": identity, "ok": True, "result": operation.run(args)}
    except InvalidArgsError as error:
        return _failure(identity, "invalid_args", error.message, {})
    except DomainError as error:
        return _failure(identity, error.code, error.message, error.extra)


def _failure(identity: str | int | None, code: str, message: str, extra: Mapping[str, object]) -> Response:
    return {"id": identity, "ok": False, "error": {"code": code, "message": message, **extra}}


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _read_json(line: bytes) -> object:
    try:
        return _DECODER.decode(line.decode("utf-8"))
    except ValueError:
        raise DomainError("bad_json", "the line is not JSON") from None


def _identity(request: object) -> str | int | None:
    """The request's id where it is valid, else None."""
    identity = request.get("id") if isinstance(request, dict) else None
    return identity if isinstance(identity, str | int) and not isinstance(identity, bool) else None


def _read_request(request: object) -> tuple[str, dict[str, Any]]:
    """The operation's name and the arguments of a well-formed request."""
    if not isinstance(request, dict) or _identity(request) is None:
        raise DomainError("bad_request", "a request must be an object whose id is a string or an integer")
    name, args = request.get("op"), request.get("args", {})
    if not isinstance(name, str):
        raise DomainError("bad_request", "op must be a string")
    if not isinstance(args, dict):
        raise DomainError("bad_request", "args must be an object")
    return name, args
