"""Pointers against a table of all places in a document, built from the document instead of from the pointer."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.json_pointer import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "brute force over a table of all places, and the examples of RFC 6901"

TREES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "a", "1"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["", "a", "0", "~", "/", "~1"]), inner),
    max_leaves=8,
)
DOCUMENTS = st.lists(TREES, max_size=3) | st.dictionaries(st.sampled_from(["", "a", "0", "~", "/", "~1"]), TREES)
PIECES = st.lists(st.sampled_from(["/", "/", "a", "0", "1", "~0", "~1", "~", "-", "00", "2", "+", "#"]), max_size=8)


def places(value: Any, pointer: str = "") -> dict[str, Any]:
    """Pointer -> value, of everything."""
    found = {pointer: value}
    if isinstance(value, dict):
        for name in sorted(value):
            escaped = "".join({"~": "~0", "/": "~1"}.get(char, char) for char in name)
            found |= places(value[name], f"{pointer}/{escaped}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found |= places(item, f"{pointer}/{index}")
    return found


def fault(pointer: str) -> int | None:
    """Where a pointer is wrong, character by character."""
    for place, char in enumerate(pointer):
        if (place == 0 and char != "/") or (char == "~" and pointer[place + 1 : place + 2] not in ("0", "1")):
            return place
    return None


def index(token: str) -> bool:
    return token.isascii() and token.isdigit() and (token == "0" or not token.startswith("0"))


def follow(table: dict[str, Any], pointer: str) -> dict[str, Any]:
    """The value at a valid pointer from the table, or the error at its longest beginning that is in it."""
    if pointer in table:
        return {"value": table[pointer]}
    end = 0
    while True:
        following = pointer.find("/", end + 1)
        step = pointer if following == -1 else pointer[:following]
        if step not in table:
            break
        end = following
    at = pointer[:end]
    wrong = isinstance(table[at], list) and not index(step[end + 1 :])
    return {"code": "bad_index" if wrong else "no_value", "at": at}


def resolve(args: dict[str, Any]) -> dict[str, Any]:
    place = fault(args["pointer"])
    if place is not None:
        return {"code": "bad_pointer", "position": place}
    return follow(places(args["document"]), args["pointer"])


def number(text: str) -> tuple[str, str]:
    """The digits at the start and the rest."""
    rest = text.lstrip("0123456789")
    return text[: len(text) - len(rest)], rest


def relative(args: dict[str, Any]) -> dict[str, Any]:
    base, table = args["base"], places(args["document"])
    place = fault(base)
    if place is not None:
        return {"code": "bad_pointer", "position": place}
    levels, rest = number(args["relative"])
    shift = sign = ""
    if rest[:1] in ("+", "-") and rest:
        sign = rest[0]
        shift, rest = number(rest[1:])
    if not index(levels) or (sign and not index(shift)) or shift == "0" or (rest != "#" and fault(rest) is not None):
        return {"code": "bad_relative"}
    if base not in table:
        return follow(table, base)
    if int(levels) > base.count("/"):
        return {"code": "above_root"}
    for _ in range(int(levels)):
        base = base[: base.rindex("/")]
    holder = base[: base.rindex("/")] if base else None
    if shift:
        if holder is None or not isinstance(table[holder], list):
            return {"code": "not_in_array"}
        wanted = int(base[len(holder) + 1 :]) + {"+": 1, "-": -1}[sign] * int(shift)
        base = f"{holder}/{wanted}"
        if base not in table:
            return {"code": "no_value", "at": holder}
    if rest != "#":
        return follow(table, base + rest)
    if holder is None:
        return {"code": "no_name"}
    names = table[holder]
    found = range(len(names)) if isinstance(names, list) else names
    return {"value": next(n for n in found if f"{holder}/" + str(n).replace("~", "~0").replace("/", "~1") == base)}


def equal(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, list):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return set(a) == set(b) and all(equal(a[key], b[key]) for key in a)
    return bool(a == b)


def locate(args: dict[str, Any]) -> dict[str, Any]:
    table = places(args["document"])
    return {"pointers": [p for p, value in table.items() if any(equal(value, one) for one in args["values"])]}


def same(op: str, args: dict[str, Any], wanted: dict[str, Any]) -> None:
    result = play(FAMILY, op, args)
    assert equal(result, wanted), (args, result, wanted)


def test_on_its_own_inputs() -> None:
    for op, expected in (("resolve", resolve), ("relative", relative), ("locate", locate)):
        for args in of(FAMILY, op, 500):
            same(op, args, expected(args))


@settings(max_examples=100, deadline=None)
@given(DOCUMENTS, PIECES.map("".join))
def test_resolve(document: Any, pointer: str) -> None:
    for text in (pointer, "/" + pointer):
        same("resolve", args := {"document": document, "pointer": text}, resolve(args))


@settings(max_examples=100, deadline=None)
@given(DOCUMENTS, st.data(), st.integers(0, 3), st.sampled_from(["", "+1", "-1", "+2"]), PIECES.map("".join))
def test_relative(document: Any, data: st.DataObject, levels: int, shift: str, end: str) -> None:
    base = data.draw(st.sampled_from(sorted(places(document))))
    for text in (end, "/" + end, "#", ""):
        args = {"document": document, "base": base, "relative": f"{levels}{shift}{text}"}
        same("relative", args, relative(args))


@settings(max_examples=60, deadline=None)
@given(DOCUMENTS, st.lists(TREES, min_size=1, max_size=3))
def test_locate(document: Any, values: list[Any]) -> None:
    same("locate", args := {"document": document, "values": values}, locate(args))


def test_examples_of_the_standard() -> None:
    keys = ["foo", "", "a/b", "c%d", "e^f", "g|h", "i\\j", 'k"l', " ", "m~n"]
    document = {"foo": ["bar", "baz"], **{key: number for number, key in enumerate(keys[1:])}}
    pointers = ["/foo", "/", "/a~1b", "/c%d", "/e^f", "/g|h", "/i\\j", '/k"l', "/ ", "/m~0n"]
    for key, pointer in zip(keys, pointers, strict=True):
        same("resolve", {"document": document, "pointer": pointer}, {"value": document[key]})
