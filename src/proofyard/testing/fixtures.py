"""Fixtures for pytest: in your `conftest.py`, `from proofyard.testing.fixtures import model_server`."""

from collections.abc import Iterator

import pytest

from proofyard.testing.server import ModelServer

__all__ = ["model_server"]


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A scripted model server for one test: set its `policy`, add faults by `add_faults`, read its `ledger`."""
    with ModelServer() as server:
        yield server
        server.settle()
