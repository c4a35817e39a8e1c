"""CSV aggregation: fields cut off by one regular expression, amounts as fractions."""

import re
from fractions import Fraction
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"aggregate": ("csv", "group_by", "aggregates", "scale", "delimiter")}
FUNCTIONS = ("count", "sum", "mean", "min", "max")
NUMBER = re.compile(r"-?[0-9]{1,12}(\.[0-9]{1,6})?")


class Refused(Exception):  # noqa: N818
    """An error code of the family, with its extra fields."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _text(value: Any, high: int) -> bool:
    """Whether a value is a string not longer than a limit."""
    return isinstance(value, str) and len(value) <= high


def _is_aggregate(value: Any) -> bool:
    """Whether a value is an aggregate to compute."""
    if not isinstance(value, dict) or not _text(value.get("column"), 100):
        return False
    return isinstance(value.get("function"), str) and value["function"] in FUNCTIONS


def check(op: str, args: dict[str, Any]) -> bool:  # noqa: ARG001
    """Whether all types and ranges are right."""
    columns, aggregates, scale = args.get("group_by"), args.get("aggregates"), args.get("scale", 2)
    if not (isinstance(columns, list) and len(columns) <= 3 and all(_text(column, 100) for column in columns)):
        return False
    if not (isinstance(aggregates, list) and 1 <= len(aggregates) <= 8 and all(map(_is_aggregate, aggregates))):
        return False
    if type(scale) is not int or not 0 <= scale <= 6:
        return False
    return _text(args.get("csv"), 3000) and args.get("delimiter", ",") in [",", ";", ":", "\t"]


def _records(text: str, delimiter: str) -> list[list[str]]:
    """The records of a text without blank lines."""
    field = re.compile(rf'(?:"((?:[^"]|"")*)"|([^"{delimiter}\r\n][^{delimiter}\r\n]*|))({delimiter}|\r\n|\r|\n|\Z)')
    records: list[list[str]] = []
    record: list[str] = []
    position, end = 0, delimiter
    while position < len(text) or end == delimiter:
        match = field.match(text, position)
        if match is None:
            raise Refused("bad_csv")
        quoted, plain, end = match.groups()
        position = match.end()
        record.append(plain if quoted is None else quoted.replace('""', '"'))
        if end != delimiter:
            if len(record) > 1 or plain != "":
                records.append(record)
            record = []
    return records


def _table(text: str, delimiter: str) -> tuple[list[str], list[dict[str, str]]]:
    """The header and the data rows."""
    records = _records(text, delimiter)
    if not records:
        raise Refused("no_header")
    header = records[0]
    if len(set(header)) < len(header):
        raise Refused("duplicate_column")
    for number, record in enumerate(records[1:], 1):
        if len(record) != len(header):
            raise Refused("ragged_row", row=number)
    return header, [dict(zip(header, record, strict=True)) for record in records[1:]]


def _written(value: Fraction, scale: int) -> str:
    """A value rounded to the even half, with all its digits."""
    units = round(value * 10**scale)
    digits = str(abs(units)).rjust(scale + 1, "0")
    whole, rest = digits[: len(digits) - scale], digits[len(digits) - scale :]
    return ("-" if units < 0 else "") + whole + ("." + rest if scale else "")


def _value(function: str, cells: list[str], scale: int) -> Any:
    """An aggregate of the filled cells."""
    if function == "count":
        return len(cells)
    numbers = [Fraction(cell) for cell in cells]
    total = sum(numbers, Fraction())
    if function == "sum":
        return _written(total, scale)
    if not numbers:
        return None
    return _written({"min": min(numbers), "max": max(numbers), "mean": total / len(numbers)}[function], scale)


def run(op: str, args: dict[str, Any]) -> Any:  # noqa: ARG001
    """The result of a checked operation."""
    columns, wanted = args["group_by"], [(one["function"], one["column"]) for one in args["aggregates"]]
    header, rows = _table(args["csv"], args.get("delimiter", ","))
    if not {*columns, *(column for _, column in wanted)} <= set(header):
        raise Refused("unknown_column")
    numeric = {column for function, column in wanted if function != "count"}
    groups: dict[tuple[str, ...], list[dict[str, str]]] = {} if columns else {(): []}
    for number, row in enumerate(rows, 1):
        if any(row[column] and not NUMBER.fullmatch(row[column]) for column in numeric):
            raise Refused("not_a_number", row=number)
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    result = []
    for key, members in sorted(groups.items(), key=lambda item: item[0]):
        cells = [(function, [row[column] for row in members if row[column]]) for function, column in wanted]
        values = [_value(function, filled, args.get("scale", 2)) for function, filled in cells]
        result.append({"key": list(key), "rows": len(members), "values": values})
    return {"rows": len(rows), "groups": result}
