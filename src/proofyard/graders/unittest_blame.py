"""From what a run left to why a submission fails: the test's own run, and the run of its twin."""

import signal
from collections.abc import Mapping
from typing import Final

from proofyard.core import Evidence, Limits, Reason
from proofyard.graders import blame, wording
from proofyard.graders.outcome import Shortfall
from proofyard.graders.unittest_orders import Report, Truth
from proofyard.graders.unittest_runs import Ran
from proofyard.source.twins import Twin

__all__ = ["of_run", "of_twin", "passed", "timed_out"]

_NEARLY: Final = 0.9
_IMPORTS: Final = ("ModuleNotFoundError", "ImportError")


def timed_out(ran: Ran, limits: Limits) -> bool:
    """Whether a run ended by its wall clock, not by its CPU time."""
    return ran.report is None and ran.ended.fault == "timeout" and ran.used.cpu_us < limits.cpu_ms * 1000 * _NEARLY


def passed(report: Report | None, wanted: Mapping[str, str]) -> int:
    """How many tests ended as they must."""
    if report is None or report.tests is None:
        return 0
    return sum(_agrees(wanted[name], report.tests[name][0]) for name in wanted.keys() & report.tests.keys())


def of_run(ran: Ran, wanted: Mapping[str, str], limits: Limits) -> Shortfall | None:
    """Why the submission fails, None if every test ended as it must. wanted: status by test."""
    report = ran.report
    if report is None:
        return _of_silence(ran, limits)
    if report.tamper:
        return _short(ran, Reason.TAMPER, "while tests ran: " + "; ".join(dict.fromkeys(report.tamper)))
    if report.tests is None:
        return _of_loading(ran, report)
    if not report.tests:
        return _short(ran, Reason.NO_TESTS, "no test was run")
    if report.tests.keys() != wanted.keys():
        odd = sorted(report.tests.keys() ^ wanted.keys())
        return _short(ran, Reason.TAMPER, f"the tests run are not those of the file: {', '.join(odd[:5])}")
    for name, status in wanted.items():
        got, said, trace = report.tests[name]
        if not _agrees(status, got):
            return _of_test(ran, name, status, got, (said, trace))
    return None


def of_twin(ran: Ran, twin: Twin, wanted: Mapping[str, str], truth: Truth | None, limits: Limits) -> Shortfall | None:
    """Why a submission that passed is not believed: tests that must fail did not. None if all failed as they must."""
    report = ran.report
    if report is None or report.tamper or report.tests is None:
        return of_run(ran, wanted, limits)
    for name in must_fail(wanted, truth):
        got, said, trace = report.tests.get(name, ("not run", "", ""))
        if got != "failed" or not said.startswith(twin.tokens.get(name, "\0")):
            note = f"a test that must fail did not, or not by what was put in: {got}"
            return Shortfall(Reason.TAMPER, Evidence(where=name, got=trace, note=note))
    held = {twin.sites[told]: counts for told, counts in report.sites.items() if told in twin.sites}
    for label in truth.controls if truth is not None else ():
        function, mark, _ = label.partition("#")
        if not mark:
            continue
        good, bad = held.get(label, (0, 0))
        if bad:
            note = "an assertion held that was changed so as to fail, or the other way round"
            return Shortfall(Reason.TAMPER, Evidence(where=function, note=note))
        mine = [counts for other, counts in held.items() if other.partition("#")[0] == function]
        if function in wanted and not good and not any(counts[0] for counts in mine):
            return Shortfall(Reason.TAMPER, Evidence(where=function, note="no changed assertion of a test was reached"))
    return None


def must_fail(wanted: Mapping[str, str], truth: Truth | None) -> list[str]:
    """The tests whose sentinel must be seen: those in which the canonical solution reaches it, where that is known."""
    names = [name for name, status in wanted.items() if status == "ok"]
    if truth is None or not truth.controls:
        return names
    return [name for name in names if name in truth.controls]


def _agrees(wanted: str, got: str) -> bool:
    return got == wanted or (wanted == "skip" and got == "ok")


def _of_silence(ran: Ran, limits: Limits) -> Shortfall:
    ended = ran.ended
    known = blame.of_fault(ended.fault, limits) if ended.fault is not None and ended.fault != "timeout" else None
    if known is not None:
        return _short(ran, *known)
    spent = ran.used.cpu_us >= limits.cpu_ms * 1000 * _NEARLY
    if spent or ended.signal == signal.SIGXCPU:
        return _short(ran, Reason.TIMEOUT, f"over its CPU time ({limits.cpu_ms / 1000:g} s)")
    if ended.fault == "timeout":
        return _short(ran, Reason.TIMEOUT, f"not ended within {limits.wall_ms / 1000:g} s, run alone too")
    reason, note = blame.of_death(ended, started=True, killed="", limits=limits)
    return _short(ran, reason, note.replace("before it answered", "before the tests did"))


def _of_loading(ran: Ran, report: Report) -> Shortfall:
    if report.syntax:
        return _short(ran, Reason.SYNTAX, "the program does not compile", report.syntax)
    if report.missing:
        return _short(ran, Reason.MISSING_OPERATION, f"there is no function {report.missing}")
    if report.driver:
        last = report.driver.strip().rpartition("\n")[2]
        reason = Reason.IMPORT_ERROR if last.startswith(_IMPORTS) else Reason.CRASH
        return _short(ran, reason, f"the tests cannot be loaded beside the program: {last[:300]}", report.driver)
    trace, *kinds = report.load
    if "ImportError" in kinds:
        return _short(ran, Reason.IMPORT_ERROR, f"the program cannot be loaded: {kinds[0]}", trace)
    reason = Reason.OOM if "MemoryError" in kinds else Reason.CRASH
    return _short(ran, reason, f"the program cannot be loaded: {kinds[0]}", trace)


def _of_test(ran: Ran, name: str, wanted: str, got: str, words: tuple[str, str]) -> Shortfall:
    said, trace = words
    last = said.strip().partition("\n")[0] or trace.strip().rpartition("\n")[2]
    reason = Reason.WRONG_RESULT
    if got == "memory":
        reason = Reason.OOM
    elif got == "skip":
        reason = Reason.TAMPER
    elif last.startswith(_IMPORTS):
        reason = Reason.IMPORT_ERROR
    return _short(ran, reason, last[:500] if got in {"failed", "error"} else f"{got}, not {wanted}", trace, name)


def _short(ran: Ran, reason: Reason, note: str, trace: str = "", where: str = "") -> Shortfall:
    stderr = wording.stderr_tail(ran.ended.stderr)
    return Shortfall(
        reason, Evidence(where=where or "the test", got=wording.shown(trace.encode()), stderr=stderr, note=note)
    )
