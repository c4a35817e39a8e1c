"""Whatever a test here does, no run of it is left."""

from collections.abc import Iterator

import pytest

from tests.crash import helpers


@pytest.fixture(autouse=True, scope="package")
def no_run_is_left() -> Iterator[None]:
    yield
    for process in helpers.STARTED:
        if process.poll() is None:
            process.kill()
            process.wait()
