"""A control of the suite itself: on the rung that isolates nothing, the same rows must complain."""

from collections.abc import Iterator
from typing import Any

import pytest

from proofyard.sandbox import LocalProvider
from tests.hostile import drive
from tests.hostile.drive import STATE, Seen
from tests.hostile.guard import Guard, ours, processes, settings
from tests.hostile.table import ROWS

COMPLAINTS: dict[int, tuple[str, dict[str, Any]]] = {
    9: ("child: ok", {"all": False}),
    11: ("canary: ok", {}),
    32: ("/etc/passwd: ok", {}),
    33: ("tcp4: ok", {"far": False}),
    34: ("victim: ok", {"all": False}),
    38: ("'seccomp': 0", {"rlimits": False}),
    42: ("/dev/pts/", {}),
    43: ("message queue: ENOENT", {"make": False}),
    44: ("-packages: ", {}),
}
"""Row -> what one of its complaints must say, and what else its request says. Rows that could hurt the host are left out."""


class Open:
    """The rung `none`."""

    def __init__(self, guard: Guard) -> None:
        self.provider = LocalProvider(unsafe=True, rung="none")
        self.sandbox = drive.open_sandbox(self.provider, drive.Sums())
        before = ours()
        process = self.sandbox.start(["python", "p00_polite.py", STATE])
        assert drive.ask(process, {"id": "first"}, 20_000).outcome == "answered"
        every = processes()
        (uid,) = {every[pid].uid for pid, _ in ours() - before if pid in every}
        self.told = settings(guard, guard.victim(uid).pid)
        self.told["paths"] = guard.canaries[1:]

    def play(self, number: int) -> Seen:
        row = ROWS[number - 1]
        process = self.sandbox.start(["python", row.program, STATE])
        seen = row.drive(process, drive.request_for(self.told, {**row.told, **COMPLAINTS[number][1]}), 20_000)
        assert self.sandbox.kill()
        return seen


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    made = Guard()
    yield made
    made.close()


@pytest.fixture(scope="module")
def nothing(guard: Guard) -> Iterator[Open]:
    made = Open(guard)
    yield made
    made.sandbox.close()
    made.provider.close()


@pytest.mark.parametrize("number", COMPLAINTS)
def test_the_row_complains(number: int, nothing: Open) -> None:
    seen = nothing.play(number)
    assert seen.outcome == "answered", seen
    complaints = ROWS[number - 1].check(seen, "none")
    assert any(COMPLAINTS[number][0] in complaint for complaint in complaints), complaints


def test_the_host_shows_it(nothing: Open, guard: Guard) -> None:
    nothing.play(11)
    nothing.play(33)
    nothing.play(34)
    assert set(guard.touched()) >= set(guard.canaries[1:])
    assert set(guard.reached()) >= {"tcp4", "tcp6", "udp", "abstract", "abstract datagram"}
    assert guard.victims[0].wait(20) == -9
