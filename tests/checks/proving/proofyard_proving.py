"""A small suite of real sessions, installed as a plug-in by the tests; `PROVING` names what is wrong with its second task."""

import os
from collections.abc import Sequence

import msgspec

from proofyard.core import (
    Blobs,
    Brief,
    GraderSpec,
    Hidden,
    MemoryBlobs,
    Outcome,
    Place,
    Reason,
    Row,
    Scenario,
    Session,
    Solution,
    Step,
    Task,
    UnknownNameError,
    tree_of,
)

BLOBS = MemoryBlobs()
IDS = ("proving-one-a", "proving-two-b", "proving-two-c")

RIGHT = """\
import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    n = request["args"].get("n")
    if isinstance(n, int):
        answer = {"id": request["id"], "ok": True, "result": 2 * n}
    else:
        answer = {"id": request["id"], "ok": False, "error": {"code": "invalid_args", "message": ""}}
    print(json.dumps(answer), flush=True)
"""
OTHER = RIGHT.replace("2 * n", "n + n")
WRONG = RIGHT.replace("2 * n", "4")
LENIENT = RIGHT.replace("isinstance(n, int)", "True")
SILENT = RIGHT.replace(", flush=True", "")
ALIKE = RIGHT.replace("2 * n", "n * 2")

BROKEN: dict[str, dict[str, tuple[str, Reason] | str | None]] = {
    "": {},
    "reference fails": {"reference": WRONG},
    "shortcut passes": {"constant": (RIGHT + "# passes\n", Reason.WRONG_RESULT)},
    "shortcut is none": {"alike": (ALIKE, Reason.WRONG_RESULT)},
    "other reason": {"constant": (WRONG, Reason.CRASH)},
    "waits for nothing": {"silent": (RIGHT + "# answers\n", Reason.TIMEOUT)},
    "no alternative": {"alternative": None},
    "alternative fails": {"alternative": LENIENT},
    "one of two alternatives fails": {"second": LENIENT},
}


def programs(fault: str) -> dict[str, tuple[str, Reason] | str | None]:
    return {
        "reference": RIGHT,
        "alternative": OTHER,
        "constant": (WRONG, Reason.WRONG_RESULT),
        "lenient": (LENIENT, Reason.CRASH),
        "silent": (SILENT, Reason.TIMEOUT),
        **BROKEN[fault],
    }


def solution(name: str, program: tuple[str, Reason] | str) -> Solution:
    if isinstance(program, tuple):
        text, reason = program
        tree = tree_of({"main.py": text}, BLOBS)
        waits = name == "silent"
        return Solution(name=name, kind="shortcut", tree=tree, expected=Outcome.FAILED, reason=reason, waits=waits)
    kind = "reference" if name == "reference" else "alternative"
    return Solution(name=name, kind=kind, tree=tree_of({"main.py": program}, BLOBS))  # type: ignore[arg-type]


def scenarios() -> str:
    rows = (
        Row(
            send={"id": 1, "op": "double", "args": {"n": 2}},
            expect=({"id": 1, "ok": True, "result": 4},),
            kind="golden",
        ),
        Row(
            send={"id": 2, "op": "double", "args": {"n": 5}},
            expect=({"id": 2, "ok": True, "result": 10},),
            kind="boundary",
        ),
        Row(
            send={"id": 3, "op": "double", "args": {}},
            expect=({"id": 3, "ok": False, "error": {"code": "invalid_args", "message": {"$any": "message"}}},),
            kind="malformed",
        ),
    )
    return msgspec.json.encode([Scenario(name="all", sessions=(Session(rows=rows),))]).decode()


class ProvingSuite:
    name = "proving"
    version = "1"

    def ids(self, subset: str = "") -> Sequence[str]:
        if subset not in {"", "one", "two"}:
            raise UnknownNameError("subset", subset, ("one", "two"))
        return [name for name in IDS if subset in {"", name.split("-")[1]}]

    def brief(self, task_id: str) -> Brief:
        return self.load(task_id).steps[0].brief

    def load(self, task_id: str) -> Task:
        if task_id not in IDS:
            raise UnknownNameError("task", task_id, IDS)
        fault = os.environ.get("PROVING", "") if task_id == IDS[1] else ""
        known = {name: program for name, program in programs(fault).items() if program is not None}
        solutions = tuple(solution(name, program) for name, program in known.items())
        step = Step(
            brief=Brief(task=task_id, prompt=f"Doubles, {task_id}.", entry="main.py"),
            grader=GraderSpec(kind="sessions"),
            hidden=Hidden(expected=scenarios(), solutions=solutions),
        )
        _, subset, family = task_id.split("-")
        return Task(id=task_id, suite="proving", version="1", steps=(step,), subset=subset, family=family)

    def place(self, task_id: str) -> Place:
        task = self.load(task_id)
        return Place(task.subset, task.family, "")

    def assertions(self, task_id: str) -> int:
        return 3

    def blobs(self) -> Blobs:
        return BLOBS

    def differs(self, task_id: str, name: str) -> str:
        return "" if name == "alike" else f"{name} says otherwise"


def suite(seed: int | None = None) -> ProvingSuite:
    return ProvingSuite()
