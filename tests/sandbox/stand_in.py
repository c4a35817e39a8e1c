"""Puts the stand-in for a container engine in place, and reads what it was asked."""

import json
import sys
from pathlib import Path

import pytest

__all__ = ["calls", "install"]


def install(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """A stand-in named docker; the folder returned holds its state and a list of its calls."""
    script = folder / "docker"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} {Path(__file__).with_name("stand_in_engine.py")} "$@"\n')
    script.chmod(0o755)
    state = folder / "state"
    state.mkdir()
    patch.setenv("STAND_IN", str(state))
    patch.setenv("PROOFYARD_CONTAINER_ENGINE", str(script))
    return state


def calls(state: Path) -> list[list[str]]:
    return [json.loads(line) for line in (state / "calls.jsonl").read_text().splitlines()]
