"""Run the tests, then write what they came to, when nothing of the program under test is alive any more.

The same file lies in each task whose tests are pytest's. What a test records as a property and is a number goes beside the
reward.
"""

import json
import shutil
import sys
from pathlib import Path

import pytest

LOGS = Path("/logs/verifier")
PRINTED = "test-stdout.txt"
"""What this process itself prints goes there, by whoever started it."""
OPTIONS = ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:logging", "--assert=plain", "-W", "ignore", "/tests"]
"""Output is not captured and imports are left alone: processes that are forked off while tests are read inherit both."""


class Rows:
    """The tests by name, and the numbers that they recorded."""

    def __init__(self) -> None:
        self.status: dict[str, str] = {}
        self.numbers: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take a test's end, or its failure before or after."""
        if report.failed or report.when == "call":
            name = report.nodeid.rpartition("::")[2]
            self.status[name] = "failed" if report.failed or self.status.get(name) == "failed" else report.outcome
            self.numbers.update((key, float(value)) for key, value in report.user_properties)


def main() -> None:
    """Write the reward, unless the tests broke."""
    rows = Rows()
    code = pytest.main(OPTIONS, plugins=[rows])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or not rows.status:
        sys.exit("the tests could not be run")
    LOGS.mkdir(parents=True, exist_ok=True)
    for left in LOGS.iterdir():
        if left.name != PRINTED:
            shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
    tests = [{"name": name, "status": status} for name, status in rows.status.items()]
    (LOGS / "ctrf.json").write_text(json.dumps({"results": {"tests": tests}}), encoding="utf-8")
    reward = int(code == pytest.ExitCode.OK)
    (LOGS / "reward.json").write_text(json.dumps({"reward": reward, **rows.numbers}), encoding="utf-8")


main()
