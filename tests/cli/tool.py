"""The real command in a process of its own."""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

EASY = "scratch-easy-001-word-frequency"
MAX = "scratch-max-001-word-frequency"


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    def refused(self, code: int, *words: str) -> None:
        """Check that it ended with `code` and one line on standard error that holds all of `words`."""
        assert self.code == code, self
        lines = self.err.strip().splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("proofyard: ")
        assert "Traceback" not in self.err
        for word in words:
            assert word in lines[0]


def tool(*args: str | Path, cwd: Path | None = None, prefix: tuple[str, ...] = (), timeout: float = 240) -> Ran:
    argv = [*prefix, sys.executable, "-m", "proofyard", *map(str, args)]
    done = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=timeout, cwd=cwd)
    return Ran(done.returncode, done.stdout, done.stderr)
