"""Tests of one family run one after another in one process: its tasks are made once for all of them."""

import pytest

from proofyard.suites.scratch.family import Family


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Order the tests that are about one family by it, where they stand; name the family as their group."""
    places = [index for index, item in enumerate(items) if _family(item)]
    ordered = sorted((items[index] for index in places), key=_family)
    for index, item in zip(places, ordered, strict=True):
        items[index] = item
        item.add_marker(pytest.mark.xdist_group(_family(item)))


def _family(item: pytest.Item) -> str:
    """The family that a test is about; "" where it is about no single one."""
    params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    if isinstance(params.get("family"), Family):
        return str(params["family"].slug)
    return str(params.get("slug") or str(params.get("task_id", "")).rpartition("scratch-")[2].split("-", 2)[-1])
