"""What the framework tasks share in their tests, without the framework: the reward, and runs of the program under test."""

import re
from pathlib import Path

import pytest

from proofyard.core import Outcome, Verdict
from proofyard.engine.authoring import grade_solution
from proofyard.forge.filling import template
from proofyard.forge.making import write
from proofyard.formats.harbor import patched
from proofyard.sandbox import LocalProvider
from proofyard.sandbox.landlock.ruleset import kernel_abi
from proofyard.suites.harbor import suite

from ..suites.harbor.folders import TOML

TESTS = """\
import json
import shutil
from pathlib import Path

from entry import Entry

RUNS = [Entry("/app/run.py", number) for number in ("3", "4")]
FIXTURES = Path("/tests/fixtures")
EXPECTED = json.loads((FIXTURES / "expected.json").read_text())
shutil.rmtree(FIXTURES, ignore_errors=True)
ENDED = []


def test_doubles(record_property):
    ENDED.extend(run.run(4) for run in RUNS)
    record_property("killed", sum(ended.code is None for ended in ENDED))
    assert [ended.said for ended in ENDED] == EXPECTED, ENDED


def test_codes():
    assert [ended.code for ended in ENDED] == [0, 0], ENDED
"""
RIGHT = "import sys\nprint(2 * int(sys.argv[1]))\n"
FORGER = """\
import os, subprocess, sys
again = "sleep 1; rm -r /logs/verifier/*; echo 1 > /logs/verifier/reward.txt"
subprocess.Popen(["sh", "-c", f"setsid sh -c '{again}' &"], start_new_session=True)
try:
    open("/logs/verifier/reward.json", "w").write('{"reward": 1}')
except PermissionError:
    print(2 * int(sys.argv[1]))
"""
READER = """\
import os, sys
try:
    print(open("/tests/fixtures/expected.json").read(), os.listdir("/tests"))
except PermissionError:
    print(2 * int(sys.argv[1]))
"""
KILLER = """\
import os, signal, sys
try:
    os.kill(os.getppid(), signal.SIGKILL)
except PermissionError:
    print(2 * int(sys.argv[1]))
"""


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A task with the shared files, and with modules of the framework's names that hold nothing."""
    entry = template("shared/tests/entry.py")
    loaded = re.findall(r"^(?:import|from) ((?:sqlalchemy|zenml)[\w.]*)", entry, flags=re.MULTILINE)
    assert len(loaded) > 10
    stubs = {f"tests/{'/'.join(name.split('.')[:n])}/__init__.py": "" for name in loaded for n in range(1, 9)}
    stubs |= {
        "tests/sqlalchemy/orm/__init__.py": "def configure_mappers(): ...\n",
        "tests/zenml/environment/__init__.py": "class Environment: ...\n",
        "tests/zenml/integrations/registry/__init__.py": (
            "class integration_registry:\n    activate_integrations = staticmethod(lambda: None)\n"
        ),
        "tests/zenml/stack/flavor_registry/__init__.py": "class FlavorRegistry:\n    builtin_flavors = ()\n",
    }
    files = {
        "task.toml": TOML.replace("@NAME@", "toy/doubles"),
        "instruction.md": "`/app/run.py N` prints twice N.\n",
        "environment/Dockerfile": 'FROM python:3.11-slim\nRUN pip install "pytest==8.4.2"\nWORKDIR /app\n',
        "tests/test.sh": template("shared/tests/test.sh"),
        "tests/entry.py": entry,
        "tests/reward.py": template("shared/tests/reward.py"),
        "tests/test_doubles.py": TESTS,
        "tests/fixtures/expected.json": '["6\\n", "8\\n"]',
        "solution/solve.sh": "#!/bin/bash\ntrue\n",
    }
    write(tmp_path / "task", stubs | files)
    return tmp_path / "task"


def graded(task: Path, program: str) -> Verdict:
    found = suite(options={"path": str(task)})
    one = found.load("toy/doubles")
    script = f"cat > /app/run.py <<'EOF'\n{program}EOF\n".encode()
    provider = LocalProvider()
    try:
        return grade_solution(one, patched(script, None, found.blobs()), found.blobs(), provider)[2]
    finally:
        provider.close()


@pytest.mark.parametrize(
    ("program", "failed", "killed"),
    [
        (RIGHT, "", 0),
        (FORGER, "", 0),
        (READER, "", 0),
        (KILLER, "", 0),
        (RIGHT + "sys.exit('no')\n", "test_doubles, test_codes", 0),
        (RIGHT + "sys.stdout.flush()\nimport time\ntime.sleep(60)\n", "test_codes", 2),
        (RIGHT + "sys.stdout.flush()\nimport os\nos._exit(3)\n", "test_codes", 0),
    ],
    ids=["right", "forger", "reader", "killer", "says-no", "never-ends", "exits"],
)
def test_programs(task: Path, program: str, failed: str, killed: int) -> None:
    if program in {FORGER, READER, KILLER} and kernel_abi() < 6:
        pytest.skip("the kernel's Landlock is older than version 6")
    verdict = graded(task, program)
    assert verdict.outcome is (Outcome.FAILED if failed else Outcome.PASSED), verdict.evidence.got
    assert verdict.provenance.get("failed_checks", "") == failed
    assert verdict.metrics == {"reward": float(not failed), "killed": float(killed)}


def test_tests_that_break_leave_no_reward(task: Path) -> None:
    (task / "tests/fixtures/expected.json").unlink()
    verdict = graded(task, RIGHT)
    assert (verdict.outcome, verdict.score) == (Outcome.ERROR, None)
    assert verdict.failure is not None
    assert verdict.failure.code == "reward_missing"
