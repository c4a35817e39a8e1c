"""What a submission must be before it is run: its entry file is there, regular files only, within size limits."""

from typing import NamedTuple

from proofyard.core import Reason, Tree

__all__ = ["Refusal", "SizeLimits", "check", "oversized"]


class SizeLimits(NamedTuple):
    """The largest submission run: how many files, how many bytes in all."""

    files: int
    size: int


class Refusal(NamedTuple):
    """Why a submission is not run."""

    reason: Reason
    note: str


def check(submission: Tree, entry: str, limits: SizeLimits) -> Refusal | None:
    """Return why the submission cannot be run, None if it can."""
    if not submission.entries:
        return Refusal(Reason.NO_SUBMISSION, f"the submission is empty: there is no {entry}")
    for path, item in sorted(submission.entries.items()):
        if item.kind != "file":
            what = f"a symbolic link (to {item.target!r})" if item.kind == "symlink" else "a device, FIFO or socket"
            return Refusal(Reason.NO_SUBMISSION, f"{path!r} is {what}: only regular files may be submitted")
    too_large = oversized(submission, limits)
    if too_large is not None:
        return too_large
    if entry not in submission.entries:
        return Refusal(Reason.NO_SUBMISSION, f"there is no {entry} at the top of the submission")
    return None


def oversized(submission: Tree, limits: SizeLimits) -> Refusal | None:
    """Return why the submission is too large to be run, None if it is not."""
    if len(submission.entries) > limits.files:
        return Refusal(
            Reason.OUTPUT_LIMIT, f"{len(submission.entries)} files submitted, at most {limits.files} are taken"
        )
    if submission.size > limits.size:
        return Refusal(Reason.OUTPUT_LIMIT, f"{submission.size} bytes submitted, at most {limits.size} are taken")
    return None
