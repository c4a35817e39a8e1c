"""Started as root with a Python under a private home, and as a plain user with the system's Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

ROOT = Path(__file__).parents[2]
NAMESPACES = ("bubblewrap", "zygote")
"""Rungs with a file system of their own: what runs there finds `python` by its name."""
TRIAL = """
import json, os, sys
from proofyard.core import *
from proofyard.sandbox import LocalProvider
from proofyard.sandbox.machine import interpreter
provider = LocalProvider(rung=sys.argv[1] or None)
blobs = MemoryBlobs()
code = '''import os, sys
for line in sys.stdin:
  open(sys.argv[1] + '/v', 'w').write(line)
  print(sys.version.split()[0], os.getuid(), flush=True)
'''
mount = Mount(path="/workspace/project", tree=tree_of({"main.py": code}, blobs))
armed = sys.argv[1] == "bubblewrap"
sandbox = provider.open(SandboxSpec(mounts=(mount,), kept=("/workspace/state",), armed=armed), blobs)
process = sandbox.start(["python", "main.py", "/workspace/state"])
reply = process.exchange(b"a", 10_000, "response" if armed else None)
kept = list(sandbox.snapshot().entries)
named = "import os; os.system('python -S -c \\"print(1)\\"; python3 -S -c \\"print(2)\\"')"
called = sandbox.start(["python", "-c", named]).finish(20_000).stdout.decode()
runner = os.stat(f"/proc/{sandbox._runner.pid}").st_uid
print(json.dumps({"reply": (reply.line or b"").decode(), "fault": reply.fault, "killed": reply.killed, "kept": kept,
                  "called": called, "runner": runner, "rung": sandbox.rung,
                  "why": [r.reason for r in provider.probe().rungs if not sys.argv[1]], "prefix": interpreter().prefix}))
provider.close()
"""


def trial(command: list[str], rung: str, **options: object) -> dict[str, object]:
    done = subprocess.run([*command, "-c", TRIAL, rung], capture_output=True, check=False, timeout=60, **options)
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout)


def version(python: str) -> str:
    code = "print(__import__('platform').python_version())"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("rung", ["bubblewrap", "zygote", "landlock", "none"])
def test_with_the_python_of_the_tests(rung):
    told = trial([sys.executable], rung, cwd=ROOT)
    assert str(told["reply"]).split()[0] == version(sys.executable)
    assert (told["fault"], told["killed"], told["kept"]) == (None, rung == "bubblewrap", ["workspace/state/v"])
    assert told["runner"] != 0
    assert rung not in NAMESPACES or told["called"] == "1\n2\n"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become someone else")
def test_as_root_with_a_python_under_a_private_home():
    told = trial([sys.executable], "bubblewrap", cwd=ROOT)
    home = next((parent for parent in Path(str(told["prefix"])).parents if parent.stat().st_mode & 0o077 == 0), None)
    assert home is not None, "this machine's Python lies in no private folder"
    assert 60_000 <= int(str(told["runner"])) < 65_000


@pytest.fixture(scope="module")
def readable(tmp_path_factory):
    """A copy of the source and of msgspec that any user can read."""
    folder = Path("/var/tmp") / f"readable-{os.getpid()}"
    shutil.copytree(ROOT / "src" / "proofyard", folder / "proofyard", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(Path(msgspec.__file__).parent, folder / "msgspec")
    yield folder
    shutil.rmtree(folder)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become someone else")
@pytest.mark.parametrize("rung", ["bubblewrap", "zygote", "landlock", "none"])
def test_as_a_plain_user_with_the_python_of_the_system(readable, rung):
    python = "/usr/bin/python3.11"
    if not Path(python).exists() or sys.version_info[:2] != (3, 11):
        pytest.fail("this test needs the system's Python to be of the tests' version")
    command = ["setpriv", "--reuid", "1234", "--regid", "1234", "--clear-groups", "--no-new-privs", python]
    environment = {"PYTHONPATH": str(readable), "PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
    told = trial(command, rung, env=environment, cwd="/")
    user = 1234 if rung in {"landlock", "none"} else 1000
    assert told["reply"] == f"{version(python)} {user}"
    assert (told["fault"], told["killed"], told["kept"]) == (None, rung == "bubblewrap", ["workspace/state/v"])
    assert told["runner"] == 1234
    assert told["prefix"] == ""
    assert rung not in NAMESPACES or told["called"] == "1\n2\n"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become someone else")
def test_where_user_namespaces_are_refused_landlock_is_taken(readable):
    python = "/usr/bin/python3.11"
    user = ["setpriv", "--reuid", "1234", "--regid", "1234", "--clear-groups"]
    refused = ["bwrap", "--dev-bind", "/", "/", "--unshare-user", "--disable-userns"]
    environment = {"PYTHONPATH": str(readable), "PATH": "/usr/bin:/bin", "HOME": "/nonexistent"}
    told = trial([*user, *refused, python], "", env=environment, cwd="/")
    assert (told["rung"], told["fault"], told["kept"]) == ("landlock", None, ["workspace/state/v"])
    why = told["why"]
    assert isinstance(why, list)
    assert ["unshare" in reason for reason in why] == [True, True, False, False]
    assert why[2:] == ["", ""]
