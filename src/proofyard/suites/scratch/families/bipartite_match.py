"""Contract, inputs and the golden case of the family `bipartite-match`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import bipartite_match as program

__all__ = ["FAMILY"]

NOTES = (
    "An **assignment** gives each person one of the tasks in their `can` list, or none. A task takes at most as many "
    "people as it has `places`. The assignment is **full** if no assignment gives a task to more people; there may be "
    "several full ones.",
    "A `can` list is in the order in which the person prefers the tasks, the best one first. A task that is listed "
    "again further back says nothing new. A person may have the same name as a task.",
    "Names are compared exactly.",
)

ARGUMENTS = (
    Param(
        name="people",
        type='array of 1 to 8 objects `{"name": string, "can": [string, ...]}`',
        text="the people; `name` has 1 to 30 code points, `can` holds 0 to 5 names of tasks, each of 1 to 30 code "
        "points; other keys are ignored",
    ),
    Param(
        name="tasks",
        type='array of 1 to 8 objects `{"name": string, "places": integer}`',
        text="the tasks; `name` has 1 to 30 code points, `places` is 1 to 3; other keys are ignored",
    ),
)

ERRORS = (
    ErrorDoc(code="duplicate_person", when="two people have the same name"),
    ErrorDoc(code="duplicate_task", when="two tasks have the same name"),
    ErrorDoc(
        code="unknown_task",
        when="a person's `can` holds a name that is not among `tasks`",
        extra=(("person", "string: the name of the first such person"),),
    ),
)

ASSIGN = OperationDoc(
    name="assign",
    summary="The best of all full assignments.",
    parameters=ARGUMENTS,
    result='`{"assigned": integer, "people": [{"person": string, "task": string or null}, ...], "free": [{"task": '
    'string, "places": integer}, ...]}`: how many people have a task; each person in the order of `people` with their '
    "task, `null` for none; and the tasks that have places left, in the order of `tasks`, with how many.",
    errors=ERRORS,
    rules=(
        "Two full assignments are compared at the first person, in the order of `people`, to whom they give "
        "different tasks: the one that gives this person the task that comes earlier in their `can` list is better, and "
        "any task is better than none. A full assignment always comes before one that is not full.",
    ),
)

CHOICES = OperationDoc(
    name="choices",
    summary="What each person may do in any full assignment.",
    parameters=ARGUMENTS,
    result='`{"people": [{"person": string, "possible": [string, ...], "always": boolean}, ...]}`: each person in the '
    "order of `people`, with the tasks that at least one full assignment gives to them, and whether every full "
    "assignment gives them a task.",
    errors=ERRORS,
    rules=("`possible` has each task once, in the order in which `can` names them first.",),
)

SHORTAGE = OperationDoc(
    name="shortage",
    summary="The people for whom there are too few places.",
    parameters=ARGUMENTS,
    result='`{"shortage": integer, "people": [string, ...], "tasks": [string, ...]}`: the greatest shortage, the '
    "smallest group that has it, in the order of `people`, and the tasks that this group can do, in the order of "
    "`tasks`.",
    errors=ERRORS,
    rules=(
        "The shortage of a group of people is the number of its people less the number of all places of the tasks that "
        "at least one of them can do (each task counted once). It may be negative; the empty group has the shortage 0, "
        "with no people and no tasks.",
        "Of all groups that have the greatest shortage, exactly one has the fewest people: it is the one returned. If "
        "the greatest shortage is 0, that is the empty group.",
    ),
)

PEOPLE = ("Ann", "bo", "Cy", "Éva", "dan", "Zoë", "eli", "Flo", "gus", "hal")
TASKS = ("cook", "Wash", "dry", "sweep", "shop", "été", "x 1", "Ann")


def generate(rng: Random) -> Input:
    """One input of a random operation; often more people than places, so that someone goes without."""
    op = rng.choice(("assign", "assign", "choices", "shortage"))
    people = rng.sample(PEOPLE, rng.randint(4, 8))
    tasks = rng.sample(TASKS, rng.randint(3, 7))
    liked = [*tasks, *tasks[: len(tasks) // 2] * 2]
    args: dict[str, Any] = {
        "people": [{"name": name, "can": rng.sample(liked, rng.choice((0, 1, 1, 2, 2, 2, 3, 4)))} for name in people],
        "tasks": [{"name": name, "places": rng.choice((1, 1, 1, 1, 2, 3))} for name in tasks],
    }
    if rng.random() < 0.03:
        args["tasks"][-1] = args["tasks"][0]
    if rng.random() < 0.03:
        rng.choice(args["people"])["can"] = [tasks[0], "nap"]
    if rng.random() < 0.02:
        args["people"][-1] = args["people"][0]
    return op, args


def _args(people: str, tasks: str) -> dict[str, Any]:
    """Arguments from short texts: people `a:x,y b:`, tasks `x:1 y:2`."""
    named = [text.split(":") for text in people.split()]
    rooms = [text.split(":") for text in tasks.split()]
    return {
        "people": [{"name": name, "can": can.split(",") if can else []} for name, can in named],
        "tasks": [{"name": name, "places": int(places)} for name, places in rooms],
    }


WIDE = wide(30)
WIDE_ARGS: dict[str, Any] = {
    "people": [{"name": WIDE, "can": [WIDE]}, {"name": "b", "can": [WIDE]}],
    "tasks": [{"name": WIDE, "places": 1}],
}
EIGHT = _args(
    " ".join(f"p{i}:{','.join(f't{(i * k) % 8}' for k in (1, 3, 5, 7, 2))}" for i in range(8)),
    " ".join(f"t{i}:{1 + i % 3}" for i in range(8)),
)
CROWD = _args(" ".join(f"p{i}:t5,t4,t3,t2,t1" for i in range(8)), " ".join(f"t{i}:1" for i in range(6)))
CHAIN = "a:x b:x,y c:y,z d:z,w e:w"
LONG = _args("a:a a:x,q b:", "x:1 x:2")

BOUNDARY: tuple[Input, ...] = (
    ("shortage", _args("ann:cook bo:cook,dry cy:dry dan:sweep,cook eli:", "dry:1 cook:1 sweep:1")),
    ("assign", _args("a:x a:y", "x:1 x:1")),
    ("assign", _args("a:q b:x", "x:1 y:1 x:2")),
    ("assign", _args("a:x b:y,q c:r", "x:1 y:1")),
    ("assign", _args("a:x b:X", "x:1")),
    ("assign", _args("a:x", "x:1")),
    ("assign", _args("a: b:", "x:2")),
    ("assign", _args("a:x b:x", "x:1")),
    ("assign", _args("a:y,x b:y", "x:1 y:1")),
    ("assign", _args("a:y,x b:y", "x:1 y:2")),
    ("assign", _args("a:x b:x c:x d:x", "x:3 y:3")),
    ("assign", _args("a:x,y b:x,y c:y,x", "x:1 y:1")),
    ("assign", _args("c:y,x b:x,y a:x,y", "x:1 y:1")),
    ("assign", _args("a:x,x,x b:x", "x:2 y:1")),
    ("assign", _args("x:x y:x", "y:1 x:1")),
    ("assign", _args(CHAIN, "x:1 y:1 z:1 w:1")),
    ("assign", _args("a:x,y b:x,z c:y,z d:x", "w:2 z:1 y:1 x:1")),
    ("assign", _args("a: b:z,y,x c:z d:y,z", "x:1 y:1 z:1")),
    ("assign", EIGHT),
    ("assign", CROWD),
    ("assign", WIDE_ARGS),
    ("choices", _args("a:x a:y", "y:1")),
    ("choices", _args("a:q b:x", "x:1 x:1")),
    ("choices", _args("a:x b:x,y,z", "x:1 y:1")),
    ("choices", _args("a: b:x", "x:1")),
    ("choices", _args("a:x b:x", "x:1")),
    ("choices", _args("a:x b:x", "x:2")),
    ("choices", _args("a:y,x,y b:x,y,x", "x:1 y:1")),
    ("choices", _args("a:y,x,y,x b:x", "x:1 y:1")),
    ("choices", _args(CHAIN, "x:1 y:1 z:1 w:1")),
    ("choices", _args("a:x b:x,y c:y,z d:z,w", "x:1 y:1 z:1 w:1")),
    ("choices", EIGHT),
    ("choices", CROWD),
    ("choices", WIDE_ARGS),
    ("shortage", LONG),
    ("shortage", _args("a:a b:x,q", "x:1 x:2")),
    ("shortage", _args("a:a b:x,q", "x:1 a:2")),
    ("shortage", _args("a:x b:x,q", "x:1 a:2")),
    ("shortage", _args("a:x", "x:1 y:1")),
    ("shortage", _args("a:", "x:1")),
    ("shortage", _args("a:x b:x", "x:2")),
    ("shortage", _args("a:x b:x c:x d:y e:y", "y:1 x:2")),
    ("shortage", _args("e:y d:y b: a:x c:x,z", "z:1 y:1 x:2")),
    ("shortage", _args("a:x,y b:y,x c:x,y d:z,x e:z,w", "w:1 y:1 x:1 z:1")),
    ("shortage", _args("a:x,x b:x,x", "x:1")),
    ("shortage", _args(CHAIN, "x:1 y:1 w:1 z:1")),
    ("shortage", CROWD),
    ("shortage", WIDE_ARGS),
)

GOOD = _args("a:x b:x", "x:1")
PERSON, TASK = GOOD["people"][0], GOOD["tasks"][0]

MALFORMED: tuple[Input, ...] = (
    ("assign", {"people": GOOD["people"]}),
    ("assign", {"tasks": GOOD["tasks"]}),
    ("assign", {**GOOD, "people": []}),
    ("assign", {**GOOD, "people": {"a": ["x"]}}),
    ("assign", {**GOOD, "people": ["a"]}),
    ("assign", {**GOOD, "people": [{"name": f"p{i}", "can": []} for i in range(9)]}),
    ("assign", {**GOOD, "people": [PERSON, {"name": "b"}]}),
    ("assign", {**GOOD, "people": [PERSON, {"can": ["x"]}]}),
    ("assign", {**GOOD, "people": [{**PERSON, "name": ""}]}),
    ("assign", {**GOOD, "people": [{**PERSON, "name": "n" * 31}]}),
    ("assign", {**GOOD, "people": [{**PERSON, "name": wide(31)}]}),
    ("assign", {**GOOD, "people": [{**PERSON, "can": "x"}]}),
    ("assign", {**GOOD, "people": [{**PERSON, "can": None}]}),
    ("assign", {**GOOD, "people": [{**PERSON, "can": ["x"] * 6}]}),
    ("assign", {**GOOD, "people": [{**PERSON, "can": ["x", 1]}]}),
    ("assign", {**GOOD, "people": [{**PERSON, "can": ["x", ""]}]}),
    ("assign", {**GOOD, "people": [{**PERSON, "can": ["x", wide(31)]}]}),
    ("assign", {**GOOD, "tasks": []}),
    ("assign", {**GOOD, "tasks": ["x"]}),
    ("assign", {**GOOD, "tasks": [{"name": f"t{i}", "places": 1} for i in range(9)]}),
    ("assign", {**GOOD, "tasks": [{"name": "x"}]}),
    ("assign", {**GOOD, "tasks": [{"places": 1}]}),
    ("assign", {**GOOD, "tasks": [TASK, {"name": "y", "places": 0}]}),
    ("assign", {**GOOD, "tasks": [TASK, {"name": "y", "places": 4}]}),
    ("assign", {**GOOD, "tasks": [{**TASK, "places": True}]}),
    ("assign", {**GOOD, "tasks": [{**TASK, "places": 1.0}]}),
    ("assign", {**GOOD, "tasks": [{**TASK, "places": "1"}]}),
    ("assign", {**GOOD, "tasks": [{**TASK, "name": wide(31)}]}),
    ("assign", {**GOOD, "tasks": [{**TASK, "name": ["x"]}]}),
    ("assign", {"people": [PERSON, PERSON, {**PERSON, "can": [0]}], "tasks": GOOD["tasks"]}),
    ("choices", {"people": GOOD["people"]}),
    ("choices", {**GOOD, "people": [PERSON, None]}),
    ("choices", {**GOOD, "tasks": [{**TASK, "places": None}]}),
    ("shortage", {"tasks": GOOD["tasks"]}),
    ("shortage", {**GOOD, "people": "a"}),
    ("shortage", {**GOOD, "tasks": TASK}),
)

FAMILY = Family(
    number=36,
    slug="bipartite-match",
    category="graphs",
    title="Bipartite matching",
    purpose="Assigns people to tasks with a few places each, so that as many people as possible have one; tells which "
    "other assignments would be as good, and who lacks places.",
    notes=NOTES,
    operations=(ASSIGN, CHOICES, SHORTAGE),
    program=program,
    # At most 4 of the 5: ann, cy and dan share only cook and dry, of one place each; bo and eli can both sweep. So in a full
    # assignment bo does not dry, for that would leave one place to the three. ann: her first, dry, leaves cook to cy or dan.
    # bo: dry is gone, so sweep. cy: cook. dan: nothing is left. eli: sweep, the second of three places.
    golden=Case(
        op="assign",
        args=_args("ann:dry,cook bo:dry,sweep cy:cook dan:cook,dry eli:sweep", "sweep:3 cook:1 dry:1"),
        expected={
            "assigned": 4,
            "people": [
                {"person": "ann", "task": "dry"},
                {"person": "bo", "task": "sweep"},
                {"person": "cy", "task": "cook"},
                {"person": "dan", "task": None},
                {"person": "eli", "task": "sweep"},
            ],
            "free": [{"task": "sweep", "places": 1}],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
