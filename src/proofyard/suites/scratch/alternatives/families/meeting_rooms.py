"""Meeting rooms: of a room nothing counts but the minute from which it is free again."""

from collections.abc import Callable
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

Test = Callable[[Any], bool]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _integer(least: int, most: int) -> Test:
    """Integers from `least` to `most`."""
    return lambda value: type(value) is int and least <= value <= most


def _text(most: int) -> Test:
    """Strings of 1 to `most` code points."""
    return lambda value: isinstance(value, str) and 1 <= len(value) <= most


def _array(least: int, most: int, item: Test) -> Test:
    """Arrays of so many items, each of them right."""
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(item, value))


def _keys(needed: dict[str, Test], optional: dict[str, Test] | None = None) -> Test:
    """Objects with all needed keys, where these and the optional ones are right."""
    tests = needed | (optional or {})
    return lambda value: (
        isinstance(value, dict)
        and all(name in value for name in needed)
        and all(test(value[name]) for name, test in tests.items() if name in value)
    )


_MEETING = _keys(
    {"name": _text(30), "start": _integer(0, 1439), "minutes": _integer(1, 480)}, {"people": _integer(1, 500)}
)
_ROOM = _keys({"name": _text(30), "capacity": _integer(1, 500)})
_NEEDED: dict[str, dict[str, Test]] = {
    "needed": {"meetings": _array(0, 40, _MEETING)},
    "assign": {"meetings": _array(0, 40, _MEETING), "rooms": _array(1, 10, _ROOM)},
}
_OPTIONAL: dict[str, dict[str, Test]] = {
    "needed": {"cleanup": _integer(0, 60)},
    "assign": {"cleanup": _integer(0, 60), "delay": _integer(0, 120)},
}

OPS: dict[str, tuple[str, ...]] = {op: (*_NEEDED[op], *_OPTIONAL[op]) for op in _NEEDED}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    return _keys(_NEEDED[op], _OPTIONAL[op])(args)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    for what in ("meeting", "room") if op == "assign" else ("meeting",):
        if len({each["name"] for each in args[f"{what}s"]}) < len(args[f"{what}s"]):
            raise Refused(f"duplicate_{what}")
    if op == "needed":
        return _needed(args["meetings"], args.get("cleanup", 0))
    return _assign(args["meetings"], args["rooms"], args.get("cleanup", 0), args.get("delay", 0))


def _needed(meetings: list[dict[str, Any]], cleanup: int) -> dict[str, Any]:
    """The least number of rooms for all meetings."""
    free: list[int] = []
    number: dict[str, int] = {}
    last_opened = None
    for meeting in sorted(meetings, key=lambda each: each["start"]):
        start = meeting["start"]
        room = next((at for at, since in enumerate(free) if since <= start), len(free))
        if room == len(free):
            free.append(0)
            last_opened = start
        free[room] = start + meeting["minutes"] + cleanup
        number[meeting["name"]] = room + 1
    placed = [{"meeting": meeting["name"], "room": number[meeting["name"]]} for meeting in meetings]
    return {"rooms": len(free), "last_opened": last_opened, "meetings": placed}


def _assign(meetings: list[dict[str, Any]], rooms: list[dict[str, Any]], cleanup: int, delay: int) -> dict[str, Any]:
    """Puts meetings into given rooms."""
    free = [0] * len(rooms)
    plans: list[list[dict[str, Any]]] = [[] for _ in rooms]
    reasons: dict[str, str] = {}
    for meeting in sorted(meetings, key=lambda each: (each["start"], -each.get("people", 1))):
        wide = [at for at, room in enumerate(rooms) if room["capacity"] >= meeting.get("people", 1)]
        offers = [(max(meeting["start"], free[at]), rooms[at]["capacity"], at) for at in wide]
        start, _, room_at = min(offers, default=(0, 0, 0))
        if not offers or start > meeting["start"] + delay:
            reasons[meeting["name"]] = "occupied" if offers else "too_big"
            continue
        end = start + meeting["minutes"]
        free[room_at] = end + cleanup
        plans[room_at].append({"meeting": meeting["name"], "start": start, "end": end})
    result = [
        {"room": room["name"], "meetings": plan, "minutes": sum(each["end"] - each["start"] for each in plan)}
        for room, plan in zip(rooms, plans, strict=True)
    ]
    names = [meeting["name"] for meeting in meetings if meeting["name"] in reasons]
    return {"rooms": result, "refused": [{"meeting": name, "reason": reasons[name]} for name in names]}
