"""A failed verdict explained: what was sent, what was expected, what came, as a readable diff."""

import difflib
import json

from proofyard.core import Outcome, Verdict
from proofyard.reports.clean import clean, shorten

__all__ = ["explain"]


def explain(verdict: Verdict, width: int = 4000) -> str:
    """Return lines that say how a grading ended and, if it failed, the first thing that went wrong."""
    passed, total = _assertions(verdict)
    said = f"{passed}/{total} assertions passed" if total else "no assertion was played"
    lines = [f"{verdict.outcome}: {'not graded' if verdict.failure else said}"]
    if verdict.reason:
        lines[0] += f"  (reason: {verdict.reason})"
    if verdict.failure:
        lines.append(f"{verdict.failure.boundary} failure {verdict.failure.code}: {clean(verdict.failure.message)}")
    if verdict.outcome is Outcome.PASSED:
        return "\n".join(lines)
    lines += [f"  {kind}: {g.passed}/{g.total}" for kind, g in sorted(verdict.groups.items())]
    seen = verdict.evidence
    if seen.where:
        lines.append(f"first failure: {clean(seen.where)}")
    if seen.note:
        lines.append(f"  {clean(shorten(seen.note, width))}")
    if seen.request:
        lines.append(f"  request:  {clean(shorten(seen.request, width))}")
    if seen.got and not (seen.expected or seen.request):  # what tests of a script's own printed
        lines += ["  printed:", *("    " + line for line in clean(shorten(seen.got, width)).splitlines())]
    else:
        lines += _difference(seen.expected, seen.got, width)
    if seen.stderr:
        lines += ["  standard error:", *("    " + line for line in clean(shorten(seen.stderr, width)).splitlines())]
    return "\n".join(lines)


def _assertions(verdict: Verdict) -> tuple[int, int]:
    groups = verdict.groups.values()
    return sum(g.passed for g in groups), sum(g.total for g in groups)


def _difference(expected: str, got: str, width: int) -> list[str]:
    if not expected and not got:
        return []
    wanted, came = _pretty(expected), _pretty(got)
    if wanted is None or came is None or (len(wanted) < 3 and len(came) < 3):
        return [
            f"  expected: {clean(shorten(expected, width)) or '(nothing)'}",
            f"  got:      {clean(shorten(got, width)) or '(nothing)'}",
        ]
    lines = list(difflib.unified_diff(wanted, came, "expected", "got", lineterm="", n=4))
    body = [clean(shorten(line, 400)) for line in lines[2:] if not line.startswith("@@")]
    return ["  difference (- expected, + got):", *("    " + line for line in body[:60])]


def _pretty(text: str) -> list[str] | None:
    """The JSON text one value a line, None if it is no JSON."""
    try:
        return json.dumps(json.loads(text), indent=1, ensure_ascii=False, sort_keys=True).splitlines()
    except (ValueError, RecursionError):
        return None
