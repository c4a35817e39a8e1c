#!/bin/bash
# What was complained of first is put right; the limits are as stale as before.
cd /app
python - <<'END'
from pathlib import Path

steps = Path("river/steps.py")
text = steps.read_text()
text = text.replace("from zenml import step\n", "from zenml import step\nfrom zenml.config.cache_policy import CachePolicy\n")
text = text.replace(
    "@step\ndef load_levels(", '@step(cache_policy=CachePolicy(file_dependencies=["data/levels.csv"]))\ndef load_levels('
)
steps.write_text(text)
END
