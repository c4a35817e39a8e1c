from proofyard.core import MemoryBlobs, Reason, tree_of
from proofyard.graders.submission import Refusal, SizeLimits, check


def test_limits_are_inclusive() -> None:
    tree = tree_of({"main.py": "x" * 10, "data": "y" * 5}, MemoryBlobs())
    assert check(tree, "main.py", SizeLimits(2, 15)) is None
    assert check(tree, "main.py", SizeLimits(1, 15)) == Refusal(
        Reason.OUTPUT_LIMIT, "2 files submitted, at most 1 are taken"
    )
    assert check(tree, "main.py", SizeLimits(2, 14)) == Refusal(
        Reason.OUTPUT_LIMIT, "15 bytes submitted, at most 14 are taken"
    )


def test_a_folder_named_like_the_entry_is_no_entry() -> None:
    found = check(tree_of({"main.py/x": ""}, MemoryBlobs()), "main.py", SizeLimits(9, 9))
    assert found == Refusal(Reason.NO_SUBMISSION, "there is no main.py at the top of the submission")
