"""Contract, inputs and the golden case of the family `round-robin`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import round_robin as program

__all__ = ["FAMILY"]

NOTES = (
    "One processor serves processes in turn. All times are whole units; time starts at 0. A process arrives at its "
    "`arrival`, needs the processor for `burst` units in all, and then is complete.",
    "**Queue.** Ready processes wait in one first-in-first-out queue. A process joins the end of it when it arrives; "
    "processes that arrive at the same time join in the order of `processes`. The processor takes the process at the "
    "head and runs it for one slice: for `quantum` units, or until it is complete if that is sooner. A process that "
    "is not complete at the end of its slice joins the end of the queue, after every process that has arrived up to "
    "and including that moment. Each turn is a slice of its own, even if the same process gets the processor again "
    "at once.",
    "**Idle.** When the queue is empty, the processor waits until the next arrival.",
    "**Switches.** When the process taken from the queue is not the one that had the slice before (whether or not "
    "the processor was idle in between), that is one switch: the slice begins `switch_cost` units after the process "
    "was taken. Which process is next is settled when it is taken; processes that arrive during the switch join the "
    "queue as usual. The first slice of all needs no switch.",
)

PROCESSES = Param(
    name="processes",
    type='array of 1 to 12 objects `{"name": string, "arrival": integer, "burst": integer}`',
    text="the processes in any order of arrival; `name` has 1 to 30 code points, `arrival` is 0 to 10000, `burst` 1 "
    "to 100; other keys are ignored",
)
SWITCH_COST = Param(name="switch_cost", type="integer, 0 to 10", text="units a switch takes; default 0", required=False)
DUPLICATE = ErrorDoc(code="duplicate_name", when="two processes have the same name")

SCHEDULE = OperationDoc(
    name="schedule",
    summary="The whole schedule for one quantum.",
    parameters=(
        PROCESSES,
        Param(name="quantum", type="integer, 1 to 100", text="the longest slice, in units"),
        SWITCH_COST,
    ),
    result='`{"slices": [[string, integer, integer], ...], "processes": [{"name": string, "response": integer, '
    '"completion": integer, "waiting": integer, "slices": integer}, ...], "switches": integer}`: each slice in order '
    "of time as `[name, start, end]`; for each process, in the order given, the time from its arrival to the start "
    "of its first slice, the time at which it is complete, its waiting time, and how many slices it had; and the "
    "number of switches.",
    errors=(DUPLICATE,),
    rules=(
        "Waiting is completion minus arrival minus burst: all the time in which the process was there and did not run.",
    ),
)

COMPARE = OperationDoc(
    name="compare",
    summary="Which of several quanta is best.",
    parameters=(
        PROCESSES,
        Param(
            name="quanta", type="array of 1 to 4 integers, each 1 to 100", text="the quanta to try; one may occur twice"
        ),
        SWITCH_COST,
    ),
    result='`{"best": integer, "results": [{"quantum": integer, "waiting": integer, "switches": integer, "end": '
    "integer}, ...]}`: the best quantum, and for each quantum in the order given the sum of the waiting of all "
    "processes, the number of switches, and the time at which the last process is complete.",
    errors=(DUPLICATE,),
    rules=(
        "Best is the quantum with the least waiting; of equals the one with the fewest switches, then the smallest "
        "quantum.",
    ),
)

NAMES = ("init", "Web", "web", "db", "cron", "génie", "p1", "p10", "p2", "作業", "shell", "x y")


def generate(rng: Random) -> Input:
    """One input of a random operation."""
    op = rng.choice(("schedule", "schedule", "compare"))
    names = rng.sample(NAMES, rng.randint(2, 6))
    if rng.random() < 0.03:
        names.append(names[0])
    latest = rng.choice((0, 6, 15, 60))
    args: dict[str, Any] = {"processes": [_process(name, rng.randint(0, latest), rng.randint(1, 12)) for name in names]}
    if op == "schedule":
        args["quantum"] = rng.randint(1, 6)
    else:
        args["quanta"] = [rng.randint(1, 9) for _ in range(rng.randint(2, 4))]
    if rng.random() < 0.6:
        args["switch_cost"] = rng.randint(0, 3)
    return op, args


def _process(name: str, arrival: int, burst: int) -> dict[str, Any]:
    return {"name": name, "arrival": arrival, "burst": burst}


def _args(processes: str, **more: Any) -> dict[str, Any]:
    """Arguments from short texts: processes `a:0:5 b:2:3` are name, arrival and burst."""
    read = [text.split(":") for text in processes.split()]
    return {"processes": [_process(name, int(arrival), int(burst)) for name, arrival, burst in read], **more}


MANY = " ".join(f"p{i}:{(7 * i) % 5}:{100 - i}" for i in range(12))

BOUNDARY: tuple[Input, ...] = (
    ("schedule", _args("a:0:3 b:1:2", quantum=2, switch_cost=1)),
    ("schedule", _args("a:0:3 b:1:2 a:4:1", quantum=2)),
    ("schedule", _args("a:0:1", quantum=1)),
    ("schedule", _args("a:7:5", quantum=2, switch_cost=10)),
    ("schedule", _args("a:0:4 b:2:4", quantum=2)),
    ("schedule", _args("a:0:4 b:3:4", quantum=2, switch_cost=0)),
    ("schedule", _args("a:0:4 b:2:2 c:2:2", quantum=4, switch_cost=3)),
    ("schedule", _args("c:5:1 a:5:1 b:0:1", quantum=3, switch_cost=2)),
    ("schedule", _args("a:0:2 b:10:2", quantum=5, switch_cost=3)),
    ("schedule", _args("a:0:2 b:1:6 c:3:2", quantum=2, switch_cost=2)),
    ("schedule", _args("a:0:3 b:4:1 c:5:1", quantum=1, switch_cost=10)),
    ("schedule", _args("a:10000:100", quantum=100)),
    ("schedule", _args("b:0:100 a:0:100", quantum=99, switch_cost=10)),
    ("schedule", _args("b:3:3 a:0:3 é:3:1", quantum=3)),
    ("schedule", _args("a:0:2 b:2:2 c:4:2", quantum=2, switch_cost=1)),
    ("schedule", _args("late:9:2 early:1:2 mid:4:9", quantum=2)),
    ("schedule", _args(MANY, quantum=17, switch_cost=1)),
    ("schedule", {"processes": [_process("n" * 30, 0, 5), _process("n" * 29, 2, 1)], "quantum": 3}),
    ("schedule", {"processes": [_process(wide(30), 0, 5), _process(wide(29), 2, 1)], "quantum": 3}),
    ("compare", {"processes": [_process(wide(30), 0, 5), _process("é" * 30, 2, 1)], "quanta": [3]}),
    ("compare", _args("a:0:3 a:1:2", quanta=[2])),
    ("compare", _args("a:0:9 b:0:9", quanta=[4, 3, 3])),
    ("compare", _args("a:0:5", quanta=[3, 2, 5, 1])),
    ("compare", _args("a:0:8 b:1:2 c:2:2", quanta=[100, 2, 1], switch_cost=1)),
    ("compare", _args("a:0:6 b:0:1", quanta=[6, 1, 2], switch_cost=0)),
    ("compare", _args("a:0:2 b:0:4 c:0:4", quanta=[2, 4], switch_cost=0)),
    ("compare", _args("a:3:2 b:20:4", quanta=[2], switch_cost=10)),
    ("compare", _args(MANY, quanta=[1, 50, 99, 100], switch_cost=10)),
    ("compare", _args("a:0:1 b:0:2 c:0:2", quanta=[2, 1])),
)

GOOD = _args("a:0:3", quantum=2)
PAIR = _args("a:0:3", quanta=[2])


def _bad(**changes: Any) -> dict[str, Any]:
    """Valid arguments with one process of which fields are changed; None takes the field away."""
    process = {**_process("b", 0, 1), **changes}
    return {**GOOD, "processes": [_process("a", 0, 3), {k: v for k, v in process.items() if v is not None}]}


MALFORMED: tuple[Input, ...] = (
    ("schedule", {"quantum": 2}),
    ("schedule", {"processes": GOOD["processes"]}),
    ("schedule", {**GOOD, "processes": []}),
    ("schedule", {**GOOD, "processes": GOOD["processes"][0]}),
    ("schedule", {**GOOD, "processes": [["a", 0, 3]]}),
    ("schedule", {**GOOD, "processes": [_process(f"p{i}", 0, 1) for i in range(13)]}),
    ("schedule", _bad(name=None)),
    ("schedule", _bad(arrival=None)),
    ("schedule", _bad(burst=None)),
    ("schedule", _bad(name="")),
    ("schedule", _bad(name="n" * 31)),
    ("schedule", _bad(name=wide(31))),
    ("schedule", {"processes": [*[_process("a", 0, 3)] * 2, _process("b", 0, 101)], "quantum": 2}),
    ("compare", {"processes": [_process("a", 0, 3)] * 2, "quanta": [1, 101]}),
    ("schedule", _bad(name=1)),
    ("schedule", _bad(arrival=-1)),
    ("schedule", _bad(arrival=10001)),
    ("schedule", _bad(arrival=1.0)),
    ("schedule", _bad(arrival=True)),
    ("schedule", _bad(burst=0)),
    ("schedule", _bad(burst=101)),
    ("schedule", _bad(burst="1")),
    ("schedule", _bad(burst=True)),
    ("schedule", {**GOOD, "quantum": 0}),
    ("schedule", {**GOOD, "quantum": 101}),
    ("schedule", {**GOOD, "quantum": True}),
    ("schedule", {**GOOD, "quantum": 2.0}),
    ("schedule", {**GOOD, "switch_cost": -1}),
    ("schedule", {**GOOD, "switch_cost": 11}),
    ("schedule", {**GOOD, "switch_cost": None}),
    ("schedule", {**GOOD, "switch_cost": False}),
    ("compare", GOOD),
    ("compare", {"quanta": [2]}),
    ("compare", {**PAIR, "quanta": 2}),
    ("compare", {**PAIR, "quanta": []}),
    ("compare", {**PAIR, "quanta": [1, 2, 3, 4, 5]}),
    ("compare", {**PAIR, "quanta": [1, 0]}),
    ("compare", {**PAIR, "quanta": [1, True]}),
    ("compare", {**PAIR, "switch_cost": 1.5}),
)

FAMILY = Family(
    number=40,
    slug="round-robin",
    category="scheduling",
    title="Round-robin scheduling",
    purpose="Plans how one processor serves processes in turn, each for at most one quantum at a time, and tells "
    "what that means for each process and which quantum is best.",
    notes=NOTES,
    operations=(SCHEDULE, COMPARE),
    program=program,
    # a runs 0-2 (1 left). b arrived at 1 and c at 2, so the queue is b, c, a. Switch: b runs 3-5 and is complete. Switch: c
    # runs 6-8 (1 left), queue a, c. Switch: a runs 9-10, complete. Switch: c runs 11-12, complete. Idle until d arrives at
    # 20; switch: d runs 21-22. Waiting = completion - arrival - burst: a 10-0-3 = 7, b 5-1-2 = 2, c 12-2-3 = 7, d 22-20-1 = 1.
    golden=Case(
        op="schedule",
        args=_args("d:20:1 a:0:3 b:1:2 c:2:3", quantum=2, switch_cost=1),
        expected={
            "slices": [["a", 0, 2], ["b", 3, 5], ["c", 6, 8], ["a", 9, 10], ["c", 11, 12], ["d", 21, 22]],
            "processes": [
                {"name": "d", "response": 1, "completion": 22, "waiting": 1, "slices": 1},
                {"name": "a", "response": 0, "completion": 10, "waiting": 7, "slices": 2},
                {"name": "b", "response": 2, "completion": 5, "waiting": 2, "slices": 1},
                {"name": "c", "response": 4, "completion": 12, "waiting": 7, "slices": 2},
            ],
            "switches": 5,
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
