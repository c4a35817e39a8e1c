#!/bin/bash
# The time at which a file was written stands for what is in it.
cd /app
python - <<'END'
from pathlib import Path

pipeline = Path("river/pipeline.py")
text = pipeline.read_text()
text = text.replace("load_levels(levels_file)", "load_levels(levels_file, os.stat(levels_file).st_mtime_ns)")
text = text.replace("limits_file)\n", "limits_file, os.stat(limits_file).st_mtime_ns)\n")
pipeline.write_text(text.replace("from zenml", "import os\n\nfrom zenml", 1))
steps = Path("river/steps.py")
text = steps.read_text().replace("levels_file: str)", "levels_file: str, written: int)")
steps.write_text(text.replace("limits_file: str)", "limits_file: str, written: int)"))
END
