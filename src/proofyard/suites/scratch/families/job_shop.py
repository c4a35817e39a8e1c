"""Contract, inputs and the golden case of the family `job-shop`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import job_shop as program

__all__ = ["FAMILY"]

NOTES = (
    "Each job has steps that are done in the order given. A step takes one machine for `time` units without a break; a "
    "machine does one step at a time, a job has one step at a time. Two steps of a job may need the same machine. All "
    "times are whole units, counted from 0; what ends at a time makes room for what starts at that time.",
    "A job is **ready** for its first step at its `release`, for any other when the step before ends. A machine is "
    "**free** from 0 on, later from the end of the step that was last put on it: a step never goes into a gap before "
    "steps that are already planned on its machine. The **earliest start** of the next step of a job is the first time "
    "at which the job is ready for it and its machine is free.",
    "A plan is made by putting one step after the other at its earliest start. Names of jobs and machines are compared "
    "exactly.",
)

JOBS = Param(
    name="jobs",
    type='array of 1 to 8 objects `{"name": string, "release": integer, "steps": [{"machine": string, "time": '
    "integer}, ...]}`",
    text="the jobs; `name` and `machine` have 1 to 30 code points, `release` is 0 to 1000 and may be left out for 0, "
    "each job has 1 to 6 steps, `time` is 1 to 100; other keys are ignored",
)
DUPLICATE = ErrorDoc(code="duplicate_job", when="two jobs have the same name")
RESULT = (
    '`{"makespan": integer, "steps": [{"job": string, "step": integer, "machine": string, "start": integer, "end": '
    'integer}, ...], "machines": [{"machine": string, "busy": integer, "idle": integer}, ...]}`: the end of the step '
    "that ends last; all steps in the order in which they were put (which need not be that of their starts), `step` "
    "counted from 1 within the job; and for each machine that occurs, ordered by name by code point, the sum of the "
    "times of its steps, and the units between the start of its first and the end of its last step in which it does "
    "nothing."
)

SEQUENCE = OperationDoc(
    name="sequence",
    summary="The plan for a given order.",
    parameters=(
        JOBS,
        Param(
            name="order",
            type="array of 1 to 48 strings, each of 1 to 30 code points",
            text="names of jobs; each job occurs as often as it has steps",
        ),
    ),
    result=RESULT,
    errors=(
        DUPLICATE,
        ErrorDoc(code="unknown_job", when="`order` has a name that no job has"),
        ErrorDoc(
            code="wrong_count",
            when="a job does not occur in `order` exactly as often as it has steps",
            extra=(("job", "string: the name of the first such job in the order of `jobs`"),),
        ),
    ),
    rules=("Going through `order`, each name puts the next step of that job.",),
)

DISPATCH = OperationDoc(
    name="dispatch",
    summary="The plan that a dispatching rule makes.",
    parameters=(
        JOBS,
        Param(
            name="rule",
            type="string: `shortest`, `longest`, `most_left` or `first_in`",
            text="which step goes first if several could",
        ),
    ),
    result=RESULT,
    errors=(DUPLICATE,),
    rules=(
        "Until all is planned: of the next steps of all jobs, those with the least earliest start are looked at, "
        "whatever their machines, and one of them is put. `shortest` takes the one with the least `time`, `longest` "
        "the one with the greatest, `most_left` the one whose job has the greatest sum of times of all steps that are "
        "not yet put (this one included), `first_in` the one for which its job has been ready longest (since the least "
        "time). Of equals the one whose job stands first in `jobs` is put. Then the earliest starts are worked out "
        "anew.",
    ),
)

JOB_NAMES = ("axle", "Bolt", "bolt", "cog", "dübel", "été", "歯車", "j 7")
MACHINES = ("saw", "Mill", "mill", "press", "öfen")


def generate(rng: Random) -> Input:
    """One input of a random operation; few machines, so that jobs are in each other's way."""
    machines = rng.sample(MACHINES, rng.randint(2, 4))
    names = rng.sample(JOB_NAMES, rng.randint(2, 5))
    if rng.random() < 0.03:
        names.append(names[0])
    jobs: list[dict[str, Any]] = []
    for name in names:
        steps = [{"machine": rng.choice(machines), "time": rng.randint(1, 7)} for _ in range(rng.randint(1, 4))]
        jobs.append({"name": name, "steps": steps})
        if rng.random() < 0.4:
            jobs[-1]["release"] = rng.randint(0, 9)
    if rng.random() < 0.6:
        return "dispatch", {"jobs": jobs, "rule": rng.choice(("shortest", "longest", "most_left", "first_in"))}
    order = [job["name"] for job in jobs for _ in job["steps"]]
    rng.shuffle(order)
    if rng.random() < 0.06:
        order[0] = rng.choice((names[-1], "nut"))
    return "sequence", {"jobs": jobs, "order": order}


def _jobs(text: str) -> list[dict[str, Any]]:
    """Jobs from a short text: `a:m1,n2 b@3:m4` are the job a with two steps, and b with one and a release of 3."""
    jobs = []
    for part in text.split():
        head, _, steps = part.partition(":")
        name, _, release = head.partition("@")
        job: dict[str, Any] = {"name": name, "steps": [{"machine": s[0], "time": int(s[1:])} for s in steps.split(",")]}
        jobs.append({**job, "release": int(release)} if release else job)
    return jobs


def _sequence(jobs: str, order: str) -> Input:
    return "sequence", {"jobs": _jobs(jobs), "order": order.split()}


def _dispatch(jobs: str, rule: str) -> Input:
    return "dispatch", {"jobs": _jobs(jobs), "rule": rule}


THREE = "a:m3,n2,o2 b:m2,o1,n4 c:n4,o3"
SAME = "a:m2,n3 b:m2,n1 c:m2,n2"
MIXED = "a@2:m4,n3 b:m6,n1,m2 c@1:n5,m2,n2 d@2:m4,o9 e@6:m1,o1"
WIDE = [
    {"name": wide(30), "steps": [{"machine": wide(30), "time": 2}] * 2},
    {"name": "é" * 30, "steps": [{"machine": "m", "time": 1}]},
]
MOST = [
    {
        "name": f"j{n}",
        "release": 1000 - n,
        "steps": [{"machine": f"m{(n + i) % 5}", "time": 100 - n * i} for i in range(6)],
    }
    for n in range(8)
]

BOUNDARY: tuple[Input, ...] = (
    _dispatch("a:m4,n2 b:m2,n5 c@1:n3,m1", "shortest"),
    _sequence("a:m5", "a"),
    _sequence("a@7:m5", "a"),
    _sequence("a@0:m1 b@1000:m100", "b a"),
    _sequence(THREE, "a b c a b c a b"),
    _sequence(THREE, "c c b b b a a a"),
    _sequence(THREE, "a a a b b b c c"),
    _sequence("a:m9,n1 b:n2,m1", "a a b b"),
    _sequence("a:m2,m3,n1 b:m1", "a b a a"),
    _sequence("a@5:m2 b:m2 c@9:m1", "a b c"),
    _sequence("a:z1 b:M1 c:m1 d:12", "d c b a"),
    _sequence("a:m3,n5 b:n1,m1", "a b a b"),
    _sequence("a:m1 a:m2", "a a"),
    _sequence("a:m1 a:m2", "b"),
    _sequence("a:m1 b:m2", "a c"),
    _sequence("a:m1,m1 b:m2", "A a b"),
    _sequence("a:m1,m1 b:m2", "a b"),
    _sequence("a:m1 b:m2", "a b b"),
    _sequence("a:m1 b:m2,m1 c:m1,m1", "a"),
    _sequence("a:m1 b:m2", "b a a c"),
    ("sequence", {"jobs": WIDE, "order": [wide(30), "é" * 30, wide(30)]}),
    ("sequence", {"jobs": WIDE, "order": [wide(30), "é" * 29]}),
    ("sequence", {"jobs": MOST, "order": [f"j{(n * 5) % 8}" for n in range(48)]}),
    _dispatch("a:m1", "first_in"),
    _dispatch("a:m1 a:m2", "longest"),
    *(_dispatch(SAME, rule) for rule in ("shortest", "longest", "most_left", "first_in")),
    *(_dispatch(MIXED, rule) for rule in ("shortest", "longest", "most_left", "first_in")),
    _dispatch("b:m2,n2 a:m2,n2", "longest"),
    _dispatch("a:m1,n9 b:m5 c:m2,n4", "most_left"),
    _dispatch("a:m1,n1 b:m1,n9 c:m5,n5", "most_left"),
    _dispatch("a@3:m2 b@1:m2 c@2:m2 d:m4", "first_in"),
    _dispatch("a@2:m3 b:m1,m4 c:n2,m1 d:n1", "first_in"),
    _dispatch("a@0:m2 b:m1", "first_in"),
    _dispatch("a@5:m1 b:m6", "shortest"),
    _dispatch("a@4:m1 b:m6", "longest"),
    _dispatch("a:m3,m1,m1 b:m2,m2", "shortest"),
    _dispatch("a:n3,m4 b:m3,m9 c:o2,m1", "longest"),
    _dispatch("a:m3,n3 b:n3,m3 c:m3", "shortest"),
    ("dispatch", {"jobs": WIDE, "rule": "shortest"}),
    ("dispatch", {"jobs": MOST, "rule": "most_left"}),
)

ONE = _jobs("a:m1,n2 b:m3")
STEP: dict[str, Any] = {"machine": "m", "time": 1}
ORDER = ["a", "b", "a"]


def _bad(**changes: Any) -> Input:
    """Valid arguments but for one job of which fields are changed."""
    return "dispatch", {"jobs": [*ONE, {"name": "c", "steps": [STEP], **changes}], "rule": "shortest"}


MALFORMED: tuple[Input, ...] = (
    ("sequence", {"order": ORDER}),
    ("sequence", {"jobs": ONE}),
    ("sequence", {"jobs": [], "order": ORDER}),
    ("sequence", {"jobs": ONE[0], "order": ["a", "a"]}),
    ("sequence", {"jobs": ONE, "order": []}),
    ("sequence", {"jobs": ONE, "order": "aba"}),
    ("sequence", {"jobs": ONE, "order": ["a", "b", 1]}),
    ("sequence", {"jobs": ONE, "order": [*ORDER, ""]}),
    ("sequence", {"jobs": ONE, "order": [*ORDER, wide(31)]}),
    ("sequence", {"jobs": ONE, "order": ["a"] * 49}),
    ("sequence", {"jobs": [*ONE, *ONE, {"name": "c"}], "order": ORDER}),
    ("dispatch", {"jobs": ONE}),
    ("dispatch", {"rule": "shortest"}),
    ("dispatch", {"jobs": ONE, "rule": "random"}),
    ("dispatch", {"jobs": ONE, "rule": None}),
    ("dispatch", {"jobs": ONE, "rule": 1}),
    ("dispatch", {"jobs": _jobs(" ".join(f"j{n}:m1" for n in range(9))), "rule": "shortest"}),
    ("dispatch", {"jobs": [["a", [STEP]]], "rule": "shortest"}),
    ("dispatch", {"jobs": [{"steps": [STEP]}], "rule": "shortest"}),
    ("dispatch", {"jobs": [{"name": "a"}], "rule": "shortest"}),
    _bad(name=""),
    _bad(name=wide(31)),
    _bad(name=3),
    _bad(release=-1),
    _bad(release=1001),
    _bad(release=True),
    _bad(release=None),
    _bad(release=1.0),
    _bad(steps=[]),
    _bad(steps=STEP),
    _bad(steps=[STEP] * 7),
    _bad(steps=[{"machine": "m"}]),
    _bad(steps=[{"time": 1}]),
    _bad(steps=[["m", 1]]),
    _bad(steps=[{"machine": "", "time": 1}]),
    _bad(steps=[{"machine": wide(31), "time": 1}]),
    _bad(steps=[{"machine": 1, "time": 1}]),
    _bad(steps=[STEP, {"machine": "m", "time": 0}]),
    _bad(steps=[{"machine": "m", "time": 101}]),
    _bad(steps=[{"machine": "m", "time": 1.0}]),
    _bad(steps=[{"machine": "m", "time": False}]),
)

FAMILY = Family(
    number=38,
    slug="job-shop",
    category="scheduling",
    title="Job-shop scheduling",
    purpose="Plans a job shop, where jobs pass over machines in orders of their own: by a given order of turns, or by a "
    "dispatching rule.",
    notes=NOTES,
    operations=(SEQUENCE, DISPATCH),
    program=program,
    # b1: m from 0 to 2. a1 after it on m: 2 to 5. b2 on n: 2 to 6. c1 on n, released at 1, but n is free at 6: 6 to 7. a2 on n:
    # ready at 5, free at 7: 7 to 9. b3 on m: b is ready at 6, m free at 5: 6 to 7. c2 on m: ready at 7, free at 7: 7 to
    # 10. m: busy 2 + 3 + 1 + 3 = 9 of 0 to 10, idle 1; n: busy 4 + 1 + 2 = 7 of 2 to 9, idle 0.
    golden=Case(
        op="sequence",
        args={"jobs": _jobs("a:m3,n2 b:m2,n4,m1 c@1:n1,m3"), "order": ["b", "a", "b", "c", "a", "b", "c"]},
        expected={
            "makespan": 10,
            "steps": [
                {"job": "b", "step": 1, "machine": "m", "start": 0, "end": 2},
                {"job": "a", "step": 1, "machine": "m", "start": 2, "end": 5},
                {"job": "b", "step": 2, "machine": "n", "start": 2, "end": 6},
                {"job": "c", "step": 1, "machine": "n", "start": 6, "end": 7},
                {"job": "a", "step": 2, "machine": "n", "start": 7, "end": 9},
                {"job": "b", "step": 3, "machine": "m", "start": 6, "end": 7},
                {"job": "c", "step": 2, "machine": "m", "start": 7, "end": 10},
            ],
            "machines": [{"machine": "m", "busy": 9, "idle": 1}, {"machine": "n", "busy": 7, "idle": 0}],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
