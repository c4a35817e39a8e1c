from pathlib import Path

import pytest


@pytest.fixture
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own, and a folder from which alone packages are installed."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for name in ("UV_FIND_LINKS", "PIP_FIND_LINKS"):
        monkeypatch.setenv(name, str(wheels))
    for name in ("UV_NO_INDEX", "UV_OFFLINE", "UV_NO_CACHE", "PIP_NO_INDEX"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return wheels
