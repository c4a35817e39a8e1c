"""The processes behind one sample: the warm one, the maker of inits, the init and the sample; what each holds and counts."""

import contextlib
import os
import signal
import time
from pathlib import Path

import pytest

from proofyard.core import InfrastructureError
from proofyard.sandbox import LocalProvider
from tests.sandbox.test_zygote import WALL, inside, opened, run, spec

BURN = "import os, time\ndef burn():\n    while time.process_time() < 0.5: pass\n"
BURN += "def gone(pid):\n    while os.path.exists(f'/proc/{pid}'): time.sleep(0.01)\n"


@pytest.fixture(scope="module")
def provider():
    made = LocalProvider(rung="zygote", slots=1)
    yield made
    made.close()


def maps(pid: int) -> str:
    return Path(f"/proc/{pid}/maps").read_text()


def number_inside(pid: int) -> int:
    """A process's number in the innermost of its namespaces."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("NSpid:")).split()[-1])


def test_the_init_is_no_copy_of_what_was_loaded(provider):
    with opened(provider, spec({"main.py": "print(1, flush=True); input()"}, preload=("sqlite3",))) as sandbox:
        before = inside(sandbox)
        maker, warm = before[-2:]
        process = sandbox.start(["python", "main.py"])
        assert process.receive(WALL).line == b"1"
        init, sample = sorted(set(inside(sandbox)) - set(before), key=number_inside)
        assert (number_inside(init), number_inside(sample)) == (1, 2)
        assert {pid: "_sqlite3" in maps(pid) for pid in (maker, init, warm, sample)} == {
            maker: False,
            init: False,
            warm: True,
            sample: True,
        }


def test_a_samples_parent_lies_outside_and_its_orphans_are_the_inits(provider):
    program = """
import json, os, time
read, write = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        while os.getppid() not in {0, 1}: time.sleep(0.001)
        os.write(write, b"%d" % os.getppid()); os._exit(0)
    os._exit(0)
os.wait()
print(json.dumps([os.getpid(), os.getppid(), int(os.read(read, 9))]))
"""
    assert run(provider, program) == [2, 0, 1]


@pytest.mark.parametrize(
    ("burns", "killed"),
    [
        ("burn()", False),
        ("burn(); print(1, flush=True); time.sleep(60)", True),
        ("if os.fork() == 0: burn(); print(1, flush=True); time.sleep(60)\nelse: time.sleep(60)", True),
        # An orphan that is reaped before the sample ends.
        ("r, w = os.pipe()\nif os.fork() == 0:\n    if os.fork() == 0:\n        os.write(w, b'%d' % os.getpid()); burn()\n"
         "    os._exit(0)\nos.wait(); gone(int(os.read(r, 9)))", False),
    ],
    ids=["sample", "killed", "child killed", "orphan"],
)  # fmt: skip
def test_cpu_of_all_counts(provider, burns, killed):
    with opened(provider, spec({"main.py": BURN + burns})) as sandbox:
        process = sandbox.start(["python", "main.py"])
        if killed:
            assert process.receive(WALL).line == b"1"
            assert sandbox.kill()
        else:
            assert process.finish(WALL).code == 0
        assert 400_000 <= sandbox.usage().cpu_us < 2_000_000


def test_kills_at_any_moment_of_a_start_are_confirmed_and_leave_nothing(provider):
    with opened(provider, spec({"main.py": "import time; time.sleep(60)"})) as sandbox:
        quiet = inside(sandbox)
        for number in range(40):
            process = sandbox.start(["python", "main.py"])
            time.sleep(number / 10_000)
            assert sandbox.kill()
            assert process.receive(WALL).fault == "killed"
            assert inside(sandbox) == quiet


@pytest.mark.parametrize("victim", [-1, -2], ids=["warm", "maker"])
def test_the_loss_of_either_is_told_and_made_good(provider, victim):
    with opened(provider, spec({"main.py": "print(1)"})) as sandbox:
        before = inside(sandbox)
        process = sandbox.start(["python", "-c", "import time; time.sleep(60)"])
        os.kill(before[victim], signal.SIGKILL)
        with pytest.raises(InfrastructureError):
            process.receive(WALL)
        ended = sandbox.start(["python", "main.py"]).finish(WALL)
        assert (ended.code, ended.stdout) == (0, b"1\n")
        assert not set(inside(sandbox)) & set(before)


def inherited(pid: int) -> dict[str, bool]:
    """Pipes and pidfds of a process: whether a program that it starts would get them."""
    found = {}
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            target = str(entry.readlink())
            if target.startswith(("pipe:", "anon_inode:[pidfd]")) and int(entry.name) > 2:
                flags = Path(f"/proc/{pid}/fdinfo/{entry.name}").read_text().split("flags:")[1].split()[0]
                found[f"{entry.name} {target}"] = not int(flags, 8) & os.O_CLOEXEC
    return found


def test_descriptors_that_come_over_sockets_go_no_further(provider):
    before = inherited(os.getpid())
    with opened(provider, spec({"main.py": "print(input(), flush=True); input()"})) as sandbox:
        process = sandbox.start(["python", "main.py"])
        tool = inherited(
            os.getpid()
        )  # a program's pipes are lent to it, if it has said nothing, until all is not regular
        process.send(b"1\n")
        assert process.receive(WALL).line == b"1"
        runner = inherited(sandbox._runner.pid)
        assert any("pidfd" in name for name in runner)
        assert {name: passed for name, passed in runner.items() if passed} == {}
        lent = {name: passed for name, passed in tool.items() if name not in before}
        assert len(lent) >= 2
        assert not any(lent.values())


def test_mappings_of_a_library_that_differ_in_rights_only_are_one(provider):
    """What lies beside code is code, what lies beside data is data: a fork copies each mapping."""
    with opened(provider, spec({"main.py": "print(input(), flush=True); input()"})) as sandbox:
        sandbox.start(["python", "main.py"]).exchange(b"1", WALL)
        rows = [line.split() for line in maps(max(inside(sandbox))).splitlines()]
    code = {row[4] for row in rows if row[1] == "r-xp"} - {"0"}
    assert len(code) > 5
    assert [row for row in rows if row[1] == "r--p" and row[4] in code] == []
    assert len([row for row in rows if row[1] == "rw-p" and row[4] in code]) >= len(code)


def test_after_the_end_of_the_only_program_a_kill_has_nothing_to_ask(provider):
    code = "import time\nwhile time.process_time() < 0.1: pass\n"
    with opened(provider, spec({"main.py": code})) as sandbox:
        assert sandbox.start(["python", "main.py"]).finish(WALL).code == 0
        sandbox.abandon()  # no answer comes any more
        assert sandbox.kill() is True
        assert 100_000 <= sandbox.usage().cpu_us < 5_000_000


def test_while_another_program_lives_a_kill_is_asked_for(provider):
    with opened(provider, spec({"main.py": "import sys\nsys.argv[1:] or input()"})) as sandbox:
        waiting = sandbox.start(["python", "main.py"])
        assert sandbox.start(["python", "main.py", "ends"]).finish(WALL).code == 0
        assert sandbox.kill() is True
        assert waiting.finish(WALL).signal == signal.SIGKILL
