"""When to begin no more attempts: of the whole run, or of one subject whose every further attempt would meet the same."""

from typing import Final

from proofyard.core import Failure

__all__ = ["IN_A_ROW", "Halts"]

IN_A_ROW: Final = 10
"""Attempts of a subject, one after the other, that got no answer of its model, after which no more are begun."""

_WHOLE_RUN: Final = frozenset({"run_over"})
_SUBJECT: Final = frozenset(
    {"agent_unusable", "model_auth", "model_not_found", "model_quota", "model_unsupported_parameter"}
)


class Halts:
    """What was halted, and why (`said`). What is halted stays owed: the next start of the run goes on with it."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self._all = False
        self._subjects: set[str] = set()
        self._lost: dict[str, int] = {}

    def halted(self, subject: str) -> bool:
        """Whether no attempt of a subject (its digest) is to be begun."""
        return self._all or subject in self._subjects

    def halts(self, subject: str, name: str, failure: Failure) -> bool:
        """Take a failure of an attempt; whether it says nothing of the attempt, which is then as if it was never begun."""
        if failure.code in _WHOLE_RUN:
            self._all = True
            self._say(failure.message)
            return True
        if failure.code in _SUBJECT:
            self._subjects.add(subject)
            self._say(f"{name}: {failure.message} [{failure.code}]")
            return True
        if failure.boundary == "model" and self._lost.get(subject, 0) + 1 >= IN_A_ROW and subject not in self._subjects:
            self._subjects.add(subject)
            self._say(f"{name}: {IN_A_ROW} attempts in a row got no answer, the last one: {failure.message}")
        return False

    def ended(self, subject: str, failure: Failure | None) -> None:
        """An attempt is over, for good or until the run is resumed."""
        lost = failure is not None and failure.boundary == "model"
        self._lost[subject] = self._lost.get(subject, 0) + 1 if lost else 0

    def _say(self, text: str) -> None:
        if text not in self.said:
            self.said.append(text)
