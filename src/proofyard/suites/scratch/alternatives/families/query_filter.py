"""Query filter: an automaton over the kinds of tokens finds the fault, and the steps are run as they are, in postfix."""

import operator
import re
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {
    "select": ("records", "where", "order", "limit"),
    "explain": ("where",),
}

_TOKEN = re.compile(
    r"(?P<keyword>(?:and|or|not|exists)(?![A-Za-z0-9_]))|(?P<field>[A-Za-z_][A-Za-z0-9_]*)|(?P<value>-?[0-9]+"
    r"|'(?:[^']|'')*'(?!'))|(?P<sign>!=|<=|>=|[=<>~])|(?P<bracket>[()])|(?P<none>[^ ])"
)
_AFTER = {  # what may follow what: kinds, or brackets and keywords themselves
    "begin": ("field", "not", "("),
    "field": ("sign", "exists"),
    "sign": ("value",),
    "end": ("and", "or", ")"),
}
_NEXT = {"field": "field", "sign": "sign", "value": "end", "exists": "end", ")": "end"}  # all others: begin
_BINDS = {"(": 0, "or": 1, "and": 2, "not": 3}
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

Step = tuple[str, ...]  # the tokens of a condition, or one keyword


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if not _is_text(args.get("where"), 0, 120):
        return False
    if op == "explain":
        return True
    records = args.get("records")
    if not isinstance(records, list) or len(records) > 20 or not all(_is_record(record) for record in records):
        return False
    return _is_text(args.get("order", "-"), 1, 30) and _is_integer(args.get("limit", 0), 0, 20)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    steps = _steps(args["where"])
    if op == "explain":
        return {"steps": [" ".join(step) for step in steps]}
    found = [record for record in args["records"] if _holds(steps, record)]
    total = len(found)
    if "order" in args:
        name = args["order"].removeprefix("-")
        having = [record for record in found if name in record]
        having.sort(key=lambda record: (isinstance(record[name], str), record[name]), reverse=name != args["order"])
        found = having + [record for record in found if name not in record]
    return {"total": total, "records": found[: args.get("limit")]}


def _tokens(where: str) -> Iterator[str]:
    """The tokens of a query; raises Refused where one cannot stand."""
    state, depth = "begin", 0
    for found in _TOKEN.finditer(where):
        token = found[0]
        kind = token if found.lastgroup in ("keyword", "bracket") else str(found.lastgroup)
        if kind not in _AFTER[state] or (kind == ")" and not depth):
            raise Refused("bad_query", {"at": found.start()})
        depth += (kind == "(") - (kind == ")")
        state = _NEXT.get(kind, "begin")
        yield token
    if state != "end" or depth:
        raise Refused("bad_query", {"at": len(where)})


def _steps(where: str) -> list[Step]:
    """The steps of a query in postfix form."""
    steps: list[Step] = []
    waiting: list[str] = []
    condition: Step = ()
    for token in _tokens(where):
        if token in ("(", "not"):
            waiting.append(token)
        elif token in ("and", "or", ")"):
            while waiting and _BINDS[waiting[-1]] >= _BINDS.get(token, 1):
                steps.append((waiting.pop(),))
            if token == ")":
                waiting.pop()
            else:
                waiting.append(token)
        else:
            condition += (token,)
            if len(condition) == 3 or token == "exists":
                steps.append(condition)
                condition = ()
    return steps + [(token,) for token in reversed(waiting)]


def _holds(steps: list[Step], record: dict[str, Any]) -> bool:
    """Whether a query holds for a record."""
    stack: list[bool] = []
    for step in steps:
        if len(step) > 1:
            stack.append(step[0] in record and _condition(record[step[0]], *step[1:]))
        elif step[0] == "not":
            stack.append(not stack.pop())
        else:
            right, left = stack.pop(), stack.pop()
            stack.append((left and right) if step[0] == "and" else (left or right))
    return stack.pop()


def _condition(value: Any, sign: str, token: str = "") -> bool:
    """Whether a condition holds for the value of its field."""
    if sign == "exists":
        return True
    right: Any = token[1:-1].replace("''", "'") if token[0] == "'" else int(token)
    if sign == "~":
        return str(right) in str(value)
    if isinstance(value, str) != isinstance(right, str):
        return sign == "!="
    return _COMPARE[sign](value, right)


def _is_text(value: Any, low: int, high: int) -> bool:
    """Whether a value is a string of a length in a range."""
    return isinstance(value, str) and low <= len(value) <= high


def _is_integer(value: Any, low: int, high: int) -> bool:
    """Whether a value is an integer of a range."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_record(value: Any) -> bool:
    """Whether a value is a record."""
    if not isinstance(value, dict) or len(value) > 8:
        return False
    return all(_is_text(item, 0, 40) or _is_integer(item, -(10**12), 10**12) for item in value.values())
