"""The durable references of ten families, killed at every state-changing call of every change of two scenarios, and in the
middle of every write: what was acknowledged is there, and what was not has happened wholly or not at all.
"""

import json
from collections.abc import Callable, Iterator

import msgspec
import pytest

from proofyard.core import Given, Grade, Mount, Outcome, Scenario, Task, Tree, file_bytes, tree_of
from proofyard.graders import SessionGrader
from proofyard.sandbox import LocalProvider
from proofyard.suites.scratch import ScratchSuite
from proofyard.suites.scratch.scenarios.revisions import create_item, delete_item, state_check, update_item
from proofyard.suites.scratch.script import Stage
from proofyard.suites.scratch.tiers import STATE_DIR, TIERS
from tests.suites.scratch.inprocess import SAMPLE

SUITE = ScratchSuite()
NAMES = ("a", "b", "c")
Change = tuple[str, dict[str, object]]


def single(stage: Stage) -> list[list[Change]]:
    d = stage.documents
    return [
        [("create", {"name": "a", "document": d[0], "idempotency_key": "k1"})],
        [("update", {"name": "a", "document": d[1], "if_revision": 1, "idempotency_key": "k2"})],
        [("delete", {"name": "a", "idempotency_key": "k3"})],
    ]


def together(stage: Stage) -> list[list[Change]]:
    d = stage.documents
    first = [create_item("a", d[2]), create_item("b", d[3])]
    second = [update_item("a", d[4]), delete_item("b"), create_item("c", d[5])]
    return [
        [("batch", {"operations": first, "idempotency_key": "k1"})],
        [("batch", {"operations": second, "idempotency_key": "k2"})],
        [
            ("begin", {}),
            ("create", {"name": "b", "document": d[6], "idempotency_key": "k3"}),
            ("delete", {"name": "c", "idempotency_key": "k4"}),
            ("commit", {}),
        ],
    ]


PLAYS: dict[str, Callable[[Stage], list[list[Change]]]] = {"single": single, "together": together}


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    provider = LocalProvider()
    yield provider
    provider.close()


def task_of(slug: str) -> Task:
    return SUITE.load(next(i for i in SUITE.ids("max") if i.endswith(f"-{slug}")))


def scenario(slug: str, play: str, call: int) -> Scenario:
    """Each change killed at its `call`-th state-changing call, the state looked at, then the change sent again under its
    keys, as a client would.
    """
    stage = Stage(TIERS["max"], SUITE.family(task_of(slug).id), SUITE.seed)
    script = stage.script(f"{play}-{call}")
    script.kind = "mid-write"
    for changes in PLAYS[play](stage):
        for op, args in changes[:-1]:
            script.ask(op, args)
        op, args = changes[-1]
        script.ask(op, args, kill=call)
        state_check(script, NAMES)
        for op, args in changes:
            script.ask(op, args)
        state_check(script, NAMES)
    return script.scenario()


def torn(scenario: Scenario) -> Scenario:
    """The same, with every write that a kill falls on cut in half."""
    sessions = tuple(
        msgspec.structs.replace(
            session,
            rows=tuple(msgspec.structs.replace(row, torn=isinstance(row.kill, int)) for row in session.rows),
        )
        for session in scenario.sessions
    )
    return msgspec.structs.replace(scenario, sessions=sessions)


def graded(provider: LocalProvider, task: Task, tree: Tree, scenarios: list[Scenario]) -> Grade:
    hidden = msgspec.structs.replace(task.steps[0].hidden, expected=msgspec.json.encode(scenarios).decode())
    step = msgspec.structs.replace(task.steps[0], hidden=hidden)
    return SessionGrader().grade(step, tree, lambda spec: provider.open(spec, SUITE.blobs()), Given(), SUITE.blobs())


def calls_of(provider: LocalProvider, task: Task, play: str) -> list[int]:
    """How many state-changing calls the reference makes for each change."""
    stage = Stage(TIERS["max"], SUITE.family(task.id), SUITE.seed)
    reference = task.solution("reference")
    assert reference is not None
    spec = msgspec.structs.replace(
        task.steps[0].grading, mounts=(Mount(path="/workspace/project", tree=reference.tree),)
    )
    sandbox = provider.open(spec, SUITE.blobs())
    try:
        process = sandbox.start(["python", "main.py", "--state-dir", STATE_DIR])
        found = []
        for changes in PLAYS[play](stage):
            for op, args in changes:
                line = json.dumps({"id": 1, "op": op, "args": args}).encode()
                reply = process.exchange(line, 10_000, kill_at=1_000_000)
                assert reply.line is not None
                assert json.loads(reply.line)["ok"], reply
            found.append(reply.calls)
        return found
    finally:
        sandbox.close()


# What keeps the state is the same code in all references; each family's task kills its own at the first six calls.
# One family of each category is tried here, torn writes on two of them.
SLUGS = [task.split("-", 3)[3] for task in SAMPLE if task.startswith("scratch-max-")]
SWEEPS = [(slug, play, False) for slug in SLUGS for play in PLAYS]
SWEEPS += [(slug, play, True) for slug in ("word-frequency", "lru-cache") for play in PLAYS]


@pytest.mark.parametrize(("slug", "play", "tears"), SWEEPS)
def test_nothing_acknowledged_is_lost_wherever_it_is_killed(
    slug: str, play: str, tears: bool, provider: LocalProvider
) -> None:
    task = task_of(slug)
    reference = task.solution("reference")
    assert reference is not None
    counts = calls_of(provider, task, play)
    assert min(counts) >= 3, "a durable change takes at least a write, a flush and one more call"
    scenarios = [scenario(slug, play, call) for call in range(1, max(counts) + 2)]
    if tears:
        scenarios = [torn(whole) for whole in scenarios]
    grade = graded(provider, task, reference.tree, scenarios)
    assert grade.outcome is Outcome.PASSED, grade.evidence
    assert grade.groups["mid-write"].total >= 9 * len(scenarios) // 2


IN_PLACE = """
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT)
        size = os.fstat(descriptor).st_size
        os.pwrite(descriptor, json.dumps(tables).encode("ascii").ljust(size), 0)
        os.fsync(descriptor)
        os.close(descriptor)
"""


def in_place(task: Task) -> Tree:
    """The reference, storing by one write over the state it has."""
    reference = task.solution("reference")
    assert reference is not None
    files = {path: file_bytes(entry, SUITE.blobs()) for path, entry in reference.tree.entries.items()}
    text = files["program/files.py"].decode()
    head, fresh, rest = text.partition("        fresh = ")
    _, last, tail = rest.partition("        self._sync_folder()\n")
    assert fresh and last
    head = head.replace("json.load(file)", 'json.loads(file.read() or "null")')
    return tree_of({**files, "program/files.py": (head + IN_PLACE + tail).encode()}, SUITE.blobs())


@pytest.mark.parametrize(("tears", "outcome"), [(False, Outcome.PASSED), (True, Outcome.FAILED)])
def test_only_a_torn_write_shows_that_a_store_in_place_is_not_safe(
    tears: bool, outcome: Outcome, provider: LocalProvider
) -> None:
    task = task_of("word-frequency")
    scenarios = [scenario("word-frequency", "single", call) for call in range(1, 5)]
    grade = graded(provider, task, in_place(task), [torn(whole) for whole in scenarios] if tears else scenarios)
    assert grade.outcome is outcome, grade.evidence
