import pytest

from proofyard.core import UnknownNameError, UsageError
from proofyard.suites.imported import suite

OPTIONS = {"tasks": '["b/x", "a"]', "version": "v", "job": "j"}


def test_tasks_have_names_and_nothing_else() -> None:
    found = suite(options=OPTIONS)
    assert (found.name, found.version, found.ids(), found.options) == ("imported", "v", ("b/x", "a"), OPTIONS)
    assert (found.place("a").family, found.assertions("a"), found.blobs().put(b"")[:4]) == ("a", 1, "e3b0")
    for refused in (found.load, found.brief):
        with pytest.raises(UsageError, match="a: only results of this task were imported, not the task itself"):
            refused("a")
    with pytest.raises(UnknownNameError, match="unknown task 'c'"):
        found.place("c")
    with pytest.raises(UnknownNameError, match="unknown subset 'easy'"):
        found.ids("easy")


@pytest.mark.parametrize("options", [None, {}, {"tasks": "[]"}, {"tasks": "x", "version": "v"}])
def test_without_its_options_there_is_no_such_suite(options: dict[str, str] | None) -> None:
    with pytest.raises(UsageError, match="that of run folders which proofyard import made"):
        suite(options=options)
