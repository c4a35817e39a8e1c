#!/bin/bash
# As an agent goes about it: looks at what was recorded, tries the obvious, sees that it is too much, takes it back. What it
# keeps: the digest of a file goes to the step that reads it as a parameter.
set -e
cd /app
python - <<'END'
import os

from zenml.client import Client

for run in Client().list_pipeline_runs(hydrate=True).items:
    print(run.name, {name: step.status.value for name, step in run.steps.items()})

from pathlib import Path

pipeline = Path("river/pipeline.py")
kept = pipeline.read_text()
pipeline.write_text(kept.replace("@pipeline\n", "@pipeline(enable_cache=False)\n"))
if not os.fork():
    import runpy

    runpy.run_path("run.py", run_name="__main__")
    os._exit(0)
os.wait()
pipeline.write_text(kept)
END
cat > river/pipeline.py <<'END'
"""The rating as a pipeline."""

from hashlib import sha256
from pathlib import Path

from zenml import pipeline

from river.steps import fit_swing, load_levels, rate


def digest(file: str) -> str:
    return sha256(Path(file).read_bytes()).hexdigest()


@pipeline
def river_rating(levels_file: str, limits_file: str) -> None:
    """Levels, their swing, the rating."""
    levels = load_levels(levels_file, digest(levels_file))
    swing = fit_swing(levels)
    rate(levels, swing, limits_file, digest(limits_file))
END
sed -i 's/^def load_levels(levels_file: str)/def load_levels(levels_file: str, digest: str)/
    s/limits_file: str)/limits_file: str, digest: str)/' river/steps.py
python run.py
