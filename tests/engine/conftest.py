"""Installs the toy plug-ins for the tests of this folder."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

TOY = Path(__file__).parents[1] / "toy"


@pytest.fixture(autouse=True, scope="session")
def toy_plugins() -> Iterator[None]:
    sys.path.insert(0, str(TOY))
    yield
    sys.path.remove(str(TOY))
