"""What a sandbox is opened with, where an agent's program and a task's image meet."""

from pathlib import Path
from typing import cast

import pytest

from proofyard.core import Image, MemoryBlobs, Provider, SandboxSpec
from proofyard.engine.opening import ready


def test_the_python_of_an_image_stays_beside_an_agents_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    program = tmp_path / "program"
    program.mkdir()
    (program / "run").write_text("x")
    image = Image(base="system", source="python:3.11-slim", packages=str(program))
    there = ready(SandboxSpec(image=image), cast(Provider, None), MemoryBlobs())
    packages = Path(there.spec.image.packages)
    assert (packages / "run").read_text() == "x"
    assert (packages / "bin" / "python").exists()
