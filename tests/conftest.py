"""What all tests share. In CI nothing of the sandbox may be skipped: a skip there is a failure."""

import os
import signal
import subprocess
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# No test is timed: machines are noisy. In CI the examples are the same each time, so that a failure is the change's own.
settings.register_profile("project", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("project")

# Started in the background by a shell, a process ignores interrupts, and so does all that it starts; tests send them.
signal.signal(signal.SIGINT, signal.default_int_handler)

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


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """A whole program is no name for a test; numbers are added where names are alike."""
    return argname if isinstance(val, str | bytes) and len(val) > 60 else None


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 256 KiB. It grows by `mount -o remount,size=16m`."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], check=False)
    if mounted.returncode:
        pytest.skip("mounting a file system needs root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
