"""Contract, inputs and the golden case of the family `meeting-rooms`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import meeting_rooms as program

__all__ = ["FAMILY"]

NOTES = (
    "Times are whole minutes, counted from the midnight before. A meeting takes its room from its start up to but not "
    "including its end, which is `minutes` later and may lie beyond 1440. After the end the room is not free for "
    "another `cleanup` minutes; from then on it is, so that without `cleanup` one meeting may start when another ends.",
    "Names are compared exactly. A meeting that does not say so has 1 as its `people`.",
)

MEETINGS = Param(
    name="meetings",
    type='array of 0 to 40 objects `{"name": string, "start": integer, "minutes": integer, "people": integer}`',
    text="the meetings in any order; `name` has 1 to 30 code points, `start` is 0 to 1439, `minutes` 1 to 480, `people` "
    "1 to 500 and may be left out; other keys are ignored",
)
CLEANUP = Param(
    name="cleanup",
    type="integer, 0 to 60",
    text="minutes for which a room is not free after a meeting; default 0",
    required=False,
)
DUPLICATE = ErrorDoc(code="duplicate_meeting", when="two meetings have the same name")

NEEDED = OperationDoc(
    name="needed",
    summary="The least number of rooms for all meetings.",
    parameters=(MEETINGS, CLEANUP),
    result='`{"rooms": integer, "last_opened": integer or null, "meetings": [{"meeting": string, "room": integer}, '
    "...]}`: the number of rooms; the start of the meeting for which the last of them was opened, `null` without "
    "meetings; and for each meeting, in the order given, the number of its room.",
    errors=(DUPLICATE,),
    rules=(
        "Meetings are dealt with by start, those with the same start in the order given; `people` does not matter. "
        "Each takes the free room with the lowest number; if none is free, a new room is opened, with the next number. "
        "The first room is number 1.",
    ),
)

ASSIGN = OperationDoc(
    name="assign",
    summary="Puts meetings into given rooms.",
    parameters=(
        MEETINGS,
        Param(
            name="rooms",
            type='array of 1 to 10 objects `{"name": string, "capacity": integer}`',
            text="the rooms; `name` has 1 to 30 code points, `capacity` is 1 to 500; other keys are ignored",
        ),
        CLEANUP,
        Param(
            name="delay",
            type="integer, 0 to 120",
            text="by how many minutes a meeting may be put off at most; default 0",
            required=False,
        ),
    ),
    result='`{"rooms": [{"room": string, "meetings": [{"meeting": string, "start": integer, "end": integer}, ...], '
    '"minutes": integer}, ...], "refused": [{"meeting": string, "reason": string}, ...]}`: for each room, in the order '
    "given, its meetings in order of time with the start and end they really have, and the minutes of its meetings in "
    "all (without cleanup); and the meetings that got no room, in the order of `meetings`, with the reason: `too_big` "
    "or `occupied`.",
    errors=(DUPLICATE, ErrorDoc(code="duplicate_room", when="two rooms have the same name")),
    rules=(
        "Meetings are dealt with by their `start`, of the same start those with more people first, then in the order "
        "given. It is the `start` given that counts for this, also where a meeting is put off. A meeting that is "
        "placed stays where it is.",
        "Rooms with a capacity of at least the meeting's people come into question; without any, the meeting is "
        "refused as `too_big`. The meeting would start in a room at its `start`, or when the room is free again after "
        "all meetings placed in it so far (and their cleanup), if that is later. It takes the room in which it starts "
        "earliest; of equals the one with the least capacity, then the first one in `rooms`. If it would start more "
        "than `delay` minutes after its `start` even there, it is refused as `occupied`.",
    ),
)

NAMES = ("standup", "Review", "review", "board", "1:1", "büro", "朝会", "demo", "retro", "hiring", "all hands", "z")
ROOMS = ("Oak", "oak", "Elm", "Fir", "Öre", "松")


def generate(rng: Random) -> Input:
    """One input of a random operation, with many meetings at a time."""
    names = rng.sample(NAMES, rng.randint(4, 10))
    if rng.random() < 0.04:
        names.append(names[-1])
    opening, grid = rng.randint(0, 1000), rng.choice((5, 10, 30))
    meetings: list[dict[str, Any]] = []
    for name in names:
        start = opening + grid * rng.randint(0, 9)
        meetings.append({"name": name, "start": start, "minutes": grid * rng.randint(1, 5)})
        if rng.random() < 0.8:
            meetings[-1]["people"] = rng.randint(1, 12)
    args: dict[str, Any] = {"meetings": meetings}
    if rng.random() < 0.5:
        args["cleanup"] = rng.choice((1, 5, 10))
    if rng.random() < 0.35:
        return "needed", args
    rooms = rng.sample(ROOMS, rng.randint(2, 4))
    if rng.random() < 0.04:
        rooms.append(rooms[0])
    args["rooms"] = [{"name": name, "capacity": rng.choice((4, 8, 8, 11, 12))} for name in rooms]
    if rng.random() < 0.6:
        args["delay"] = rng.choice((5, 10, 30, 60))
    return "assign", args


def _meetings(text: str) -> list[dict[str, Any]]:
    """Meetings from a short text: `a:600+30 b:615+60/8` are from 600 to 630, and from 615 to 675 for 8 people."""
    found = []
    for part in text.split():
        name, _, rest = part.partition(":")
        span, _, people = rest.partition("/")
        start, _, minutes = span.partition("+")
        meeting: dict[str, Any] = {"name": name, "start": int(start), "minutes": int(minutes)}
        found.append({**meeting, "people": int(people)} if people else meeting)
    return found


def _rooms(text: str) -> list[dict[str, Any]]:
    """Rooms from a short text: `A:4 B:8` are two rooms with their capacities."""
    pairs = (part.split(":") for part in text.split())
    return [{"name": name, "capacity": int(capacity)} for name, capacity in pairs]


def _needed(meetings: str, **more: Any) -> Input:
    return "needed", {"meetings": _meetings(meetings), **more}


def _assign(meetings: str, rooms: str, **more: Any) -> Input:
    return "assign", {"meetings": _meetings(meetings), "rooms": _rooms(rooms), **more}


MANY = " ".join(f"m{n}:{(n * 37) % 300}+{20 + (n * 13) % 60}/{1 + (n * 7) % 20}" for n in range(40))
WIDE = [{"name": wide(30), "start": 0, "minutes": 30}, {"name": "é" * 30, "start": 0, "minutes": 30}]

BOUNDARY: tuple[Input, ...] = (
    _assign("a:600+30/4 b:600+60/6 c:615+30/2 d:620+30/9", "A:4 B:8", cleanup=5, delay=20),
    _needed(""),
    _needed("a:0+1"),
    _needed("a:1439+480"),
    _needed("a:60+30 b:90+30"),
    _needed("a:60+30 b:89+30"),
    _needed("a:60+30 b:95+30", cleanup=5),
    _needed("a:60+30 b:94+30", cleanup=5),
    _needed("a:60+30 b:90+30", cleanup=0),
    _needed("a:60+30 b:60+10 c:60+60 d:75+5"),
    _needed("c:80+10 b:70+10 a:60+10"),
    _needed("a:0+100 b:10+20 c:20+20 d:35+100 e:45+5 f:50+5"),
    _needed("a:100+100 b:0+10 c:5+10 d:150+10 e:8+1"),
    _needed("a:0+10/500 b:0+10/1 c:20+10"),
    _needed("a:0+10 b:20+10 a:40+10"),
    _needed("a:0+10 A:0+10"),
    _needed(MANY, cleanup=60),
    ("needed", {"meetings": WIDE}),
    _assign("", "A:1"),
    _assign("a:0+10", "A:1"),
    _assign("a:0+10/2", "A:1"),
    _assign("a:0+10/500", "A:500 B:499"),
    _assign("a:0+10/4", "A:9 B:4 C:5"),
    _assign("a:0+10/4 b:0+10/4 c:0+10/4", "A:9 C:5 B:5"),
    _assign("a:0+10 b:5+10 c:10+10", "A:3"),
    _assign("a:0+10 b:10+10", "A:3", cleanup=1),
    _assign("a:0+10 b:10+10", "A:3", cleanup=1, delay=1),
    _assign("a:0+10 b:9+10", "A:3", delay=0),
    _assign("a:0+10 b:0+10 c:0+10 d:21+5", "A:3", delay=19),
    _assign("a:0+10 b:0+10 c:0+10 d:21+5", "A:3", delay=20),
    _assign("a:0+30/2 b:5+10/2 c:6+10/2", "A:9 B:2", delay=9),
    _assign("a:0+30/2 b:0+10/9 c:6+10/2", "A:9 B:2", delay=30),
    _assign("a:0+20/2 b:0+20/5 c:10+10/2", "A:9 B:2", delay=30),
    _assign("small:0+10/2 big:0+10/3", "A:4"),
    _assign("none:0+10 two:0+10/2 one:0+10/1", "A:4", delay=60),
    _assign("late:30+10/9 early:20+15/1", "A:9"),
    _assign("x:0+5/9 y:0+5/8 z:0+5/7 w:0+5/1", "A:7 B:6", delay=3),
    _assign("z:0+5/9 b:3+5/2 y:0+5/8 a:2+5/2", "A:2"),
    _assign("a:0+50 b:10+10 c:40+10 d:12+30", "A:1 B:1", delay=10),
    _assign("a:1430+480 b:1439+480", "A:1", delay=120),
    _assign("a:0+10 a:20+10", "A:1"),
    _assign("a:0+10 b:20+10", "A:1 B:2 A:3"),
    _assign("a:0+10 a:20+10", "A:1 A:1"),
    _assign("a:0+10 b:0+10", "a:1 A:1"),
    _assign(MANY, "A:20 B:12 C:8 D:8 E:3", cleanup=10, delay=45),
    ("assign", {"meetings": WIDE, "rooms": [{"name": wide(30), "capacity": 1}, {"name": "é" * 30, "capacity": 1}]}),
    _assign("a:0+10 b:0+10 c:0+10", " ".join(f"r{n}:1" for n in range(10)), cleanup=60, delay=120),
)

GOOD = _assign("a:0+10 b:20+10", "A:1 B:2")[1]


def _bad(**changes: Any) -> Input:
    """Valid arguments but for one meeting of which fields are changed."""
    meeting = {"name": "c", "start": 0, "minutes": 10, **changes}
    return "needed", {"meetings": [*GOOD["meetings"], {k: v for k, v in meeting.items() if v != "absent"}]}


def _bad_room(**changes: Any) -> Input:
    """Valid arguments but for one room of which fields are changed."""
    room = {"name": "C", "capacity": 1, **changes}
    return "assign", {**GOOD, "rooms": [*GOOD["rooms"], {k: v for k, v in room.items() if v != "absent"}]}


MALFORMED: tuple[Input, ...] = (
    ("needed", {}),
    ("needed", {"meetings": None}),
    ("needed", {"meetings": {}}),
    ("needed", {"meetings": [["a", 0, 10]]}),
    ("needed", {"meetings": _meetings(" ".join(f"m{n}:0+1" for n in range(41)))}),
    _bad(name="absent"),
    _bad(start="absent"),
    _bad(minutes="absent"),
    _bad(name=""),
    _bad(name=wide(31)),
    _bad(name=7),
    _bad(start=-1),
    _bad(start=1440),
    _bad(start=True),
    _bad(start=0.0),
    _bad(minutes=0),
    _bad(minutes=481),
    _bad(minutes="10"),
    _bad(people=0),
    _bad(people=501),
    _bad(people=None),
    _bad(people=False),
    ("needed", {"meetings": [*_meetings("a:0+1 a:0+1"), {"name": "b"}]}),
    ("needed", {"meetings": [], "cleanup": -1}),
    ("needed", {"meetings": [], "cleanup": 61}),
    ("needed", {"meetings": [], "cleanup": True}),
    ("needed", {"meetings": [], "cleanup": None}),
    ("assign", {"meetings": GOOD["meetings"]}),
    ("assign", {"rooms": GOOD["rooms"]}),
    ("assign", {**GOOD, "rooms": []}),
    ("assign", {**GOOD, "rooms": "A"}),
    ("assign", {**GOOD, "rooms": ["A"]}),
    ("assign", {**GOOD, "rooms": _rooms(" ".join(f"r{n}:1" for n in range(11)))}),
    _bad_room(name="absent"),
    _bad_room(capacity="absent"),
    _bad_room(name=""),
    _bad_room(name=wide(31)),
    _bad_room(capacity=0),
    _bad_room(capacity=501),
    _bad_room(capacity=1.0),
    ("assign", {**GOOD, "cleanup": 1.5}),
    ("assign", {**GOOD, "delay": -1}),
    ("assign", {**GOOD, "delay": 121}),
    ("assign", {**GOOD, "delay": True}),
)

FAMILY = Family(
    number=39,
    slug="meeting-rooms",
    category="scheduling",
    title="Meeting rooms",
    purpose="Plans the rooms for the meetings of a day: how many rooms they need, and which meeting goes into which of "
    "the rooms there are.",
    notes=NOTES,
    operations=(NEEDED, ASSIGN),
    program=program,
    # By start: b and a at 540, b with 6 people before a with 3; then d at 550, c at 570. b fits only into L: 540 to 600, free
    # at 610. a: S is smaller than L and free: 540 to 570, free at 580. d has 12 people: no room. c has 2: S is free at 580,
    # L at 610; S, 10 minutes late, is within 15: 580 to 640.
    golden=Case(
        op="assign",
        args={
            "meetings": _meetings("a:540+30/3 b:540+60/6 c:570+60/2 d:550+10/12"),
            "rooms": _rooms("L:8 S:4"),
            "cleanup": 10,
            "delay": 15,
        },
        expected={
            "rooms": [
                {"room": "L", "meetings": [{"meeting": "b", "start": 540, "end": 600}], "minutes": 60},
                {
                    "room": "S",
                    "meetings": [
                        {"meeting": "a", "start": 540, "end": 570},
                        {"meeting": "c", "start": 580, "end": 640},
                    ],
                    "minutes": 90,
                },
            ],
            "refused": [{"meeting": "d", "reason": "too_big"}],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
