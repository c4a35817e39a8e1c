"""A canary in every hidden part of a toy task of each kind is nowhere an agent or a submission can look."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from proofyard.agents import command
from proofyard.agents.plugin import AgentSetup
from proofyard.core import (
    Brief,
    Ended,
    Given,
    Grade,
    Grader,
    GraderSpec,
    Hidden,
    MemoryBlobs,
    Outcome,
    Row,
    Sandbox,
    SandboxSpec,
    Scenario,
    Session,
    Solution,
    Step,
    Task,
    Tree,
    file_bytes,
    tree_of,
)
from proofyard.engine.shelf import Prepared
from proofyard.formats import read_task
from proofyard.graders import CommandGrader, FunctionsGrader, SessionGrader
from proofyard.sandbox import LocalProvider

from ..graders.programs import ask, program, yes
from .spying import Watch, WatchedSandbox, look_inside, memory_holds, spy
from .toy_functions import TOYS, task
from .workbench import opening, submission, workplace

CANARY = "canary-b7e151628aed"
VISIBLE = "visible-2a6abf715880"
BLOBS = MemoryBlobs()
TAINTED = tree_of({"data.txt": CANARY, f"{CANARY}.txt": "", "large": "x" * 5000 + CANARY}, BLOBS)
SOLUTION = Solution(name=CANARY, kind="reference", tree=tree_of({"main.py": f"# {CANARY}\n"}, BLOBS))


def sessions() -> Task:
    rows = (
        Row(send=ask("half", n=5, note=VISIBLE), expect=(yes({"half": 2.5}),), kind="golden"),
        Row(send=ask("half", n=3), expect=(yes({"half": 1.5, "also": CANARY}),), kind="generated"),
    )
    scenarios = [Scenario(name=CANARY, sessions=(Session(rows=rows), Session(rows=rows)))]
    step = Step(
        brief=Brief(task="toy-sessions", prompt="Halves.", entry="main.py"),
        grader=GraderSpec(kind="sessions"),
        hidden=Hidden(tests=TAINTED, expected=msgspec.json.encode(scenarios).decode(), solutions=(SOLUTION,)),
    )
    return Task(id="toy-sessions", suite="toy", version="1", steps=(step,))


def functions() -> Task:
    toy = TOYS[1]._replace(calls=(((VISIBLE,), []), *TOYS[1].calls))
    made = task(toy, marks=(CANARY, CANARY))
    step = made.steps[0]
    hidden = msgspec.structs.replace(step.hidden, tests=TAINTED, solutions=(SOLUTION, *step.hidden.solutions))
    return msgspec.structs.replace(made, steps=(msgspec.structs.replace(step, hidden=hidden),))


def harbor() -> Task:
    made = read_task(Path(__file__).parent / "toy-harbor", BLOBS).task
    step = made.steps[0]
    script = f"#!/bin/bash\n# {CANARY}\necho 1 > /logs/verifier/reward.txt\n"
    tests = step.hidden.tests.merged(TAINTED).merged(tree_of({"test.sh": script}, BLOBS, ["test.sh"]))
    hidden = msgspec.structs.replace(step.hidden, tests=tests, expected=CANARY, solutions=(SOLUTION,))
    grading = msgspec.structs.replace(step.grading, network=step.brief.work.network)
    return msgspec.structs.replace(made, steps=(msgspec.structs.replace(step, hidden=hidden, grading=grading),))


KINDS: dict[str, tuple[Task, Grader, Tree]] = {
    "sessions": (sessions(), SessionGrader(), tree_of({"main.py": program()}, BLOBS)),
    "functions": (functions(), FunctionsGrader(), tree_of({"solution.py": TOYS[1].reference}, BLOBS)),
    "command": (harbor(), CommandGrader(), tree_of({"app/add.sh": "true\n"}, BLOBS)),
}


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider(slots=1)
    yield local
    local.close()


def grade(provider: LocalProvider, kind: str, tree: Tree | None = None, watch: Watch | None = None) -> Grade:
    chosen, grader, usual = KINDS[kind]

    def open_sandbox(spec: SandboxSpec) -> Sandbox:
        sandbox = opening(provider, BLOBS)(spec)
        return sandbox if watch is None else WatchedSandbox(sandbox, watch)

    return grader.grade(chosen.steps[0], usual if tree is None else tree, open_sandbox, Given(), BLOBS)


@pytest.mark.parametrize("kind", KINDS)
def test_the_hidden_parts_hold_it_and_the_brief_does_not(kind: str) -> None:
    step = KINDS[kind][0].steps[0]
    hidden = (
        (step.hidden.tests, step.hidden.solutions) if kind == "functions" else (step.hidden.tests, step.hidden.expected)
    )
    assert all(CANARY in msgspec.json.encode(part).decode() for part in hidden)
    assert CANARY in step.hidden.expected
    assert CANARY not in msgspec.json.encode(step.brief).decode()
    assert CANARY not in msgspec.json.encode(step.grading).decode()
    assert all(CANARY.encode() not in BLOBS.get(sha) for sha in step.brief.files.blobs())


@pytest.mark.parametrize("kind", KINDS)
def test_the_work_sandbox_after_a_grading_on_the_same_runner(provider: LocalProvider, kind: str) -> None:
    grade(provider, kind)
    brief = KINDS[kind][0].steps[0].brief
    planted = msgspec.structs.replace(
        brief,
        files=brief.files.merged(tree_of({"planted": CANARY}, BLOBS)),
        work=msgspec.structs.replace(brief.work, kept=brief.work.kept or (brief.work.image.workdir,)),
    )
    with workplace(provider, brief, BLOBS) as sandbox:
        assert look_inside(sandbox, CANARY) == []
    with workplace(provider, planted, BLOBS) as sandbox:  # the control
        assert look_inside(sandbox, CANARY) == [f"{brief.work.image.workdir}/planted"]


def spying(kind: str) -> Tree:
    """A submission that looks around and answers with what it found."""
    if kind == "functions":
        return tree_of({"solution.py": f"{spy(CANARY)}\nFOUND = search()\ndef runs(text):\n    return FOUND\n"}, BLOBS)
    lines = (
        "import sys\nfor line in sys.stdin:\n"
        "    print(json.dumps({'id': json.loads(line)['id'], **search()}), flush=True)\n"
    )
    return tree_of({"main.py": f"{spy(CANARY)}\n{lines}"}, BLOBS)


@pytest.mark.parametrize("kind", ["sessions", "functions"])
def test_a_submission_that_looks_around_while_it_is_graded(provider: LocalProvider, kind: str) -> None:
    found = grade(provider, kind, spying(kind))
    assert found.outcome is Outcome.FAILED
    got: dict[str, Any] = json.loads(found.evidence.got)
    report = got.get("value", got)
    assert report["found"] == []
    assert report["seen"] > 5
    # The control: the same submission finds it once it brings it itself.
    carrying = spying(kind).merged(tree_of({"notes": CANARY}, BLOBS))
    got = json.loads(grade(provider, kind, carrying).evidence.got)
    assert got.get("value", got)["found"] == ["/workspace/project/notes"]


@pytest.mark.skipif(os.getuid() != 0, reason="only root may read the memory of another user's processes")
@pytest.mark.parametrize("kind", ["sessions", "functions"])
def test_no_process_of_a_grading_ever_holds_it(kind: str) -> None:
    """The warm process, its forks, the runners, the candidate: looked into after every request, and when all is over."""
    watch = Watch(CANARY, VISIBLE)
    provider = LocalProvider(slots=1)  # of its own: a runner remembers for a while what it was handed
    try:
        found = grade(provider, kind, watch=watch)
        watch.look()
    finally:
        provider.close()
    assert found.provenance["rung"] == ("zygote" if kind == "functions" else "bubblewrap")
    assert watch.read > 10
    assert watch.found[CANARY] == set()
    assert watch.found[VISIBLE] != set()  # the control: what was sent is found
    assert memory_holds(os.getpid(), CANARY.encode()) is True  # and so is the canary where it belongs


class Log:
    def __init__(self) -> None:
        self.text = ""

    def step(self, kind: str, **data: object) -> None:
        self.text += json.dumps([kind, data])

    def keep(self, name: str, data: bytes) -> None:
        self.text += f"{name}: {data!r}"


class NoLimit:
    def remaining_ms(self) -> int | None:
        return 20_000

    def stopped(self) -> bool:
        return False


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_trusted_command_is_handed(tmp_path: Path, kind: str) -> None:
    brief = KINDS[kind][0].steps[0].brief
    (tmp_path / "project").mkdir()
    log = Log()
    text = "cat; env; ls -laR ..; cat ../PROMPT.md"
    finish = command.make(AgentSetup({"command": text}, tmp_path)).run(brief, None, log, NoLimit(), BLOBS)
    assert finish.failure is None
    assert f"PROOFYARD_TASK={brief.task}" in log.text and "PROMPT.md" in log.text
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert CANARY not in log.text and CANARY.encode() not in files


def test_the_log_of_a_solution_made_in_a_sandbox(provider: LocalProvider) -> None:
    step = KINDS["command"][0].steps[0]
    solution = Solution(
        name="own",
        kind="sample",
        argv=(
            "bash",
            "-c",
            "env > list; ls -laR /app /etc /logs /solution /tests /tmp /work /proc/self/fd >> list 2>&1; true",
        ),
    )
    tree = submission(provider, step.brief, solution, BLOBS)
    assert {"app/list"} == set(tree.entries)
    held = [path for path, entry in tree.entries.items() if CANARY.encode() in file_bytes(entry, BLOBS)]
    assert held == []


@pytest.mark.parametrize("kind", ["sessions", "functions"])
def test_a_worker_that_grades_gets_no_solution(kind: str) -> None:
    chosen, grader, _ = KINDS[kind]
    step = Prepared(chosen, grader).step_json
    assert msgspec.json.decode(step, type=Step).hidden.solutions == ()
    assert CANARY.encode() in bytes(step)  # what it grades by is there
    assert chosen.steps[0].hidden.solutions != ()


def test_no_file_of_this_project_is_in_a_sandbox(provider: LocalProvider) -> None:
    """References and alternatives ship with the project: wherever it is installed, a sandbox must not show it."""
    search = (
        "import os\nfor top, folders, files in os.walk('/'):\n"
        "    folders[:] = [f for f in folders if top != '/' or f not in ('proc', 'sys')]\n"
        "    for name in files + folders:\n"
        "        if name.startswith(('proofyard', 'word_frequency')): print(os.path.join(top, name))\n"
    )
    brief = KINDS["sessions"][0].steps[0].brief
    brief = msgspec.structs.replace(brief, work=msgspec.structs.replace(brief.work, kept=(brief.work.image.workdir,)))
    with workplace(provider, brief, BLOBS) as sandbox:
        assert sandbox.start(["python", "-c", search]).finish(60_000) == Ended(code=0)
        sandbox.put(tree_of({"word_frequency.py": ""}, BLOBS), brief.work.image.workdir)  # the control
        found = sandbox.start(["python", "-c", search]).finish(60_000).stdout.decode().split()
        assert found == [f"{brief.work.image.workdir}/word_frequency.py"]
