"""Line differences against the best of all scripts, found by trying each; patches against edits from the end."""

from functools import cache
from itertools import groupby
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.line_diff import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "the first of all scripts, by exhaustive search"

LINES = st.lists(st.sampled_from(["a", "b", "c", " a", "b\t", ""]), max_size=7)
KEEP, DELETE, INSERT = 0, 1, 2


def best(old: list[str], new: list[str]) -> tuple[int, ...]:
    """The steps of the script: every script is tried, fewest keeps last, then in the order of the steps."""

    @cache
    def rest(i: int, j: int) -> tuple[int, tuple[int, ...]]:
        if i == len(old) and j == len(new):
            return 0, ()
        found = []
        if i < len(old) and j < len(new) and old[i] == new[j]:
            lost, steps = rest(i + 1, j + 1)
            found.append((lost - 1, (KEEP, *steps)))
        if i < len(old):
            lost, steps = rest(i + 1, j)
            found.append((lost, (DELETE, *steps)))
        if j < len(new):
            lost, steps = rest(i, j + 1)
            found.append((lost, (INSERT, *steps)))
        return min(found)

    return rest(0, 0)[1]


def check_diff(args: dict[str, Any]) -> None:
    old, new = args["old"], args["new"]
    loose = args.get("ignore_space", False)
    plain = [["".join(c for c in line if not loose or c not in " \t") for line in lines] for lines in (old, new)]
    steps = best(*plain)
    hunks = []
    gone, come = iter(old), iter(new)
    at = 1
    for changed, run in groupby(steps, key=lambda step: step != KEEP):
        group = list(run)
        deleted = [next(gone) for step in group if step != INSERT]
        inserted = [next(come) for step in group if step != DELETE]
        if changed:
            hunks.append({"at": at, "delete": deleted, "insert": inserted})
        at += len(deleted)
    assert play(FAMILY, "diff", args) == {"kept": steps.count(KEEP), "hunks": hunks}


def check_patch(args: dict[str, Any]) -> None:
    """All hunks are looked at first, and applied to a copy from the last to the first."""
    lines, hunks = args["lines"], args["hunks"]
    result = play(FAMILY, "patch", args)
    low = 1
    for number, hunk in enumerate(hunks, 1):
        if hunk["at"] not in range(low, len(lines) + 2):
            assert result == {"code": "misplaced", "hunk": number}
            return
        for place, line in enumerate(hunk["delete"], hunk["at"]):
            if place > len(lines) or lines[place - 1] != line:
                assert result == {"code": "mismatch", "hunk": number, "line": place}
                return
        low = hunk["at"] + len(hunk["delete"])
    changed = list(lines)
    for hunk in reversed(hunks):
        changed[hunk["at"] - 1 : hunk["at"] - 1 + len(hunk["delete"])] = hunk["insert"]
    assert result == {"lines": changed}


@settings(max_examples=60)
@given(LINES, LINES, st.booleans())
def test_diff_is_the_first_of_the_best_scripts(old: list[str], new: list[str], loose: bool) -> None:
    check_diff({"old": old, "new": new, "ignore_space": loose})


@settings(max_examples=60)
@given(LINES, LINES)
def test_a_patch_with_the_difference_gives_the_new_lines(old: list[str], new: list[str]) -> None:
    hunks = play(FAMILY, "diff", {"old": old, "new": new})["hunks"]
    assert play(FAMILY, "patch", {"lines": old, "hunks": hunks}) == {"lines": new}


HUNKS = st.lists(
    st.fixed_dictionaries(
        {
            "at": st.integers(1, 6),
            "delete": st.lists(st.sampled_from("ab"), max_size=2),
            "insert": st.lists(st.sampled_from("cd"), max_size=2),
        }
    ),
    max_size=3,
)


@settings(max_examples=60)
@given(st.lists(st.sampled_from("ab"), max_size=5), HUNKS)
def test_patch_from_the_end(lines: list[str], hunks: list[Any]) -> None:
    check_patch({"lines": lines, "hunks": hunks})
    check_patch({"lines": lines, "hunks": sorted(hunks, key=lambda hunk: hunk["at"])})


def test_own_inputs() -> None:
    for args in of(FAMILY, "diff", 200):
        check_diff(args)
    for args in of(FAMILY, "patch", 300):
        check_patch(args)
