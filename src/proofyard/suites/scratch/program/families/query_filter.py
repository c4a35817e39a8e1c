"""Selects records by a query in a small language."""

import operator
import re
from collections.abc import Callable
from typing import Any

from ..arguments import array, integer, mapping, optional, required, string
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

WHERE = string(high=120)
TEXT = string(high=40)
NUMBER = integer(-(10**12), 10**12)
TOKEN = re.compile(r"(?P<literal>-?[0-9]+|'(?:[^']|'')*'(?!'))|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|(?P<sign>[<>!]=|[^ ])")
KEYWORDS = {"and", "or", "exists"}
COMPARE: dict[str, Callable[[Any, Any], bool]]
COMPARE = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def check_select(args: dict[str, Any]) -> None:
    """Check the arguments of `select`."""
    required(args, "records", array(mapping(value, high=8), high=20))
    required(args, "where", WHERE)
    optional(args, "order", string(1, 30))
    optional(args, "limit", integer(0, 20))


def check_explain(args: dict[str, Any]) -> None:
    """Check the arguments of `explain`."""
    required(args, "where", WHERE)


def value(given: object, where: str) -> object:
    """Read a string or an integer."""
    return TEXT(given, where) if isinstance(given, str) else NUMBER(given, where)


def select(args: dict[str, Any]) -> object:
    """The records for which the query holds, in order."""
    steps = Parser(args["where"]).steps
    found = [record for record in args["records"] if holds(steps, record)]
    if "order" in args:
        name = args["order"].removeprefix("-")
        known = [record for record in found if name in record]
        known.sort(key=lambda record: (isinstance(record[name], str), record[name]), reverse=args["order"][0] == "-")
        found = known + [record for record in found if name not in record]
    return {"total": len(found), "records": found[: args.get("limit")]}


def explain(args: dict[str, Any]) -> object:
    """The query in postfix form: conditions, and what joins those before it."""
    return {"steps": [" ".join(step) for step in Parser(args["where"]).steps]}


class Parser:
    """Parses a query by recursive descent; `steps` is its postfix form, each step one word or the parts of a condition."""

    def __init__(self, where: str) -> None:
        self.tokens = [(str(match.lastgroup), match[0], match.start()) for match in TOKEN.finditer(where)]
        self.tokens.append(("end", "", len(where)))
        self.steps: list[list[str]] = []
        self.joined("or", "and")
        self.take(self.tokens[0][0] == "end")

    def take(self, right: bool) -> str:
        """Pass the next token, which must be right, and return it."""
        kind, text, at = self.tokens.pop(0)
        if not right:
            raise DomainError("bad_query", f"unexpected {kind} at {at}", at=at)
        return text

    def joined(self, *words: str) -> None:
        """Conditions joined by the first of `words`, from left to right; the other words bind tighter."""
        if not words:
            self.condition()
            return
        self.joined(*words[1:])
        while self.tokens[0][1] == words[0]:
            self.tokens.pop(0)
            self.joined(*words[1:])
            self.steps.append([words[0]])

    def condition(self) -> None:
        """What `and` joins."""
        kind, text, _ = self.tokens[0]
        if text in {"not", "("}:
            self.tokens.pop(0)
            if text == "not":
                self.condition()
                self.steps.append(["not"])
            else:
                self.joined("or", "and")
                self.take(self.tokens[0][1] == ")")
            return
        step = [self.take(kind == "name" and text not in KEYWORDS)]
        step.append(self.take(self.tokens[0][1] in {"exists", "~", *COMPARE}))
        if step[1] != "exists":
            step.append(self.take(self.tokens[0][0] == "literal"))
        self.steps.append(step)


def holds(steps: list[list[str]], record: dict[str, Any]) -> bool:
    """Whether a query holds for a record."""
    stack: list[bool] = []
    for step in steps:
        if step == ["not"]:
            stack.append(not stack.pop())
        elif len(step) == 1:
            last = stack.pop()
            stack.append((stack.pop() and last) if step == ["and"] else (stack.pop() or last))
        else:
            stack.append(step[0] in record and fulfils(record[step[0]], *step[1:]))
    return stack.pop()


def fulfils(found: int | str, sign: str, *literal: str) -> bool:
    """Whether the value of a field fulfils a condition."""
    if sign == "exists":
        return True
    (text,) = literal
    wanted = text[1:-1].replace("''", "'") if text.startswith("'") else int(text)
    if sign == "~":
        return str(wanted) in str(found)
    return COMPARE[sign](found, wanted) if type(found) is type(wanted) else sign == "!="


OPERATIONS = {
    "select": Operation(("records", "where", "order", "limit"), check_select, select),
    "explain": Operation(("where",), check_explain, explain),
}
