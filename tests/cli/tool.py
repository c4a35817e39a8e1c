"""The real command: `tool` starts it, `verb` calls it in this process, which is quicker where the process is not what is
tested (it neither sees changed import paths nor takes signals).
"""

import io
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from proofyard.cli import app

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


def verb(*args: str | Path, cwd: Path | None = None) -> Ran:
    """The command, from its arguments to its exit code."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    argv = ["proofyard", *map(str, args)]
    with chdir(cwd or Path.cwd()), patch.object(sys, "argv", argv), redirect_stdout(out), redirect_stderr(err):
        code = app._guarded()
    return Ran(code, *(text.buffer.getvalue().decode() for text in (out, err)))  # type: ignore[attr-defined]
