"""Tells how many rooms the meetings of a day need, and assigns meetings to given rooms."""

from typing import Any

from ..arguments import array, integer, optional, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

NAME = string(1, 30)
PEOPLE = integer(1, 500)
MEETING = structure({"name": NAME, "start": integer(0, 1439), "minutes": integer(1, 480)}, {"people": PEOPLE})


def check_needed(args: dict[str, Any]) -> None:
    """Check the arguments of `needed`."""
    required(args, "meetings", array(MEETING, high=40))
    optional(args, "cleanup", integer(0, 60))


def check_assign(args: dict[str, Any]) -> None:
    """Check the arguments of `assign`."""
    check_needed(args)
    required(args, "rooms", array(structure({"name": NAME, "capacity": PEOPLE}), 1, 10))
    optional(args, "delay", integer(0, 120))


def needed(args: dict[str, Any]) -> object:
    """The least number of rooms, and which meeting is in which."""
    require_distinct(args["meetings"], "duplicate_meeting")
    free: list[int] = []
    taken: dict[str, int] = {}
    last_opened = None
    for meeting in sorted(args["meetings"], key=lambda meeting: meeting["start"]):
        start = meeting["start"]
        number = next((n for n, time in enumerate(free) if time <= start), len(free))
        if number == len(free):
            free.append(start)
            last_opened = start
        free[number] = start + meeting["minutes"] + args.get("cleanup", 0)
        taken[meeting["name"]] = number + 1
    numbers = [{"meeting": meeting["name"], "room": taken[meeting["name"]]} for meeting in args["meetings"]]
    return {"rooms": len(free), "last_opened": last_opened, "meetings": numbers}


def assign(args: dict[str, Any]) -> object:
    """Put each meeting into a room, later if need be, or refuse it."""
    meetings, rooms = args["meetings"], args["rooms"]
    require_distinct(meetings, "duplicate_meeting")
    require_distinct(rooms, "duplicate_room")
    free: dict[str, int] = {}
    plan: dict[str, list[dict[str, Any]]] = {room["name"]: [] for room in rooms}
    refused = {}
    for meeting in sorted(meetings, key=lambda meeting: (meeting["start"], -people(meeting))):
        fitting = [room for room in rooms if room["capacity"] >= people(meeting)]
        if not fitting:
            refused[meeting["name"]] = "too_big"
            continue
        wanted = meeting["start"]
        starts = {room["name"]: max(wanted, free.get(room["name"], wanted)) for room in fitting}
        name = min(fitting, key=lambda room: (starts[room["name"]], room["capacity"]))["name"]
        if starts[name] > wanted + args.get("delay", 0):
            refused[meeting["name"]] = "occupied"
            continue
        end = starts[name] + meeting["minutes"]
        free[name] = end + args.get("cleanup", 0)
        plan[name].append({"meeting": meeting["name"], "start": starts[name], "end": end})
    return {
        "rooms": [{"room": name, "meetings": rows, "minutes": booked(rows)} for name, rows in plan.items()],
        "refused": [
            {"meeting": meeting["name"], "reason": refused[meeting["name"]]}
            for meeting in meetings
            if meeting["name"] in refused
        ],
    }


def require_distinct(items: list[dict[str, Any]], code: str) -> None:
    """Refuse two items with the same name."""
    if len({item["name"] for item in items}) < len(items):
        raise DomainError(code, "a name occurs twice")


def people(meeting: dict[str, Any]) -> int:
    """How many people come to a meeting."""
    number: int = meeting.get("people", 1)
    return number


def booked(rows: list[dict[str, Any]]) -> int:
    """How many minutes some meetings take together."""
    return sum(row["end"] - row["start"] for row in rows)


OPERATIONS = {
    "needed": Operation(("meetings", "cleanup"), check_needed, needed),
    "assign": Operation(("meetings", "rooms", "cleanup", "delay"), check_assign, assign),
}
