"""CSV join: one pattern reads a field with its separator; the join first makes pairs of row numbers, then the cells."""

import re
from collections import defaultdict
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"join": ("left", "right", "on", "kind", "fill")}

_FIELD = re.compile(r'(?:"((?:[^"]++|"")*+)"|([^",\n]*+))(,|\n|\Z)')
_SPECIAL = re.compile('[,"\r\n]')

Row = list[str]
Pair = tuple[int | None, int | None]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    on = args.get("on")
    return (
        op in OPS
        and _is_text(args.get("left"), 1000)
        and _is_text(args.get("right"), 1000)
        and isinstance(on, list)
        and 1 <= len(on) <= 3
        and all(_is_text(name, 50) for name in on)
        and args.get("kind", "inner") in ("inner", "left", "right", "full")
        and _is_text(args.get("fill", ""), 20)
    )


def run(op: str, args: dict[str, Any]) -> Any:  # noqa: ARG001
    """The result of the operation for checked arguments."""
    on, kind, fill = args["on"], args.get("kind", "inner"), args.get("fill", "")
    (left_head, *left), (right_head, *right) = _table(args["left"], "left"), _table(args["right"], "right")
    for name in on:
        for side, head in (("left", left_head), ("right", right_head)):
            if name not in head:
                raise Refused("unknown_column", {"column": name, "table": side})
    pairs = _pairs(_keys(left_head, left, on), _keys(right_head, right, on))
    left_only = sum(j is None for _, j in pairs)
    right_only = sum(i is None for i, _ in pairs)
    kept = [
        (i, j)
        for i, j in pairs
        if (j is not None or kind in ("left", "full")) and (i is not None or kind in ("right", "full"))
    ]
    if len(kept) > 200:
        raise Refused("too_many_rows")
    added = [name for name in right_head if name not in on]
    records = [_header(left_head, added)]
    for i, j in kept:
        other = dict.fromkeys(added, fill) if j is None else dict(zip(right_head, right[j], strict=True))
        start = [other[name] if name in on else fill for name in left_head] if i is None else left[i]
        records.append(start + [other[name] for name in added])
    text = "".join(",".join(map(_written, record)) + "\n" for record in records)
    return {"csv": text, "rows": len(kept), "left_only": left_only, "right_only": right_only}


def _is_text(value: Any, most: int) -> bool:
    """Whether a value is a string of at most that many code points."""
    return isinstance(value, str) and len(value) <= most


def _table(text: str, side: str) -> list[Row]:
    """The records of a table, the header first."""
    if not text:
        raise Refused("no_header", {"table": side})
    text = text.replace("\r\n", "\n")
    records: list[Row] = [[]]
    at = 0
    while True:
        match = _FIELD.match(text, at)
        if match is None:
            raise Refused("bad_csv", {"table": side})
        quoted, plain, separator = match.groups()
        records[-1].append(plain if quoted is None else quoted.replace('""', '"'))
        at = match.end()
        if separator != ",":
            if at == len(text):
                break
            records.append([])
    if len(set(records[0])) < len(records[0]):
        raise Refused("duplicate_column", {"table": side})
    for number, record in enumerate(records):
        if len(record) != len(records[0]):
            raise Refused("ragged_row", {"table": side, "row": number})
    return records


def _keys(head: Row, rows: list[Row], on: list[str]) -> list[tuple[str, ...] | None]:
    """The key of each row, None for one that can have no partner."""
    places = [head.index(name) for name in on]
    keys = [tuple(row[place] for place in places) for row in rows]
    return [key if all(key) else None for key in keys]


def _pairs(left: list[tuple[str, ...] | None], right: list[tuple[str, ...] | None]) -> list[Pair]:
    """The places of all partners, and of the rows without one, in the order of the full join."""
    partners: dict[tuple[str, ...] | None, list[int]] = defaultdict(list)
    for j, key in enumerate(right):
        if key is not None:
            partners[key].append(j)
    pairs: list[Pair] = []
    for i, key in enumerate(left):
        pairs += [(i, j) for j in partners.get(key, [])] or [(i, None)]
    seen = {j for _, j in pairs}
    return pairs + [(None, j) for j in range(len(right)) if j not in seen]


def _header(left: Row, right: Row) -> Row:
    """The names of the columns of the result."""
    names = list(left)
    for column in right:
        name = column
        while name in names:
            name += "_right"
        names.append(name)
    return names


def _written(cell: str) -> str:
    """A cell as it stands in the result."""
    return '"' + cell.replace('"', '""') + '"' if _SPECIAL.search(cell) else cell
