"""Attempts that failed for a known reason: programs broken in one way, and what agents did on the way to them.

Each workspace is graded by the real grader in a real sandbox; what the infrastructure or the model did is told as the
engine tells it.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from proofyard.core import (
    Change,
    Entry,
    Failure,
    Given,
    Grade,
    MemoryBlobs,
    Move,
    MoveCall,
    MoveMetrics,
    MoveResult,
    Outcome,
    Reason,
    Sandbox,
    SandboxSpec,
    Submission,
    Tree,
    Trial,
    Verdict,
    tree_of,
)
from proofyard.graders import SessionGrader
from proofyard.reports.why import Seen
from tests.graders.programs import CORRECT, RESTART, STATELESS, middle, program, step, submission
from tests.reports.factory import trial, verdict

INFRASTRUCTURE = "infrastructure"


class Case(NamedTuple):
    """texts: main.py after each move, None where nothing was edited, "" where there is none. move: the one at fault."""

    name: str
    cause: Reason | str
    texts: tuple[str | None, ...]
    move: int | None = None
    stops: Mapping[int, str] = {}
    own: Reason | None = None
    failure: str = ""
    error: str = ""
    tree: Tree | None = None
    said: str = ""


def broken(old: str, new: str, text: str = CORRECT) -> str:
    assert text.count(old) >= 1, old
    return text.replace(old, new)


WRONG = program("wrong result")
LACKING = program("missing operation")
CUT_OFF = CORRECT[: CORRECT.index('    if op == "get"') + 9]


def _programs() -> list[Case]:
    """One move that writes a program broken in one way."""
    said: dict[Reason, tuple[str, ...]] = {
        Reason.WRONG_RESULT: ("wrong result", "ids ignored", "two lines", "not json", "result has more", "duplicate keys",
                              "extra line at the end"),
        Reason.ERROR_HANDLING: ("no error handling", "wrong error code", "message is no string", "answers blank lines"),
        Reason.MISSING_OPERATION: ("missing operation",),
        Reason.IMPORT_ERROR: ("does not import",),
        Reason.SYNTAX: ("does not parse",),
        Reason.PERSISTENCE: ("state lost", "answers before storing"),
        Reason.NOT_ATOMIC: ("in place",),
        Reason.TIMEOUT: ("hangs", "burns"),
        Reason.OOM: ("eats memory",),
        Reason.OUTPUT_LIMIT: ("floods",),
        Reason.CRASH: ("exits early", "raises", "exit code at the end"),
    }  # fmt: skip
    cases = [Case(name, reason, (program(name),), 1) for reason, names in said.items() for name in names]
    more: list[tuple[str, Reason, str, str]] = [
        ("large numbers become floats", Reason.WRONG_RESULT, '2 * args["n"]', '2.0 * args["n"]'),
        ("an unknown operation is fine", Reason.ERROR_HANDLING, 'raise Refused("unknown_op")', "return {}"),
        ("a module of its own is not there", Reason.IMPORT_ERROR, "import json, os, sys", "import json, os, sys, storage"),
        ("no operation is there", Reason.MISSING_OPERATION, "def run(op, args, data):",
         'def run(op, args, data):\n    raise Refused("unknown_op")'),
        ("state in a folder that does not last", Reason.PERSISTENCE, 'os.path.join(sys.argv[2], "data.json")',
         '"/tmp/data.json"'),
        ("the first key is lost on loading", Reason.PERSISTENCE, "return json.load(file)",
         "return dict(list(json.load(file).items())[1:])"),
        ("a name that does not exist", Reason.CRASH, 'return {"half": args["n"] / 2}', 'return {"half": halve(args)}'),
        ("an import in the middle", Reason.IMPORT_ERROR, 'return {"half"', 'import numpy\n        return {"half"'),
        ("a message of a broken network", Reason.CRASH, 'return {"half"',
         'raise ConnectionResetError("connection reset by peer: No space left on device")\n        return {"half"'),
    ]  # fmt: skip
    old = broken('os.rename(PATH + ".new", PATH)', "pass", broken('open(PATH + ".new", "w")', 'open(PATH, "w")'))
    cases.append(Case("written over the old state", Reason.NOT_ATOMIC, (old,), 1))
    return cases + [Case(name, reason, (broken(was, new),), 1) for name, reason, was, new in more]


def _attempts() -> list[Case]:
    """What happened on the way, besides the program."""
    timeout = "agent_timeout"
    return [
        Case("nothing was written", Reason.NO_SUBMISSION, (None, None), 2),
        Case("the file has another name", Reason.NO_SUBMISSION, (None,), 1, tree=tree_of({"app.py": CORRECT}, MemoryBlobs())),
        Case("a link is no file", Reason.NO_SUBMISSION, (None,), 1,
             tree=Tree(entries={"main.py": Entry(kind="symlink", target="/etc/passwd")})),
        Case("the model declined", Reason.NO_SUBMISSION, (None,), 1, {1: "refusal"}, Reason.NO_SUBMISSION),
        Case("one answer, cut before its first file", Reason.TRUNCATED, (None,), 1, {1: "length"}, Reason.TRUNCATED),
        Case("a file cut in the middle", Reason.TRUNCATED, (None, CUT_OFF), 2, {2: "max_tokens"}),
        Case("a module that was never reached", Reason.TRUNCATED, (program("does not import"), None), 2, {2: "length"}),
        Case("an answer without files", Reason.UNPARSABLE, (None,), 1, {}, Reason.UNPARSABLE),
        Case("the budget ended before the work", Reason.BUDGET, (None, LACKING), 2, {}, Reason.BUDGET),
        Case("the budget was too small to begin", Reason.BUDGET, (None,), 1, {}, Reason.BUDGET),
        Case("time ended before the work", Reason.TIMEOUT, (None, LACKING), 2, failure=timeout),
        Case("time ended before anything", Reason.TIMEOUT, (None,), 1, failure=timeout),
        Case("right, then wrong", Reason.REGRESSION, (LACKING, CORRECT, None, WRONG, None), 4),
        Case("right, then removed", Reason.REGRESSION, (CORRECT, ""), 2),
        Case("right, then cut off", Reason.REGRESSION, (CORRECT, CUT_OFF), 2, {2: "length"}),
        Case("right, wrong, tidied, wrong", Reason.REGRESSION, (CORRECT, WRONG, WRONG + "\n", None), 2),
        Case("wrong since the third move", Reason.WRONG_RESULT, (LACKING, None, WRONG, WRONG + "\n", None), 3),
        Case("wrong, and a long farewell cut off", Reason.WRONG_RESULT, (WRONG, None), 1, {2: "length"}),
        Case("wrong, and commands that found no network", Reason.WRONG_RESULT, (None, WRONG, None), 2,
             said="connect: Network is unreachable; No space left on device"),
        Case("no state, after the operations came", Reason.PERSISTENCE, (LACKING, program("state lost")), 2),
        Case("rate limit", INFRASTRUCTURE, (LACKING,), 1, failure="model_rate_limit"),
        Case("a broken answer", INFRASTRUCTURE, (None,), 1, failure="model_broken_answer"),
        Case("the sandbox was lost", INFRASTRUCTURE, (CORRECT,), 1, failure="sandbox_lost"),
        Case("the disk was full", INFRASTRUCTURE, (None,), 1, failure="disk_full"),
        Case("the grader crashed", INFRASTRUCTURE, (WRONG,), 1, error="grader_crash"),
        Case("no sandbox to grade in", INFRASTRUCTURE, (None,), 1, error="sandbox_start"),
    ]  # fmt: skip


CASES = (*_programs(), *_attempts())

STEP = step((STATELESS, RESTART, middle(2), middle(3), middle(4)), wall_ms=4000, cpu_ms=1000)


class Laboratory:
    """Makes what is known of a case's attempt; each tree is graded once."""

    def __init__(self, open_sandbox: Callable[[SandboxSpec, MemoryBlobs], Sandbox]) -> None:
        self._open = open_sandbox
        self._grades: dict[str, Grade] = {}
        self.blobs = MemoryBlobs()

    def grade(self, tree: Tree) -> Grade:
        if tree.digest not in self._grades:
            self._grades[tree.digest] = SessionGrader().grade(
                STEP, tree, lambda spec: self._open(spec, self.blobs), Given(), self.blobs
            )
        return self._grades[tree.digest]

    def seen(self, case: Case) -> Seen:
        moves, tree, grades = [], Tree(), {}
        for n, text in enumerate(case.texts, 1):
            if text is not None:
                tree = Tree() if text == "" else submission(text, self.blobs)
            moves.append(_move(case, n, text, tree))
            grades[tree.digest] = self.grade(tree)
        final = tree if case.tree is None else case.tree
        attempt = trial("toy-1", reason=case.own, failure=_failure(case.failure, "agent"))
        if attempt.failure is not None and not attempt.failure.counts:
            return Seen(attempt, None, tuple(moves), grades)
        if case.error:
            return Seen(
                attempt, verdict(attempt, Outcome.ERROR, failure=_failure(case.error, "grader")), tuple(moves), grades
            )
        return Seen(attempt, _verdict(attempt, final, self.grade(final)), tuple(moves), grades)


def _verdict(attempt: Trial, tree: Tree, grade: Grade) -> Verdict:
    facts = {name: getattr(grade, name) for name in Grade.__struct_fields__ if name not in {"outcome", "score"}}
    return verdict(attempt, grade.outcome, submission=tree.digest, **facts)


def _failure(code: str, where: str) -> Failure | None:
    return Failure(code=code, message=f"what the {where} met with") if code else None


def _move(case: Case, n: int, text: str | None, tree: Tree) -> Move:
    last = n == len(case.texts)
    edited = text is not None
    call = MoveCall(id=f"c{n}", name="bash", arguments='{"command":"python3 check.py"}')
    result = MoveResult(call=f"c{n}", content=case.said or "ok", failed=bool(case.said), code=1 if case.said else 0)
    return Move(
        n=n,
        source="agent",
        message="Done." if last else "",
        calls=() if last and not edited else (call,),
        results=() if last and not edited else (result,),
        metrics=MoveMetrics(input_tokens=100 * n, output_tokens=10),
        changed=(Change(path="main.py", how="changed" if text else "removed"),) if edited else (),
        snapshot=Submission(tree=tree.digest, blob="") if edited else None,
        llm_calls=1,
        stop=case.stops.get(n, "stop" if last else "tool_calls"),
        wall_us=1_000_000,
    )
