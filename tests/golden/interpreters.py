"""Finds other Pythons of this machine, and gives each an environment with the pinned msgspec, made once and kept."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "proofyard" / "test-environments"
NEWER = ("3.12", "3.13", "3.14")


def candidates(minor: str) -> Iterator[str]:
    """Places where a Python of that version may be: on the path by name, or beside the current one."""
    yield f"python{minor}"
    for home in sorted(Path(sys.base_prefix).parent.glob(f"*{minor}*")):
        yield str(home / "bin" / "python3")


def find(minor: str) -> str | None:
    """The path of a Python of that version which runs."""
    for name in candidates(minor):
        code = "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)"
        try:
            done = subprocess.run([name, "-I", "-c", code], check=False, capture_output=True, text=True, timeout=60)
        except OSError:
            continue
        found = re.fullmatch(rf"{re.escape(minor)} (\S+)\n", done.stdout)
        if done.returncode == 0 and found:
            return found[1]
    return None


def environment(minor: str) -> str | None:
    """A Python of that version which imports the msgspec this one has; None if there is none or it cannot be made."""
    python = find(minor)
    if python is None:
        return None
    home = CACHE / f"{minor}-msgspec-{version('msgspec')}"
    inside = home / "bin" / "python"
    probe = [str(inside), "-c", "import msgspec"]
    if inside.exists() and subprocess.run(probe, check=False, capture_output=True).returncode == 0:
        return str(inside)
    made = subprocess.run([python, "-m", "venv", "--clear", str(home)], check=False, capture_output=True)
    pip = [str(inside), "-m", "pip", "install", "-q", f"msgspec=={version('msgspec')}"]
    if made.returncode == 0 and subprocess.run(pip, check=False, capture_output=True).returncode == 0:
        return str(inside)
    return None
