"""The toy suite, and what happens where a program is not installed: a skip, or a failure where PROOFYARD_AGENTS is set."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TOY = Path(__file__).parents[2] / "toy"


@pytest.fixture(autouse=True, scope="session")
def toy_plugins() -> Iterator[None]:
    sys.path.insert(0, str(TOY))
    yield
    sys.path.remove(str(TOY))


def absent(why: str) -> None:
    """Skip a test that needs a program which is not there; fail it where all have to be there."""
    if os.environ.get("PROOFYARD_AGENTS"):
        pytest.fail(why)
    pytest.skip(why)
