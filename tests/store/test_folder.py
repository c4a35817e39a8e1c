from pathlib import Path

from proofyard.core import Change, Move, MoveCall, MoveMetrics, MoveResult, Submission
from proofyard.store import TrialFolder, read_moves, read_steps

TRIAL = "ab" + "0" * 30
MOVES = (
    Move(n=1, source="user", at="2026-01-01T00:00:00.000Z", message="Write main.py"),
    Move(
        n=2,
        source="agent",
        at="2026-01-01T00:00:01.000Z",
        message="Now",
        reasoning="hm",
        calls=(MoveCall(id="c1", name="shell", arguments='{"command":"ls"}'),),
        results=(MoveResult(call="c1", content="main.py\n", code=0, elided=7),),
        metrics=MoveMetrics(input_tokens=10, output_tokens=2, cached_tokens=4, usd="0.001"),
        changed=(Change(path="main.py", how="added"),),
        snapshot=Submission(tree="t" * 64, blob="b" * 64),
    ),
)


def test_moves_come_back_as_they_were_logged_among_other_steps(tmp_path: Path) -> None:
    folder = TrialFolder(tmp_path, TRIAL)
    folder.move(MOVES[0])
    folder.step("ended", code=0)
    folder.move(MOVES[1])
    assert read_moves(tmp_path, TRIAL) == MOVES
    assert [step["kind"] for step in read_steps(tmp_path, TRIAL)] == ["move", "ended", "move"]


def test_a_torn_line_is_passed_over(tmp_path: Path) -> None:
    folder = TrialFolder(tmp_path, TRIAL)
    folder.move(MOVES[0])
    with (folder.path / "steps.jsonl").open("ab") as file:
        file.write(b'{"at":"2026-01-01T00:00:00.000Z","kind":"move","move":{"n":2,"sou')
    assert read_moves(tmp_path, TRIAL) == MOVES[:1]


def test_an_attempt_that_logged_nothing_has_no_moves(tmp_path: Path) -> None:
    assert read_moves(tmp_path, TRIAL) == ()
