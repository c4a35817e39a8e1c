"""A container engine that answers, with an image `debian:12`; the stage `scripts/ci-docker` starts one and makes it."""

import os
import subprocess
from collections.abc import Iterator

import pytest

from proofyard.sandbox import LocalProvider

ENGINE = os.environ.get("PROOFYARD_CONTAINERS", "")
"""docker or podman, where that is to be used."""


@pytest.fixture(scope="session")
def engine() -> str:
    if not ENGINE:
        pytest.skip("run by scripts/ci-docker, with a container engine of its own")
    return ENGINE


@pytest.fixture
def nothing_left(engine: str) -> Iterator[None]:
    yield
    assert containers(engine) == []


@pytest.fixture(scope="module")
def provider(engine: str) -> Iterator[LocalProvider]:
    local = LocalProvider(slots=1)
    yield local
    local.close()


def containers(engine: str) -> list[str]:
    """The names of all containers of ours."""
    words = [engine, "ps", "--all", "--filter", "label=proofyard", "--format", "{{.Names}}"]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
