import signal

import pytest

from proofyard.core import Ended, Limits, Reason, Usage
from proofyard.graders.unittest_blame import of_run, of_twin, passed, timed_out
from proofyard.graders.unittest_orders import Report, Truth
from proofyard.graders.unittest_runs import Ran
from proofyard.source.twins import Twin

LIMITS = Limits(cpu_ms=2000, wall_ms=6000)
WANTED = {"test_a": "ok", "test_b": "skip"}
GOOD = {"test_a": ("ok", "", ""), "test_b": ("skip", "", "")}
TWIN = Twin("", {"test_a": "1 != 2", "test_b": "3 != 4"}, {"amber 1": "test_a#0", "amber 2": "test_a#1"}, "")
TRUTH = Truth(tests={"test_a": "ok", "test_b": "skip"}, controls=("test_a", "test_a#0"))


def ran(report: Report | None = None, cpu_us: int = 0, **ended: object) -> Ran:
    return Ran(report, Ended(**ended), b"", Usage(cpu_us=cpu_us))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "reason"),
    [
        (ran(Report(tests=GOOD)), None),
        (ran(Report(tests={**GOOD, "test_b": ("ok", "", "")})), None),
        (ran(Report(tests={**GOOD, "test_a": ("failed", "1 != 2", "")})), Reason.WRONG_RESULT),
        (ran(Report(tests={**GOOD, "test_a": ("error", "", "x\nModuleNotFoundError: y")})), Reason.IMPORT_ERROR),
        (ran(Report(tests={**GOOD, "test_a": ("memory", "", "")})), Reason.OOM),
        (ran(Report(tests={**GOOD, "test_a": ("skip", "", "")})), Reason.TAMPER),
        (ran(Report(tests={**GOOD, "test_a": ("unexpected_success", "", "")})), Reason.WRONG_RESULT),
        (ran(Report(tests=GOOD, tamper=["x was replaced"])), Reason.TAMPER),
        (ran(Report(tests={"test_a": ("ok", "", "")})), Reason.TAMPER),
        (ran(Report(tests={**GOOD, "test_c": ("ok", "", "")})), Reason.TAMPER),
        (ran(Report(tests={})), Reason.NO_TESTS),
        (ran(Report(syntax="SyntaxError")), Reason.SYNTAX),
        (ran(Report(missing="f")), Reason.MISSING_OPERATION),
        (ran(Report(load=["trace", "ModuleNotFoundError", "ImportError"])), Reason.IMPORT_ERROR),
        (ran(Report(load=["trace", "MemoryError"])), Reason.OOM),
        (ran(Report(load=["trace", "SystemExit"])), Reason.CRASH),
        (ran(Report(driver="trace")), Reason.CRASH),
        (ran(Report(driver="trace\nModuleNotFoundError: No module named 'x'\n")), Reason.IMPORT_ERROR),
        (ran(code=0), Reason.CRASH),
        (ran(signal=signal.SIGSEGV), Reason.CRASH),
        (ran(signal=signal.SIGKILL), Reason.CRASH),
        (ran(signal=signal.SIGKILL, cpu_us=1_900_000), Reason.TIMEOUT),
        (ran(signal=signal.SIGXCPU), Reason.TIMEOUT),
        (ran(fault="timeout"), Reason.TIMEOUT),
        (ran(fault="oom"), Reason.OOM),
        (ran(fault="output_limit"), Reason.OUTPUT_LIMIT),
        (ran(code=1, stderr=b"Traceback\nMemoryError"), Reason.OOM),
    ],
)
def test_reasons_of_a_run(one: Ran, reason: Reason | None) -> None:
    found = of_run(one, WANTED, LIMITS)
    assert (None if found is None else found.reason) == reason


def test_counts_and_time_outs() -> None:
    assert passed(Report(tests=GOOD), WANTED) == 2
    assert passed(Report(tests={**GOOD, "test_a": ("failed", "", "")}), WANTED) == 1
    assert passed(None, WANTED) == passed(Report(syntax="x"), WANTED) == 0
    assert timed_out(ran(fault="timeout"), LIMITS)
    assert not timed_out(ran(fault="timeout", cpu_us=1_900_000), LIMITS)
    assert not timed_out(ran(Report(tests=GOOD), fault="timeout"), LIMITS)
    assert not timed_out(ran(fault="oom"), LIMITS)


def spoilt(first: tuple[str, str, str], **sites: tuple[int, int]) -> Ran:
    named = {name.replace("_", " "): counts for name, counts in sites.items()}
    return ran(Report(tests={**GOOD, "test_a": first}, sites=named))


FAILED = ("failed", "1 != 2", "")


@pytest.mark.parametrize(
    ("one", "note"),
    [
        (spoilt(FAILED, amber_1=(1, 0)), None),
        (spoilt(FAILED, amber_1=(3, 0), amber_2=(0, 1)), None),  # the second holds for the canonical solution too
        (spoilt(FAILED, amber_2=(1, 0)), None),  # another way through the test
        (spoilt(("ok", "", ""), amber_1=(1, 0)), "a test that must fail did not, or not by what was put in: ok"),
        (
            spoilt(("failed", "5 != 6", ""), amber_1=(1, 0)),
            "a test that must fail did not, or not by what was put in: failed",
        ),
        (
            spoilt(("error", "1 != 2", ""), amber_1=(1, 0)),
            "a test that must fail did not, or not by what was put in: error",
        ),
        (spoilt(FAILED, amber_1=(1, 1)), "an assertion held that was changed so as to fail, or the other way round"),
        (spoilt(FAILED), "no changed assertion of a test was reached"),
        (spoilt(FAILED, amber_2=(0, 1)), "no changed assertion of a test was reached"),
    ],
)
def test_reasons_of_a_twin(one: Ran, note: str | None) -> None:
    found = of_twin(one, TWIN, WANTED, TRUTH, LIMITS)
    assert (None if found is None else found.evidence.note) == note
    assert found is None or found.reason is Reason.TAMPER


def test_a_twin_that_could_not_run() -> None:
    found = of_twin(ran(code=0), TWIN, WANTED, TRUTH, LIMITS)
    assert found is not None
    assert found.reason is Reason.CRASH


def test_without_a_truth_every_sentinel_is_wanted() -> None:
    assert of_twin(spoilt(FAILED), TWIN, WANTED, None, LIMITS) is None
    found = of_twin(spoilt(("ok", "", "")), TWIN, WANTED, None, LIMITS)
    assert found is not None
    assert found.evidence.where == "test_a"
