"""The service of tier easy: a request goes through a chain of steps, any of which ends it with an error."""

import json
import sys
from typing import Any, NoReturn

import family  # type: ignore[import-not-found]


class RequestError(Exception):
    """A request that ends with an error."""

    def __init__(self, code: str, message: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.error: dict[str, Any] = {"code": code, "message": message, **(extra or {})}


def main() -> int:
    """Answers every line of standard input."""
    sys.set_int_max_str_digits(0)
    for line in iter(sys.stdin.buffer.readline, b""):
        if line.strip(b" \t\r\n"):
            sys.stdout.buffer.write(json.dumps(answer(line)).encode("ascii") + b"\n")
            sys.stdout.buffer.flush()
    return 0


def answer(line: bytes) -> dict[str, Any]:
    """The response to a line."""
    ident: str | int | None = None
    try:
        request = parse(line)
        ident = ident_of(request)
        result = carry_out(*call_of(request))
    except RequestError as failed:
        return {"id": ident, "ok": False, "error": failed.error}
    return {"id": ident, "ok": True, "result": result}


def parse(line: bytes) -> Any:
    """The JSON value of a line."""
    try:
        return json.loads(line.decode("utf-8"), parse_constant=no_constant)
    except (ValueError, RecursionError) as wrong:
        raise RequestError("bad_json", f"the line is not JSON: {type(wrong).__name__}") from wrong


def no_constant(name: str) -> NoReturn:
    """Refuses `NaN`, `Infinity` and `-Infinity`, which the parser would take."""
    raise ValueError(name)


def ident_of(request: Any) -> str | int | None:
    """The id of a request, None if it has no valid one."""
    ident = request.get("id") if isinstance(request, dict) else None
    return ident if isinstance(ident, str | int) and not isinstance(ident, bool) else None


def call_of(request: Any) -> tuple[str, dict[str, Any]]:
    """The operation of a request and its arguments."""
    if not isinstance(request, dict):
        raise RequestError("bad_request", "the request is no object")
    if ident_of(request) is None:
        raise RequestError("bad_request", "id must be a string or an integer")
    op, args = request.get("op"), request.get("args", {})
    if not isinstance(op, str):
        raise RequestError("bad_request", "op must be a string")
    if not isinstance(args, dict):
        raise RequestError("bad_request", "args must be an object")
    return op, args


def carry_out(op: str, args: dict[str, Any]) -> Any:
    """The result of an operation."""
    if op not in family.OPS:
        raise RequestError("unknown_op", f"there is no operation {op!r}")
    if not family.check(op, args):
        raise RequestError("invalid_args", f"an argument of {op} is missing or wrong")
    try:
        return family.run(op, args)
    except family.Refused as refused:
        raise RequestError(refused.code, f"{op} refuses: {refused.code}", refused.extra) from refused


if __name__ == "__main__":
    sys.exit(main())
