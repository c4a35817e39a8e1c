"""Meeting rooms against grids of rooms and minutes that are filled cell by cell."""

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.meeting_rooms import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "grids filled minute by minute"
LENGTH = 3000
MEETINGS = st.lists(
    st.fixed_dictionaries(
        {"start": st.integers(0, 20), "minutes": st.integers(1, 12)}, optional={"people": st.integers(1, 5)}
    ),
    max_size=8,
).map(lambda rows: [{"name": f"m{n}", **row} for n, row in enumerate(rows)])
ROOMS = st.lists(st.integers(1, 5), min_size=1, max_size=3).map(
    lambda sizes: [{"name": f"r{n}", "capacity": size} for n, size in enumerate(sizes)]
)


def twice(items: list[dict[str, Any]]) -> bool:
    return max(Counter(item["name"] for item in items).values(), default=0) > 1


def check_needed(args: dict[str, Any]) -> None:
    result = play(FAMILY, "needed", args)
    if twice(args["meetings"]):
        assert result == {"code": "duplicate_meeting"}
        return
    spans = {m["name"]: range(m["start"], m["start"] + m["minutes"] + args.get("cleanup", 0)) for m in args["meetings"]}
    grid: Counter[tuple[int, int]] = Counter()
    first: dict[int, int] = {}
    numbers = {}
    for minute in range(1440):
        for name, span in spans.items():
            if span[0] == minute:
                number = 1
                while grid[number, minute]:
                    number += 1
                grid.update((number, taken) for taken in span)
                first.setdefault(number, minute)
                numbers[name] = number
    assert max(grid.values(), default=1) == 1
    busy = Counter(minute for span in spans.values() for minute in span)
    assert result == {
        "rooms": max(busy.values(), default=0),
        "last_opened": first[max(first)] if first else None,
        "meetings": [{"meeting": name, "room": numbers[name]} for name in spans],
    }


def check_assign(args: dict[str, Any]) -> None:
    result = play(FAMILY, "assign", args)
    meetings, rooms = args["meetings"], args["rooms"]
    if twice(meetings) or twice(rooms):
        assert result == {"code": "duplicate_meeting" if twice(meetings) else "duplicate_room"}
        return
    grid = {room["name"]: [""] * LENGTH for room in rooms}
    reasons: dict[str, str] = {}
    queue = list(meetings)
    queue.sort(key=lambda m: m.get("people", 1), reverse=True)  # stable, also in reverse
    queue.sort(key=lambda m: m["start"])
    for meeting in queue:
        big = [
            room for room in sorted(rooms, key=lambda r: r["capacity"]) if room["capacity"] >= meeting.get("people", 1)
        ]
        reasons[meeting["name"]] = "occupied" if big else "too_big"
        for late in range(args.get("delay", 0) + 1):
            start = meeting["start"] + late
            free = [room["name"] for room in big if not any(grid[room["name"]][start:])]
            if free:
                del reasons[meeting["name"]]
                row = grid[free[0]]
                end = start + meeting["minutes"]
                row[start:end] = [meeting["name"]] * meeting["minutes"]
                row[end : end + args.get("cleanup", 0)] = ["(cleanup)"] * args.get("cleanup", 0)
                break
    rows = []
    names = [meeting["name"] for meeting in meetings]
    for room, cells in grid.items():
        held = [name for name in dict.fromkeys(cells) if name in names]
        times = [{"meeting": n, "start": cells.index(n), "end": cells.index(n) + cells.count(n)} for n in held]
        rows.append({"room": room, "meetings": times, "minutes": sum(cell in names for cell in cells)})
    refused = [{"meeting": name, "reason": reasons[name]} for name in names if name in reasons]
    assert result == {"rooms": rows, "refused": refused}


@settings(max_examples=60, deadline=None)
@given(MEETINGS, st.integers(0, 4))
def test_needed_minute_by_minute(meetings: list[Any], cleanup: int) -> None:
    check_needed({"meetings": meetings, "cleanup": cleanup})


@settings(max_examples=60, deadline=None)
@given(MEETINGS, ROOMS, st.integers(0, 4), st.integers(0, 12))
def test_assign_minute_by_minute(meetings: list[Any], rooms: list[Any], cleanup: int, delay: int) -> None:
    check_assign({"meetings": meetings, "rooms": rooms, "cleanup": cleanup, "delay": delay})


def test_needed_on_its_own_inputs() -> None:
    for args in of(FAMILY, "needed", 100):
        check_needed(args)


def test_assign_on_its_own_inputs() -> None:
    for args in of(FAMILY, "assign", 100):
        check_assign(args)
