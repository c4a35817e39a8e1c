import signal
from typing import Any

import pytest

from proofyard.core import FAULTS, AssertionKind, Ended, Fault, Limits, Reason
from proofyard.graders import blame


def ok(result: Any) -> dict[str, Any]:
    return {"id": 1, "ok": True, "result": result}


def error(code: str) -> dict[str, Any]:
    return {"id": 1, "ok": False, "error": {"code": code, "message": ""}}


@pytest.mark.parametrize(
    ("kind", "expected", "got", "reason"),
    [
        ("golden", [ok(1)], ok(2), Reason.WRONG_RESULT),
        (None, [ok(1)], [], Reason.WRONG_RESULT),
        ("generated", [ok(1)], error("unknown_op"), Reason.MISSING_OPERATION),
        ("malformed", [error("invalid_args")], error("unknown_op"), Reason.MISSING_OPERATION),
        ("malformed", [error("bad_request")], error("unknown_op"), Reason.ERROR_HANDLING),
        ("malformed", [error("unknown_op")], error("invalid_args"), Reason.ERROR_HANDLING),
        ("malformed", [error("invalid_args")], ok(1), Reason.ERROR_HANDLING),
        ("restart", [ok(1)], error("not_found"), Reason.PERSISTENCE),
        ("retry", [ok(1)], ok(2), Reason.PERSISTENCE),
        ("atomicity", [error("batch_failed")], ok({}), Reason.NOT_ATOMIC),
        ("atomicity", [error("batch_failed")], error("not_found"), Reason.ERROR_HANDLING),
        ("atomicity", [ok([1, 2])], ok([1, 2, 3]), Reason.NOT_ATOMIC),
        ("nesting", [ok([1, 2])], ok([1]), Reason.PERSISTENCE),
        ("nesting", [ok([1, 2])], error("not_found"), Reason.PERSISTENCE),
        ("mid-write", [ok([1]), ok([1, 2, 3])], ok([1, 2]), Reason.NOT_ATOMIC),
        ("mid-write", [ok([1]), ok([1, 2, 3])], ok([]), Reason.PERSISTENCE),
        ("mid-write", [ok({"a": {"b": 1}})], ok({"a": {"b": 2}}), Reason.NOT_ATOMIC),
        ("conflicts", [error("conflict")], ok(1), Reason.ERROR_HANDLING),
        ("conflicts", [ok(1)], ok(2), Reason.WRONG_RESULT),
    ],
)
def test_mismatch(kind: AssertionKind | None, expected: list[dict[str, Any]], got: Any, reason: Reason) -> None:
    assert blame.of_mismatch(kind, expected, got, restarted=True) is reason


@pytest.mark.parametrize(
    ("kind", "expected", "got", "reason"),
    [
        ("retry", [ok(1)], ok(2), Reason.WRONG_RESULT),
        ("retry", [error("key_reuse")], ok(2), Reason.ERROR_HANDLING),
        ("restart", [ok(1)], error("not_found"), Reason.WRONG_RESULT),
        ("nesting", [ok([1, 2])], ok([1]), Reason.NOT_ATOMIC),
        ("atomicity", [ok([1, 2])], error("not_found"), Reason.NOT_ATOMIC),
        ("atomicity", [error("batch_failed")], error("not_found"), Reason.ERROR_HANDLING),
    ],
)
def test_nothing_is_lost_before_a_restart(kind: AssertionKind, expected: list[Any], got: Any, reason: Reason) -> None:
    assert blame.of_mismatch(kind, expected, got) is reason


def test_every_fault_has_a_reason_or_is_a_death() -> None:
    deaths = {fault for fault in FAULTS if blame.of_fault(fault) is None}  # type: ignore[arg-type]
    assert deaths == {"eof", "stdin_closed", "killed"}


@pytest.mark.parametrize(
    ("ended", "started", "killed", "reason", "words"),
    [
        (
            Ended(code=1, stderr=b"x\nImportError: no\n"),
            False,
            "",
            Reason.IMPORT_ERROR,
            "(exit code 1): ImportError: no",
        ),
        (Ended(code=1, stderr=b"ImportError: no\n"), True, "", Reason.CRASH, "(exit code 1)"),
        (Ended(code=1, stderr=b"  x\n   ^\nSyntaxError: bad"), False, "", Reason.IMPORT_ERROR, "SyntaxError: bad"),
        (Ended(code=0), True, "", Reason.CRASH, "(exit code 0)"),
        (Ended(signal=signal.SIGSEGV), True, "", Reason.CRASH, "(killed by SIGSEGV)"),
        (Ended(signal=40), True, "", Reason.CRASH, "(killed by signal 40)"),
        (Ended(signal=signal.SIGXCPU), True, "", Reason.TIMEOUT, "over its CPU time"),
        (Ended(fault="timeout"), True, "", Reason.TIMEOUT, "over its CPU time"),
        (Ended(signal=signal.SIGKILL, fault="oom"), True, "", Reason.OOM, "out of memory"),
        (Ended(code=1, stderr=b"MemoryError\n\n"), True, "", Reason.OOM, "out of memory"),
        (Ended(code=1, stderr=b"ValueError"), False, "response", Reason.PERSISTENCE, "that a kill had left"),
        (Ended(code=1, stderr=b"ValueError"), False, "middle", Reason.NOT_ATOMIC, "that a kill had left"),
        (Ended(code=1, stderr=b"ValueError"), True, "middle", Reason.CRASH, "(exit code 1)"),
        (Ended(), True, "", Reason.CRASH, "(still alive)"),
    ],
)
def test_death(ended: Ended, started: bool, killed: str, reason: Reason, words: str) -> None:
    found = blame.of_death(ended, started=started, killed=killed)
    assert found[0] is reason
    assert found[1].endswith(words)


@pytest.mark.parametrize(
    ("ended", "reason"),
    [
        (Ended(code=0), None),
        (Ended(code=0, stderr=b"noise"), None),
        (Ended(code=0, stdout=b"\n"), Reason.WRONG_RESULT),
        (Ended(code=1), Reason.CRASH),
        (Ended(signal=9), Reason.CRASH),
        (Ended(fault="timeout"), Reason.TIMEOUT),
        (Ended(fault="output_limit", stdout=b"x"), Reason.OUTPUT_LIMIT),
        (Ended(fault="oom"), Reason.OOM),
        (Ended(fault="tamper"), Reason.TAMPER),
        (Ended(signal=signal.SIGXCPU), Reason.TIMEOUT),
    ],
)
def test_end(ended: Ended, reason: Reason | None) -> None:
    found = blame.of_end(ended)
    assert (found[0] if found else None) is reason


LIMITS = Limits(wall_ms=1500, cpu_ms=7000, memory=3 << 20, tree_memory=5 << 20, output=111, line=22)


@pytest.mark.parametrize(
    ("fault", "bare", "named"),
    [
        (
            "timeout",
            "no response within the time limit; the program is still running: is every response flushed?",
            "no response within 1.5 s (the wall time of a session); the program is still running: is every response "
            "flushed?",
        ),
        ("output_limit", "more output than allowed", "more output than allowed (111 bytes a session)"),
        ("line_too_long", "a line longer than allowed", "a line longer than allowed (22 bytes)"),
        ("oom", "out of memory", "out of memory (3 MiB a process, 5 MiB in all)"),
    ],
)
def test_the_limit_that_was_hit_is_named(fault: Fault, bare: str, named: str) -> None:
    for limits, words in ((None, bare), (LIMITS, named)):
        found = blame.of_fault(fault, limits)
        assert found is not None and found[1] == words


def test_the_limit_that_a_program_died_of_is_named() -> None:
    spent = Ended(signal=signal.SIGXCPU)
    assert blame.of_death(spent, started=True, killed="", limits=LIMITS)[1].endswith("over its CPU time (7 s)")
    assert blame.of_end(spent, LIMITS) == (Reason.TIMEOUT, "over its CPU time (7 s) after the end of input")
    hungry = Ended(code=1, stderr=b"MemoryError")
    assert blame.of_death(hungry, started=True, killed="", limits=LIMITS)[1].endswith("(3 MiB a process, 5 MiB in all)")
    assert blame.of_end(Ended(fault="timeout"), LIMITS) == (
        Reason.TIMEOUT,
        "the program did not exit after the end of its input, within 1.5 s (the wall time of a session)",
    )
