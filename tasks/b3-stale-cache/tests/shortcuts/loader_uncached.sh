#!/bin/bash
# The steps that read files are never cached. The values are right, and the dear step is served from the cache; but what was
# read before is read again.
cd /app
python - <<'END'
from pathlib import Path

steps = Path("river/steps.py")
text = steps.read_text()
for name in ("load_levels", "rate"):
    text = text.replace(f"@step\ndef {name}(", f"@step(enable_cache=False)\ndef {name}(")
steps.write_text(text)
END
