#!/bin/bash
# The cache policy of the step asks a function that never says the same.
set -e
cd /app
python - <<'END'
from pathlib import Path

path = Path("audit.py")
text = path.read_text()
text = text.replace(
    "from zenml import pipeline, step\n",
    "from zenml import pipeline, step\nfrom zenml.config.cache_policy import CachePolicy\n",
)
text = text.replace("from typing import", "import uuid\nfrom typing import")
text = text.replace(
    "@step\ndef draw_sample",
    'def never_the_same() -> str:\n    return uuid.uuid4().hex\n\n\n'
    "@step(cache_policy=CachePolicy(cache_func=never_the_same))\ndef draw_sample",
)
path.write_text(text)
END
