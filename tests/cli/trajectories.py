"""A run with one failed trial of an agent that worked in three moves: right after the second, broken by the third."""

from pathlib import Path

import msgspec

from proofyard.core import (
    Blobs,
    Change,
    Evidence,
    Move,
    MoveCall,
    MoveMetrics,
    MoveResult,
    Outcome,
    Plan,
    Reason,
    Spend,
    Subject,
    Submission,
    Suite,
    Tree,
    Trial,
    Verdict,
    trial_id,
    verdict_id,
)
from proofyard.engine.grading import grader_digest
from proofyard.engine.plugins import grader_of, load_suite
from proofyard.store import SCHEMA, RunHeader, RunStore
from tests.cli.tool import EASY

SUBJECT = Subject(agent="terminal", version="1", model="openai/gpt-x")
WALL = 1_000_000


def make_run(path: Path) -> str:
    """Write the run; return the trial's id."""
    suite = load_suite("scratch")
    task = suite.load(EASY)
    step = task.steps[0]
    plan = Plan(suite="scratch", version=suite.version, tasks=(EASY,), subjects=(SUBJECT,))
    trial = trial_id(step.brief.digest, SUBJECT, 0)
    with RunStore.create(
        path, RunHeader(schema=SCHEMA, created="2026-01-01T00:00:00.000Z", proofyard="0", plan=plan)
    ) as store:
        for move in _moves(store.blobs, suite):
            store.folder(trial).move(move)
            last = move.snapshot
        assert last is not None
        store.append_trial(
            Trial(
                id=trial,
                task=EASY,
                subject=SUBJECT.digest,
                subject_name=SUBJECT.name,
                brief=step.brief.digest,
                k=0,
                submissions=(last,),
                spend=Spend(steps=3, input_tokens=60, output_tokens=9, cost_micro_usd=1500),
                started="2026-01-01T00:00:00.000Z",
                wall_us=3 * WALL,
            )
        )
        digest = grader_digest(step, grader_of(step.grader.kind))
        store.append_verdict(
            Verdict(
                id=verdict_id(trial, last.tree, digest, 0),
                trial=trial,
                task=EASY,
                submission=last.tree,
                grader=digest,
                outcome=Outcome.FAILED,
                score=0.0,
                reason=Reason.CRASH,
                evidence=Evidence(where="scenario golden, session 1, row 1 (golden)", note="the program ended"),
            )
        )
    return trial


def _moves(blobs: Blobs, suite: Suite) -> list[Move]:
    solution = suite.load(EASY).solution("reference")
    assert solution is not None
    right = _kept(solution.tree, suite.blobs(), blobs)
    entries = dict(right.entries)
    del entries["main.py"]
    return [
        Move(n=1, source="user", at="2026-01-01T00:00:00Z", message="Write it.\nWell."),
        Move(
            n=2,
            source="agent",
            at="2026-01-01T00:00:01.000Z",
            message="I write it.",
            reasoning="First the\x1b[31m core.",
            calls=(MoveCall(id="c1", name="bash", arguments='{"command":"cat > main.py"}'),),
            results=(MoveResult(call="c1", content="ok\n", code=0),),
            metrics=MoveMetrics(input_tokens=20, output_tokens=3, cached_tokens=5, usd="0.0005"),
            changed=tuple(Change(path=path, how="added") for path in sorted(entries)),
            snapshot=_snapshot(right, blobs),
            llm_calls=1,
            stop="tool_calls",
            wall_us=WALL,
        ),
        Move(
            n=3,
            source="agent",
            message="I tidy up.",
            calls=(MoveCall(id="c2", name="bash", arguments='{"command":"rm main.py"}'),),
            results=(MoveResult(call="c2", content="gone", code=3, elided=9),),
            metrics=MoveMetrics(input_tokens=40, output_tokens=6),
            changed=(Change(path="main.py", how="removed"),),
            snapshot=_snapshot(Tree(entries=entries), blobs),
            llm_calls=1,
            stop="stop",
            wall_us=WALL,
        ),
    ]


def _kept(tree: Tree, source: Blobs, blobs: Blobs) -> Tree:
    for sha in tree.blobs():
        blobs.put(source.get(sha))
    return tree


def _snapshot(tree: Tree, blobs: Blobs) -> Submission:
    return Submission(tree=tree.digest, blob=blobs.put(msgspec.json.encode(tree, order="sorted")))
