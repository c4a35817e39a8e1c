"""The generated pages are those that the data in the project gives."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_no_generated_page_is_out_of_date() -> None:
    ran = subprocess.run(
        [sys.executable, ROOT / "scripts" / "pages.py", "--check"], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
