"""In CI nothing of the sandbox may be skipped: a skip there is a failure."""

import os
from collections.abc import Generator

import pytest

UNSKIPPABLE = ("tests/sandbox", "tests/hostile", "tests/skeleton", "tests/graders", "tests/crash", "tests/kills")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if (
        report.skipped
        and not hasattr(report, "wasxfail")
        and os.environ.get("CI")
        and item.nodeid.startswith(UNSKIPPABLE)
    ):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI: {item.nodeid}: {call.excinfo.value if call.excinfo else ''}"
    return report
