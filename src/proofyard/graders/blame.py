"""From what was seen to a reason code: why a response, or a program, fails."""

import signal
from typing import Any, Final

from proofyard.core import AssertionKind, Ended, Fault, Limits, Reason
from proofyard.graders.envelope import error_code

__all__ = ["of_death", "of_end", "of_fault", "of_mismatch"]

_FAULTS: Final[dict[Fault, Reason]] = {
    "timeout": Reason.TIMEOUT,
    "output_limit": Reason.OUTPUT_LIMIT,
    "line_too_long": Reason.OUTPUT_LIMIT,
    "oom": Reason.OOM,
    "tamper": Reason.TAMPER,
    "bad_json": Reason.WRONG_RESULT,
    "unsolicited_output": Reason.WRONG_RESULT,
}
_WORDS: Final[dict[Fault, str]] = {
    "timeout": "no response within {wall}; the program is still running: is every response flushed?",
    "output_limit": "more output than allowed{output}",
    "line_too_long": "a line longer than allowed{line}",
    "oom": "out of memory{memory}",
    "tamper": "a response that was not written in an ordinary way",
    "unsolicited_output": "output that no request asked for",
}
_IMPORTS: Final = ("ImportError", "ModuleNotFoundError", "SyntaxError", "IndentationError", "TabError")
_STATE: Final = {"atomicity", "nesting", "mid-write"}


def of_fault(fault: Fault, limits: Limits | None = None) -> tuple[Reason, str] | None:
    """Reason and words for a fault that speaks for itself; None where the program died (see `of_death`).

    limits: those of the session, so that the words can name the one that was hit.
    """
    if fault not in _FAULTS:
        return None
    return _FAULTS[fault], _WORDS.get(fault, fault).format(**_named(limits))


def of_death(ended: Ended, *, started: bool, killed: str, limits: Limits | None = None) -> tuple[Reason, str]:
    """Reason and words for a program that ended before it answered.

    started: it had answered something in this session. killed: how the session before ended: "response" or "middle"
    where it was killed, else "". limits: as for `of_fault`.
    """
    words = f"the program ended before it answered ({_how(ended)})"
    last = _last_line(ended.stderr)
    named = _named(limits)
    if ended.fault == "oom" or last.startswith("MemoryError"):
        return Reason.OOM, words + ": out of memory" + named["memory"]
    if ended.fault == "timeout" or ended.signal == signal.SIGXCPU:
        return Reason.TIMEOUT, words + ": over its CPU time" + named["cpu"]
    if not started and killed:
        reason = Reason.NOT_ATOMIC if killed == "middle" else Reason.PERSISTENCE
        return reason, words + ", started on the state that a kill had left"
    if not started and last.startswith(_IMPORTS):
        return Reason.IMPORT_ERROR, f"{words}: {last}"
    return Reason.CRASH, words


def of_end(ended: Ended, limits: Limits | None = None) -> tuple[Reason, str] | None:
    """Reason and words for a wrong end of a session by end of input; None if all is well. limits: as for `of_fault`."""
    if ended.fault == "timeout":
        named = _named(limits)
        return Reason.TIMEOUT, f"the program did not exit after the end of its input, within {named['wall']}"
    if ended.fault is not None:
        known = of_fault(ended.fault, limits)
        if known is not None:
            return known[0], known[1] + " after the end of input"
    if ended.stdout:
        return Reason.WRONG_RESULT, "output after the last response"
    if ended.signal == signal.SIGXCPU:
        return Reason.TIMEOUT, "over its CPU time" + _named(limits)["cpu"] + " after the end of input"
    if ended.signal is not None or ended.code != 0:
        return Reason.CRASH, f"the program did not end well after the end of its input ({_how(ended)})"
    return None


def of_mismatch(
    kind: AssertionKind | None, expected: list[dict[str, Any]], got: Any, *, restarted: bool = False
) -> Reason:
    """The reason for a response that differs; `expected` has one envelope per world still possible.

    restarted: a session went before, so that what is gone may have been lost between the two.
    """
    codes = {error_code(value) for value in expected}
    if error_code(got) == "unknown_op" and not codes & {"unknown_op", "bad_request", "bad_json"}:
        return Reason.MISSING_OPERATION
    if kind == "malformed":
        return Reason.ERROR_HANDLING
    if kind in {"restart", "retry"} and restarted:
        return Reason.PERSISTENCE
    if kind in _STATE:
        found = _of_state(expected, codes, got)
        return Reason.NOT_ATOMIC if found is Reason.PERSISTENCE and not restarted else found
    if kind in {"conflicts", "retry"} and None not in codes:
        return Reason.ERROR_HANDLING
    return Reason.WRONG_RESULT


def _of_state(expected: list[dict[str, Any]], codes: set[str | None], got: Any) -> Reason:
    """Something acknowledged is gone (persistence), or there is what should not be, or half of it (not_atomic)."""
    refused = error_code(got)
    if None not in codes:
        return Reason.ERROR_HANDLING if refused else Reason.NOT_ATOMIC
    if refused or _leaves(got) < min(_leaves(value) for value in expected):
        return Reason.PERSISTENCE
    return Reason.NOT_ATOMIC


def _leaves(value: Any) -> int:
    if isinstance(value, dict):
        return sum(map(_leaves, value.values()))
    if isinstance(value, list):
        return sum(map(_leaves, value))
    return 1


def _named(limits: Limits | None) -> dict[str, str]:
    """The limits in words, to be put after what ran into one; without numbers where they are not known."""
    if limits is None:
        return {"wall": "the time limit", **dict.fromkeys(("cpu", "output", "line", "memory"), "")}
    return {
        "wall": f"{limits.wall_ms / 1000:g} s (the wall time of a session)",
        "cpu": f" ({limits.cpu_ms / 1000:g} s)",
        "output": f" ({limits.output} bytes a session)",
        "line": f" ({limits.line} bytes)",
        "memory": f" ({limits.memory >> 20} MiB a process, {limits.tree_memory >> 20} MiB in all)",
    }


def _how(ended: Ended) -> str:
    if ended.signal is not None:
        try:
            return f"killed by {signal.Signals(ended.signal).name}"
        except ValueError:
            return f"killed by signal {ended.signal}"
    return "still alive" if ended.code is None else f"exit code {ended.code}"


def _last_line(stderr: bytes) -> str:
    lines = [line for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1] if lines else ""
