"""Installs the plug-ins that checks are tried on: the engine's toy suite, and one of real sessions."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.conftest import toy_plugins

__all__ = ["proving_plugin", "toy_plugins"]

PROVING = Path(__file__).parent / "proving"


@pytest.fixture(autouse=True, scope="session")
def proving_plugin() -> Iterator[None]:
    sys.path.insert(0, str(PROVING))
    yield
    sys.path.remove(str(PROVING))
