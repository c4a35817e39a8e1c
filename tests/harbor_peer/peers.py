"""The `harbor` package in environments of its own, and what it is asked. `scripts/ci-harbor` makes them."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SET = "PROOFYARD_HARBOR"
"""Names the folders of the environments, with colons between; not set, tests that need them are skipped."""

VERSIONS = sorted(path.stem.removeprefix("harbor-") for path in (ROOT / "requirements").glob("harbor-*.txt"))


class Peer:
    """One version of the package."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, *, tasks: Sequence[Path] = (), jobs: Sequence[Path] = ()) -> dict[str, Any]:
        """What its own models make of these folders."""
        asked = json.dumps({"tasks": [str(path) for path in tasks], "jobs": [str(path) for path in jobs]})
        done = _run([self._folder / "bin/python", HERE / "load.py", asked], dict(os.environ))
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def run(self, jobs: Path, name: str, image: Path, **config: object) -> Path:
        """A job of its own, in the environment of `bubble.py`; the job's folder."""
        written = jobs / f"{name}.json"
        more = {"environment": {"import_path": "bubble:Bubble"}, "n_concurrent_trials": 1, "quiet": True}
        written.write_text(json.dumps({"job_name": name, "jobs_dir": str(jobs), **more, **config}))
        own = {"HARBOR_TELEMETRY": "0", "PEER_IMAGE": str(image), "PYTHONPATH": str(HERE), "HOME": str(jobs)}
        done = _run([self._folder / "bin/harbor", "run", "-c", written, "-y"], {**os.environ, **own})
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return jobs / name


def _run(argv: Sequence[str | Path], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(argv, check=False, env=env, capture_output=True, text=True, timeout=900)


def peer(version: str) -> Peer:
    """The environment with that version; without it the test is skipped, or fails where there has to be one."""
    places = [Path(place) for place in os.environ.get(SET, "").split(":") if place]
    if not places:
        pytest.skip(f"{SET} is not set: scripts/ci-harbor makes the environments and runs this")
    found = [place for place in places if list(place.glob(f"lib/python3*/site-packages/harbor-{version}.dist-info"))]
    assert found, f"none of {places} has harbor {version}"
    return Peer(found[0])
