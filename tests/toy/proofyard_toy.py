"""A small suite, grader and agent, installed as plug-ins by the tests: tasks ask for a number in `answer.txt`."""

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from proofyard.agents import AgentSetup
from proofyard.core import (
    Agent,
    Blobs,
    Brief,
    Evidence,
    Failure,
    Finish,
    Given,
    Grade,
    GraderSpec,
    Group,
    Hidden,
    InfrastructureError,
    MemoryBlobs,
    Meter,
    Outcome,
    Place,
    Reason,
    Recorder,
    Sandbox,
    SandboxSpec,
    Solution,
    Step,
    Task,
    Tree,
    UnknownNameError,
    UsageError,
    file_bytes,
    tree_of,
)

BLOBS = MemoryBlobs()
# More than fits inline, so that contents travel as blobs both ways.
PADDING = b"." * 5000


class ToySuite:
    name = "toy"

    def __init__(self, seed: int | None, options: Mapping[str, str] | None = None) -> None:
        self.options = dict(options or {})
        self.version = os.environ.get("TOY_VERSION", "1") + (f"-seed{seed}" if seed is not None else "")
        self.version += self.options.get("version", "")

    def ids(self, subset: str = "") -> Sequence[str]:
        sizes = {"": 10, "few": 3, "one": 1, "none": 0}
        if subset not in sizes:
            raise UnknownNameError("subset", subset, sizes)
        return [f"toy-{n}" for n in range(sizes[subset])]

    def brief(self, task_id: str) -> Brief:
        if task_id not in self.ids():
            raise UnknownNameError("task", task_id, self.ids())
        return _brief(int(task_id.removeprefix("toy-")))

    def load(self, task_id: str) -> Task:
        if task_id not in self.ids():
            raise UnknownNameError("task", task_id, self.ids())
        if log := os.environ.get("TOY_LOADED"):
            with Path(log).open("a") as handle:
                handle.write(f"{task_id} ")
        number = int(task_id.removeprefix("toy-"))
        brief = _brief(number)
        solutions = (
            Solution(name="reference", kind="reference", tree=_answer(number, BLOBS)),
            Solution(name="off", kind="mutant", tree=_answer(number + 1, BLOBS), expected=Outcome.FAILED),
            *([Solution(name="rare", kind="sample", tree=_answer(number, BLOBS))] if number == 1 else []),
            Solution(name="made", kind="sample", argv=("true",)),
            *(Solution(name=f"sample-{k}", kind="sample", tree=_answer(k, BLOBS)) for k in range(number % 3)),
        )
        step = Step(
            brief=brief,
            grader=GraderSpec(kind=os.environ.get("TOY_KIND", "toy")),
            hidden=Hidden(tests=tree_of({"t": b"hidden" + PADDING}, BLOBS), expected=str(number), solutions=solutions),
        )
        steps = (step, step) if os.environ.get("TOY_STEPS") else (step,)
        return Task(id=task_id, suite="toy", version=self.version, steps=steps)

    def place(self, task_id: str) -> Place:
        return Place("", self.load(task_id).family, "")

    def assertions(self, task_id: str) -> int:
        return 1

    def blobs(self) -> Blobs:
        return BLOBS


def suite(seed: int | None = None, *, options: Mapping[str, str] | None = None) -> ToySuite:
    return ToySuite(seed, options)


def _brief(number: int) -> Brief:
    return Brief(
        task=f"toy-{number}",
        prompt=f"{os.environ.get('TOY_PROMPT', 'write')} {number}",
        entry="answer.txt",
        files=tree_of({"README": b"read me" + PADDING}, BLOBS),
        work=SandboxSpec(kept=("/workspace/project",)),
    )


def _answer(number: int, blobs: Blobs) -> Tree:
    return tree_of({"answer.txt": str(number), "padding": b"x%d" % number + PADDING}, blobs)


def lose(what: str, where: str) -> None:
    """Raise an infrastructure failure the first times: `where` is `FOLDER:TIMES`, counted in a file named `what`."""
    folder, _, times = where.rpartition(":")
    with Path(folder, what).open("ab") as handle:
        handle.write(b".")
        count = handle.tell()
    if count <= int(times):
        raise InfrastructureError(Failure(code="sandbox_lost", message=f"loss {count}"))


class ToyGrader:
    kind = "toy"

    @property
    def version(self) -> str:
        return os.environ.get("TOY_GRADER_VERSION", "1")

    def grade(
        self, step: Step, submission: Tree, open_sandbox: Callable[[SandboxSpec], Sandbox], given: Given, blobs: Blobs
    ) -> Grade:
        do = os.environ.get("TOY_GRADER", "")
        time.sleep(float(os.environ.get("TOY_GRADER_SLEEP", "0")))
        if do.startswith("lost:"):
            lose(f"grade-{step.brief.task}", do.removeprefix("lost:"))
        if do == "raise":
            raise KeyError("bug in the grader")
        if do == "infinite":
            return Grade(outcome=Outcome.FAILED, score=0.0, metrics={"x": float("inf")})
        if do == "invalid":
            raise UsageError("this task cannot be graded")
        if do == "long":
            return Grade(outcome=Outcome.FAILED, score=0.0, evidence=Evidence(got="é" * 100_000))
        assert file_bytes(step.hidden.tests.entries["t"], blobs) == b"hidden" + PADDING
        entry = submission.entries.get("answer.txt")
        if entry is None or entry.kind != "file":
            reason = Reason.NO_SUBMISSION if entry is None else Reason.TAMPER
            return Grade(outcome=Outcome.FAILED, score=0.0, reason=reason)
        for each in submission.entries.values():
            if each.kind == "file":
                file_bytes(each, blobs)
        got = file_bytes(entry, blobs).decode()
        right = got == step.hidden.expected
        return Grade(
            outcome=Outcome.PASSED if right else Outcome.FAILED,
            score=1.0 if right else 0.0,
            reason=None if right else Reason.WRONG_RESULT,
            groups={"golden": Group(passed=int(right), total=1)},
            evidence=Evidence() if right else Evidence(expected=step.hidden.expected, got=got),
            provenance={"n": str(given.n)},
        )


class ToyAgent(NamedTuple):
    do: str

    @property
    def needs(self) -> Literal["nothing", "sandbox", "host"]:
        return "sandbox" if self.do.startswith("inside") else "nothing"

    def run(self, brief: Brief, sandbox: Sandbox | None, recorder: Recorder, meter: Meter, blobs: Blobs) -> Finish:
        verb, _, rest = self.do.partition(":")
        number = int(brief.prompt.split()[1])
        assert file_bytes(brief.files.entries["README"], blobs) == b"read me" + PADDING
        if verb not in {"quiet", "spawn"}:
            recorder.step("began", verb=verb)
        if sandbox is not None:
            text = f"open('answer.txt', 'w').write(str(len(open('README').read()) - {7 + len(PADDING)} + {number}))"
            ended = sandbox.start(["python", "-c", text]).finish(10_000)
            assert ended.code == 0, ended
            sandbox.start(["python", "-c", "import time; open('late', 'w'); time.sleep(1000)"])
            return Finish()
        if verb == "missing" and number % 2:
            return Finish(missing=True)
        if verb == "crash":
            raise ZeroDivisionError("bug in\nthe agent")
        if verb == "lost":
            lose(f"attempt-{brief.task}", rest)
        if verb == "fail":
            raise InfrastructureError(Failure(code=rest, message="as asked"))
        if verb == "wait":
            deadline = time.monotonic() + 60
            Path(rest, f"began-{brief.task}").touch()
            while not meter.stopped() and not Path(rest, "go").exists() and time.monotonic() < deadline:
                time.sleep(0.005)
        if verb == "spawn":
            subprocess.run(rest.split(), check=True)
        if verb == "sleep":
            time.sleep(float(rest))
        failure = Failure(code="agent_exit", message="exit code 7") if verb == "exit" else None
        return Finish(submission=_answer(number + (verb == "wrong"), blobs), failure=failure)


class Toy:
    name = "toy"
    version = "1"

    def parameters(self, argument: str) -> dict[str, str]:
        return {"do": argument}

    def solution(self, parameters: Mapping[str, str]) -> str | None:
        return None

    def make(self, setup: AgentSetup) -> Agent:
        return ToyAgent(setup.parameters["do"])


toy = Toy()
