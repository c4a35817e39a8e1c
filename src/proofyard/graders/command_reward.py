"""The reward a test script left: `reward.json`, else `reward.txt`; finite numbers only."""

import math
from typing import Any

from proofyard.core import BadJSON, Blobs, Ended, Entry, Failure, Tree, file_bytes, loads
from proofyard.graders import wording

__all__ = ["ForgedError", "NoRewardError", "output", "rewards_of", "score_of"]


class NoRewardError(Exception):
    """There is no reward that can be read."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.failure = Failure(code=code, message=message)


class ForgedError(Exception):
    """A reward was not written by the tests."""


def rewards_of(logs: Tree, blobs: Blobs, ended: Ended) -> dict[str, float]:
    """Rewards by key, never empty. Raises NoRewardError, ForgedError."""
    if ended.fault == "timeout":
        raise NoRewardError("grader_timeout", "the tests did not end within their time limit")
    many = _content(logs, "reward.json", blobs)
    one = _content(logs, "reward.txt", blobs)
    if many is None and one is None:
        fault = f" ({ended.fault})" if ended.fault else ""
        raise NoRewardError(
            "reward_missing", f"the tests left neither reward.json nor reward.txt in /logs/verifier{fault}"
        )
    if many is None:
        return {"reward": _number((one or b"").strip(), "reward.txt")}
    if one is None:
        return _object(many)
    try:
        rewards, alone = _object(many), _number(one.strip(), "reward.txt")
    except NoRewardError as error:  # no error: who can spoil one of them would choose which gradings count
        raise ForgedError(f"reward.json and reward.txt are both there, one unreadable: {error}") from None
    if score_of(rewards) != alone:
        raise ForgedError("reward.json and reward.txt are both there and disagree")
    return rewards


def score_of(rewards: dict[str, float]) -> float:
    """The reward of that name, else the mean of all."""
    return rewards["reward"] if "reward" in rewards else math.fsum(rewards.values()) / len(rewards)


def output(entry: Entry, blobs: Blobs) -> str:
    """The last of what the script printed."""
    return wording.stderr_tail(file_bytes(entry, blobs)) if entry.kind == "file" else ""


def _object(data: bytes) -> dict[str, float]:
    try:
        value = loads(data)
    except BadJSON as error:
        raise NoRewardError("reward_unreadable", f"reward.json: {error}") from None
    if not isinstance(value, dict) or not value:
        raise NoRewardError("reward_unreadable", "reward.json: not an object of numbers")
    return {key: _finite(item, f"reward.json: {wording.value(key)}") for key, item in value.items()}


def _number(text: bytes, name: str) -> float:
    try:
        return _finite(float(text), name)
    except ValueError:
        raise NoRewardError("reward_unreadable", f"{name}: not a number: {wording.shown(text[:80])}") from None


def _finite(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NoRewardError("reward_unreadable", f"{name}: not a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise NoRewardError("reward_unreadable", f"{name}: not a finite number")
    return number


def _content(logs: Tree, name: str, blobs: Blobs) -> bytes | None:
    entry = logs.entries.get(name)
    if entry is None:
        return None
    if entry.kind != "file":
        raise NoRewardError("reward_unreadable", f"{name} is no regular file")
    return file_bytes(entry, blobs)
