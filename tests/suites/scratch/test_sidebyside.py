"""Whether a shortcut applies: the first request that tells it from the reference, found without a sandbox."""

import sys

import pytest

from proofyard.core import UnknownNameError
from proofyard.suites.scratch.reference import reference_files
from proofyard.suites.scratch.shortcuts import changed_answers
from proofyard.suites.scratch.sidebyside import first_difference
from proofyard.suites.scratch.tiers import TIERS

from .inprocess import SUITE

MATRIX = "scratch-easy-024-matrix-ops"
WORDS = "scratch-easy-001-word-frequency"


def compared(task_id: str, **changes: tuple[str, str]) -> str:
    """The reference beside itself, with changes of its text: file="old", "new"."""
    tier, family = TIERS[task_id.split("-")[1]], SUITE.family(task_id)
    reference = reference_files(tier, family)
    other = dict(reference)
    for name, (old, new) in changes.items():
        assert old in other[f"program/{name}.py"]
        other[f"program/{name}.py"] = other[f"program/{name}.py"].replace(old, new)
    return first_difference(tier, family.module, reference, other, SUITE.scenarios(task_id))


@pytest.mark.parametrize("tier", TIERS)
def test_the_reference_is_like_itself(tier: str) -> None:
    assert compared(SUITE.ids(tier)[0]) == ""
    assert [name for name in sys.modules if name.startswith("_proofyard_side")] == []


def test_what_an_error_says_to_a_person_is_no_difference() -> None:
    assert compared(WORDS, envelope=("the line is not JSON", "no JSON")) == ""


def test_the_first_difference_is_named() -> None:
    found = compared(WORDS, envelope=('"unknown_op"', '"unknown"'))
    assert found.startswith("scenario example-2, session 1, row 3: answers {")
    assert '"code": "unknown"' in found and '"code": "unknown_op"' in found


def test_a_program_that_raises_differs() -> None:
    found = compared(WORDS, envelope=('raise DomainError("unknown_op"', 'raise KeyError("unknown_op"'))
    assert found.startswith("scenario example-2, session 1, row 3: answers nothing: KeyError: ")


def test_state_is_kept_over_restarts_and_cursors_are_each_program_s_own() -> None:
    task_id = SUITE.ids("max")[0]
    lost = compared(task_id, durable=("self._file.save(self.store.tables)", "pass"))
    assert lost.startswith("scenario ") and "not_found" in lost
    other = compared(task_id, paging=('"%08x" % zlib.crc32(body)', '"%08x" % zlib.crc32(b"." + body)'))
    assert "next_cursor" in other


def test_which_do_not_apply() -> None:
    """Matrices have no strings."""
    names = changed_answers(TIERS["easy"])
    assert {name for name in names if not SUITE.differs(MATRIX, name)} == {"lengths-in-bytes", "lengths-in-utf16"}


def test_what_shows_only_in_how_it_runs() -> None:
    for name in ("unflushed-output", "echo-examples", "constant-answers", "reference"):
        assert SUITE.differs(WORDS, name) == "it is told by how it runs, or knows nothing but the examples"
    with pytest.raises(UnknownNameError, match="unknown solution 'absent'"):
        SUITE.differs(WORDS, "absent")
