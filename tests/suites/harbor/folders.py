"""Small task folders for tests."""

from collections.abc import Mapping
from pathlib import Path

TOML = """\
schema_version = "1.4"
[task]
name = "@NAME@"
[metadata.proofyard.shortcuts]
[agent]
timeout_sec = 20
[verifier]
timeout_sec = 20
[environment]
network_mode = "no-network"
"""
TEST = """\
#!/bin/bash
if [ "$(cat /app/answer.txt 2>/dev/null)" = 42 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
"""
SOLVE = "#!/bin/bash\necho 42 > /app/answer.txt\n"


def task(folder: Path, name: str = "toy/answer", more: str = "", files: Mapping[str, str] | None = None) -> Path:
    """Write a task that wants 42 in /app/answer.txt. more: lines at the end of task.toml; files: others, None removes."""
    contents = {
        "task.toml": TOML.replace("@NAME@", name) + more,
        "instruction.md": "Write 42 into /app/answer.txt.\n",
        "environment/readme.txt": "Nothing here.\n",
        "tests/test.sh": TEST,
        "solution/solve.sh": SOLVE,
        **(files or {}),
    }
    for path, text in contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder
