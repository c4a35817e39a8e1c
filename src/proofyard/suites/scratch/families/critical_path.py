"""Contract, inputs and the golden case of the family `critical-path`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import critical_path as program

__all__ = ["FAMILY"]

NOTES = (
    "A project has tasks. A task takes `duration` units of time without a break and waits until all tasks in its "
    "`after` have ended; any number of tasks may run at the same time. Times are whole units, counted from 0.",
    "The **start** of a task is the earliest one that is possible: the greatest of 0, its `not_before`, and the ends "
    "of all tasks in its `after`. Its **end** is `duration` later. The **length** of the project is the greatest end of "
    "all tasks. A duration of 0 (a milestone) is nothing special.",
    "A task **follows** another directly if it has that one in its `after`. Names are compared exactly; one that stands "
    "in `after` twice counts once.",
)

TASKS = Param(
    name="tasks",
    type='array of 1 to 25 objects `{"name": string, "duration": integer, "after": [string, ...], "not_before": '
    "integer}`",
    text="the tasks in any order; `name` has 1 to 30 code points, `duration` is 0 to 1000; `after`, 0 to 10 names of 1 "
    "to 30 code points, may be left out for none; `not_before`, 0 to 10000, may be left out for 0; other keys are ignored",
)
ERRORS = (
    ErrorDoc(code="duplicate_task", when="two tasks have the same name"),
    ErrorDoc(
        code="unknown_task",
        when="a task has a name in its `after` that no task has",
        extra=(("task", "string: the name of the first such task in the order of `tasks`"),),
    ),
    ErrorDoc(code="cycle", when="a task waits for itself, directly or through others"),
)

PLAN = OperationDoc(
    name="plan",
    summary="The times and the slack of all tasks, and the critical path.",
    parameters=(TASKS,),
    result='`{"length": integer, "tasks": [{"task": string, "start": integer, "end": integer, "slack": integer, '
    '"free_slack": integer}, ...], "path": [string, ...]}`: the length of the project; the tasks in the order given; and '
    "the names of the tasks of the critical path from its first to its last.",
    errors=ERRORS,
    rules=(
        "The latest end of a task is the least latest start of the tasks that follow it directly, or the length of the "
        "project if none does; its latest start is `duration` before that. `slack` is the latest start minus the start. "
        "`not_before` plays no part in latest times.",
        "`free_slack` is the least start of the tasks that follow directly, or the length of the project if none does, "
        "minus the end of the task.",
        "The critical path is found from its end: its last task is the first one in `tasks` whose end is the length of "
        "the project. Before each task of the path comes the first one in `tasks` that is in its `after` and ends at "
        "its start; where there is none, the path begins.",
    ),
)

DELAY = OperationDoc(
    name="delay",
    summary="What changes if one task takes longer.",
    parameters=(
        TASKS,
        Param(name="task", type="string, 1 to 30 code points", text="the name of the task"),
        Param(name="by", type="integer, 1 to 1000", text="how much longer it takes"),
    ),
    result='`{"length": integer, "later": integer, "moved": [{"task": string, "by": integer}, ...]}`: the new length of '
    "the project; by how much it is greater than the old one; and each task whose start becomes later, in the order of "
    "`tasks`, with the difference of its starts.",
    errors=(*ERRORS, ErrorDoc(code="no_such_task", when="`task` is not the name of a task")),
)

NAMES = ("dig", "Pour", "pour", "walls", "roof", "wire", "paint", "göl", "検査", "a b", "hand over", "x")


def generate(rng: Random) -> Input:
    """One input of a random operation; names are in no order, so that tasks wait for later ones."""
    names = rng.sample(NAMES, rng.randint(4, 10))
    tasks: list[dict[str, Any]] = []
    for place, name in enumerate(names):
        task: dict[str, Any] = {"name": name, "duration": rng.choice((0, *range(1, 9)))}
        if place:
            task["after"] = rng.sample(names[:place], rng.randint(0, min(3, place)))
        if rng.random() < 0.2:
            task["not_before"] = rng.randint(1, 15)
        tasks.append(task)
    if rng.random() < 0.08:
        spoilt = rng.choice(tasks)
        spoilt.update(rng.choice(({"after": [names[-1]]}, {"after": ["nobody"]}, {"name": names[0]})))
    rng.shuffle(tasks)
    if rng.random() < 0.5:
        return "plan", {"tasks": tasks}
    named = rng.choice(names) if rng.random() < 0.95 else "someone"
    return "delay", {"tasks": tasks, "task": named, "by": rng.randint(1, 9)}


def _tasks(text: str) -> list[dict[str, Any]]:
    """Tasks from a short text: `a:3 b:2<a,c c:1@7` are a of 3 units, b after a and c, and c not before 7."""
    tasks = []
    for part in text.split():
        rest, _, not_before = part.partition("@")
        rest, waits, after = rest.partition("<")
        name, _, duration = rest.partition(":")
        task: dict[str, Any] = {"name": name, "duration": int(duration)}
        if waits:
            task["after"] = [other for other in after.split(",") if other]
        tasks.append({**task, "not_before": int(not_before)} if not_before else task)
    return tasks


def _plan(text: str) -> Input:
    return "plan", {"tasks": _tasks(text)}


def _delay(text: str, task: str, by: int) -> Input:
    return "delay", {"tasks": _tasks(text), "task": task, "by": by}


HOUSE = "roof:2<walls walls:5<dig dig:3 wire:4<walls paint:1<roof,wire permit:9 hand:0<paint,permit"
CHAIN = " ".join(f"t{n}:{n % 4}<t{n + 1}" for n in range(24)) + " t24:1000@10000"
FULL = " ".join(f"t{n}:{(n * 7) % 11}<" + ",".join(f"t{(n * k) // 12}" for k in range(1, 11) if n) for n in range(25))
WIDE = [{"name": wide(30), "duration": 2}, {"name": "é" * 30, "duration": 1, "after": [wide(30)]}]

BOUNDARY: tuple[Input, ...] = (
    _plan("d:2<b,c b:4<a c:2<a@3 a:1 e:1<c"),
    _plan("a:5"),
    _plan("a:0"),
    _plan("a:0@9"),
    _plan("a:1000@10000 b:3"),
    _plan("a:3 b:5 c:5"),
    _plan("b:2<a a:3"),
    _plan("b:2<a,a a:3"),
    _plan("a:2@0 b:1<a@0"),
    _plan("b:2< a:3<"),
    _plan("a:3 b:2<a c:2<a d:1<c,b"),
    _plan("d:1<c,b c:2<a b:2<a a:3"),
    _plan("d:1<b,c c:2<a b:2<a a:3"),
    _plan("a:2 b:2 c:3<b,a"),
    _plan("a:2 b:4<a@5 c:1<b"),
    _plan("a:2 b:4<a@2 c:1<b"),
    _plan("a:2 b:4<a@1 c:1<b"),
    _plan("a:2 b:4<a@5 c:8<a d:1<b,c"),
    _plan("a:3 z:0<a y:0<z b:2<y"),
    _plan("m:0 a:3<m b:3<m n:0<a,b"),
    _plan("a:0 b:0<a c:0<b"),
    _plan("a:4 b:1 c:1<b d:2<c,a"),
    _plan("a:4 b:1<a c:6 d:1<b,c e:2"),
    _plan("a:1 A:2<a"),
    _plan(HOUSE),
    _plan(CHAIN),
    _plan(FULL),
    ("plan", {"tasks": WIDE}),
    _plan("a:1 b:1 a:2"),
    _plan("a:1 a:2<x"),
    _plan("a:1<b b:1<x c:1<y"),
    _plan("a:1<b b:1<a,x"),
    _plan("a:1<A"),
    _plan("a:1<a"),
    _plan("x:1 a:1<c b:1<a c:1<b y:2<x"),
    _delay(HOUSE, "permit", 4),
    _delay(HOUSE, "permit", 5),
    _delay(HOUSE, "roof", 2),
    _delay(HOUSE, "roof", 3),
    _delay(HOUSE, "dig", 1),
    _delay(HOUSE, "hand", 1000),
    _delay("a:2 b:4<a@5 c:1<b", "a", 3),
    _delay("a:2 b:4<a@5 c:1<b", "a", 4),
    _delay("c:1<b b:4<a a:2 d:9", "a", 1),
    _delay("c:1<b b:4<a a:2 d:9", "a", 3),
    _delay("a:0", "a", 1),
    _delay(CHAIN, "t24", 1),
    _delay(FULL, "t3", 60),
    ("delay", {"tasks": WIDE, "task": wide(30), "by": 3}),
    ("delay", {"tasks": WIDE, "task": wide(29), "by": 3}),
    _delay("a:1", "A", 1),
    _delay("a:1 a:1", "b", 1),
    _delay("a:1<b", "b", 1),
    _delay("a:1<a", "b", 1),
    _delay("a:1<b b:1<a", "b", 1),
)

TWO = _tasks("a:1 b:2<a")


def _bad(**changes: Any) -> Input:
    """Valid arguments but for one task of which fields are changed."""
    task = {"name": "c", "duration": 1, **changes}
    return "plan", {"tasks": [*TWO, {key: value for key, value in task.items() if value != "absent"}]}


MALFORMED: tuple[Input, ...] = (
    ("plan", {}),
    ("plan", {"tasks": []}),
    ("plan", {"tasks": None}),
    ("plan", {"tasks": TWO[0]}),
    ("plan", {"tasks": ["a", "b"]}),
    ("plan", {"tasks": _tasks(" ".join(f"t{n}:1" for n in range(26)))}),
    _bad(name="absent"),
    _bad(duration="absent"),
    _bad(name=""),
    _bad(name=wide(31)),
    _bad(name=None),
    _bad(duration=-1),
    _bad(duration=1001),
    _bad(duration=True),
    _bad(duration=1.0),
    _bad(duration="1"),
    _bad(after="a"),
    _bad(after=None),
    _bad(after=[1]),
    _bad(after=["a", ""]),
    _bad(after=["a", wide(31)]),
    _bad(after=["a"] * 11),
    _bad(not_before=-1),
    _bad(not_before=10001),
    _bad(not_before=None),
    _bad(not_before=False),
    ("plan", {"tasks": [*TWO, *TWO, {"name": "c"}]}),
    ("delay", {"tasks": TWO, "task": "a"}),
    ("delay", {"tasks": TWO, "by": 1}),
    ("delay", {"task": "a", "by": 1}),
    ("delay", {"tasks": TWO, "task": "", "by": 1}),
    ("delay", {"tasks": TWO, "task": wide(31), "by": 1}),
    ("delay", {"tasks": TWO, "task": 1, "by": 1}),
    ("delay", {"tasks": TWO, "task": "a", "by": 0}),
    ("delay", {"tasks": TWO, "task": "a", "by": 1001}),
    ("delay", {"tasks": TWO, "task": "a", "by": True}),
    ("delay", {"tasks": TWO, "task": "a", "by": 2.0}),
    ("delay", {"tasks": [*TWO, *TWO], "task": "z", "by": None}),
)

FAMILY = Family(
    number=41,
    slug="critical-path",
    category="scheduling",
    title="Critical path",
    purpose="Plans the tasks of a project: when each can start, how much slack it has, which chain of tasks decides the "
    "length of the project, and what a delay changes.",
    notes=NOTES,
    operations=(PLAN, DELAY),
    program=program,
    # a 0-3. b after a 3-5. c after a, but not before 6: 6-7. d after b and c: max(5, 7) = 7-11. e 0-4. f after e and b: 5-11.
    # Length 11. Latest starts: d 7, f 5, c 7 - 1 = 6, b min(7, 5) - 2 = 3, e 5 - 4 = 1, a min(3, 6) - 3 = 0. Slack: only e
    # has 1. Free: a 3 - 3 = 0, b min(7, 5) - 5 = 0, c 7 - 7 = 0, e 5 - 4 = 1. d and f both end at 11; f stands first. At 5
    # ends b (e at 4), at 3 ends a.
    golden=Case(
        op="plan",
        args={"tasks": _tasks("f:6<e,b a:3 b:2<a c:1<a@6 d:4<b,c e:4")},
        expected={
            "length": 11,
            "tasks": [
                {"task": "f", "start": 5, "end": 11, "slack": 0, "free_slack": 0},
                {"task": "a", "start": 0, "end": 3, "slack": 0, "free_slack": 0},
                {"task": "b", "start": 3, "end": 5, "slack": 0, "free_slack": 0},
                {"task": "c", "start": 6, "end": 7, "slack": 0, "free_slack": 0},
                {"task": "d", "start": 7, "end": 11, "slack": 0, "free_slack": 0},
                {"task": "e", "start": 0, "end": 4, "slack": 1, "free_slack": 1},
            ],
            "path": ["a", "b", "f"],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
