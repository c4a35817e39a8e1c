"""A new task folder: small, whole, and proved by `verify` as it stands, to be changed piece by piece."""

import re
from pathlib import Path
from typing import Final

from proofyard.core import UsageError

__all__ = ["write_skeleton"]

_NAME: Final = re.compile(r"[a-zA-Z0-9][\w.-]*/[a-zA-Z0-9][\w.-]*")

_FILES: Final[dict[str, str]] = {
    "task.toml": """\
schema_version = "1.4"

[task]
name = "@NAME@"
version = "0.1.0"
description = "Count the words of a text file."

[metadata]
family = "@FAMILY@"
difficulty = "easy"

# What only proofyard reads: which reason a failing check stands for, and which check must stop each shortcut.
[metadata.proofyard.checks]
inputs_unchanged = "tamper"

[metadata.proofyard.shortcuts]
constant = "hidden_text"
change_input = "inputs_unchanged"

[agent]
timeout_sec = 600

[verifier]
timeout_sec = 60

[environment]
network_mode = "no-network"
memory_mb = 1024
""",
    "instruction.md": """\
`/app/count.py FILE` must print the number of words in FILE. A word is what blanks and line ends part.

It prints one too many for some files, such as `/app/data/example.txt` (7 words). Find out why, and put it right. Leave the
files in `/app/data` as they are.
""",
    "environment/Dockerfile": """\
FROM python:3.12-slim
WORKDIR /app
COPY app/ ./
""",
    "environment/app/count.py": """\
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    print(len(file.read().split(" ")))
""",
    "environment/app/data/example.txt": "one two  three four five six seven\n",
    "solution/solve.sh": """\
#!/bin/bash
set -e
cd /app
sed -i 's/split(" ")/split()/' count.py
python count.py data/example.txt
""",
    "solution/alternatives/by_line.sh": """\
#!/bin/bash
# Another right way, as somebody else might go it: looks first, tries, then writes it anew.
set -e
cd /app
python count.py data/example.txt
cat > count.py <<'END'
import sys

total = 0
with open(sys.argv[1], encoding="utf-8") as file:
    for line in file:
        total += sum(1 for word in line.split() if word)
print(total)
END
test "$(python count.py data/example.txt)" = 7
""",
    "tests/test.sh": """\
#!/bin/bash
# checks.py leaves the reward, 0 or 1, whatever the work does. Where it breaks itself it leaves none: that is an error of the
# tests, not a failure of the work.
python3 /tests/checks.py
""",
    "tests/checks.py": '''\
"""The hidden checks. Each is a function; the reward is 1 only if all pass. Their names are what shortcuts are declared with."""

import hashlib
import json
import subprocess
from pathlib import Path

APP = Path("/app")
EXAMPLE = "152ca135e2a5493c1f2e8afb"  # of the file as it was handed out


def counted(text):
    """What the program prints for a text that it never saw."""
    path = Path("/tmp/hidden.txt")
    path.write_text(text)
    return subprocess.run(["python3", APP / "count.py", path], capture_output=True, text=True, timeout=20).stdout.strip()


def inputs_unchanged():
    assert hashlib.sha256((APP / "data/example.txt").read_bytes()).hexdigest().startswith(EXAMPLE)


def example():
    done = subprocess.run(["python3", APP / "count.py", APP / "data/example.txt"], capture_output=True, text=True, timeout=20)
    assert done.stdout.strip() == "7", done


def hidden_text():
    assert counted("a\\tb\\n\\n  c d \\n") == "4"
    assert counted("") == "0"


CHECKS = (inputs_unchanged, example, hidden_text)


def main():
    rows = []
    for check in CHECKS:
        try:
            check()
            rows.append({"name": check.__name__, "status": "passed"})
        except Exception as error:
            rows.append({"name": check.__name__, "status": "failed"})
            print(f"{check.__name__}: {type(error).__name__}: {error}")
    logs = Path("/logs/verifier")
    logs.joinpath("ctrf.json").write_text(json.dumps({"results": {"tests": rows}}))
    reward = int(all(row["status"] == "passed" for row in rows))
    logs.joinpath("reward.json").write_text(json.dumps({"reward": reward}))


main()
''',
    "tests/shortcuts/constant.sh": """\
#!/bin/bash
# Looks right on the example alone.
echo 'print(7)' > /app/count.py
""",
    "tests/shortcuts/change_input.sh": """\
#!/bin/bash
# Changes the input instead of the program.
printf 'one two three four five six seven' > /app/data/example.txt
""",
}


def write_skeleton(folder: Path, name: str) -> list[str]:
    """Write a new task into a folder that is empty or not there; return the paths written.

    Raises:
        UsageError: the folder holds something, cannot be written, or the name is not of the form org/name.

    """
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} is not of the form org/name")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(f"{folder} is not empty; choose another folder")
        for path, text in _FILES.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(
                text.replace("@NAME@", name).replace("@FAMILY@", name.partition("/")[2]), encoding="utf-8"
            )
            if path.endswith(".sh"):
                target.chmod(0o755)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from None
    return list(_FILES)
