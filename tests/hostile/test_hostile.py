"""Every hostile program on every rung of the local ladder that this machine gives."""

from collections.abc import Iterator

import pytest

from proofyard.core.errors import InfrastructureError
from proofyard.core.sandbox import Rung
from proofyard.sandbox import LocalProvider
from proofyard.sandbox.landlock import DIFFERENT, OPEN
from tests.hostile import drive
from tests.hostile.drive import STATE, Seen
from tests.hostile.guard import Guard, ours, peak_mb, processes, settings
from tests.hostile.table import ROWS, Row

RUNGS: tuple[Rung, ...] = ("bubblewrap", "zygote", "landlock")


class Place:
    """One rung, its provider, and the uid its programs have on the host."""

    def __init__(self, rung: Rung, guard: Guard) -> None:
        self.rung, self.guard = rung, guard
        self.blobs = drive.Sums()
        self.provider = LocalProvider(rung=rung)
        self.preload = ("decimal", "json", "random", "sqlite3") if rung == "zygote" else ()
        sandbox = drive.open_sandbox(self.provider, self.blobs, preload=self.preload)
        assert sandbox.rung == rung
        before = ours()
        process = sandbox.start(["python", "p00_polite.py", STATE])
        seen = drive.ask(process, {"id": "first"}, 20_000)
        assert seen.outcome == "answered", seen
        # The count of processes is able to see the sandbox's: more than none while it lives, all of one uid, not root's.
        every, alive = processes(), ours() - before
        (self.uid,) = {every[pid].uid for pid, _ in alive if pid in every}
        assert self.uid != 0
        assert sandbox.kill()
        assert guard.left(before) == []
        sandbox.close()
        self.told = settings(guard, guard.victim(self.uid).pid)

    def close(self) -> None:
        self.provider.close()


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    made = Guard()
    yield made
    made.close()


@pytest.fixture(scope="module", params=RUNGS)
def place(request: pytest.FixtureRequest, guard: Guard) -> Iterator[Place]:
    made = Place(request.param, guard)
    yield made
    made.close()


def play(place: Place, row: Row) -> Seen:
    """Run a program, kill what is left, look for traces."""
    guard = place.guard
    sandbox = drive.open_sandbox(place.provider, place.blobs, row.armed, place.preload, **row.limits)
    try:
        before = ours()
        process = sandbox.start(["python", row.program, STATE])
        seen = row.drive(process, drive.request_for(place.told, row.told), row.wall_ms)
        seen.alive = len(ours() - before)
        seen.killed = sandbox.kill()
        seen.complaints += [f"left over: {process}" for process in guard.left(before)]
        seen.tree = sandbox.snapshot()
        if sandbox.snapshot() != seen.tree:
            seen.complaints.append("the state still changes after the kill")
        if row.again and seen.outcome in row.outcomes:
            again = drive.ask(sandbox.start(["python", "p00_polite.py", STATE]), {"id": "again"}, 6_000)
            seen.complaints += [] if again.outcome == "answered" else [f"afterwards: {again}"]
            seen.complaints += [] if sandbox.kill() else ["afterwards: kill not confirmed"]
        seen.complaints += guard.memory([pid for pid, _ in before])
    finally:
        sandbox.close()
    return seen


def traces(place: Place, row: Row, memory_before: float) -> list[str]:
    """What a program must not have left or reached, whatever its outcome."""
    guard = place.guard
    wrong = [f"reached: {name}" for name in guard.reached()] + [f"on the host: {path}" for path in guard.touched()]
    wrong += ["the victim is dead"] if any(victim.poll() is not None for victim in guard.victims) else []
    grown = peak_mb() - memory_before
    return wrong + ([f"this process grew by {grown:.0f} MB"] if grown > row.grows_mb else [])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.program[1:-3])
def test_program(place: Place, row: Row) -> None:
    memory_before = peak_mb(reset=True)
    try:
        seen = play(place, row)
    except InfrastructureError as error:
        seen = drive.refused(error)
        seen.killed = True
    assert seen.outcome in row.allowed(place.rung), seen
    complaints = seen.complaints + traces(place, row, memory_before)
    complaints += [] if seen.killed else ["the kill is not confirmed"]
    if seen.outcome in row.outcomes:
        complaints += row.check(seen, place.rung)
    assert complaints == []


def test_what_differs_without_namespaces_is_written_down() -> None:
    outcomes = {row.number for row in ROWS if "landlock" in row.other}
    answers = {33, 44}  # other answers of a program, in the checks
    assert outcomes | answers == set(DIFFERENT)
    shown = next(report.open for report in LocalProvider().probe().rungs if report.rung == "landlock")
    assert set(OPEN) < set(shown)
    assert [text for number in sorted(DIFFERENT) for text in shown if f"hostile program {number:02}: " in text] == [
        f"hostile program {number:02}: {DIFFERENT[number]}" for number in sorted(DIFFERENT)
    ]


def test_all_45_programs_are_there() -> None:
    assert [row.number for row in ROWS] == list(range(1, 46))
    assert len({row.program for row in ROWS}) == 45
