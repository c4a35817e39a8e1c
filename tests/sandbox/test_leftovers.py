"""Nothing is left: after a close, after 200 sandboxes, after SIGKILL of the tool or of the runner."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from proofyard.core import InfrastructureError, MemoryBlobs, SandboxSpec
from proofyard.sandbox import LocalProvider
from tests.sandbox.boxes import opened, run

TREE = """
import os, time
for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)
print("up", flush=True)
time.sleep(600)
"""
TOOL = f"""
import sys, time
from proofyard.sandbox import LocalProvider
from tests.sandbox.boxes import opened
provider = LocalProvider(rung=sys.argv[1], unsafe=True)
with opened(provider, {TREE!r}) as sandbox:
    process = sandbox.start(["python", "main.py"])
    assert process.receive(10_000).line == b"up"
    print(sandbox._runner.facts["pid"], sandbox._runner.facts["uid"], flush=True)
    time.sleep(600)
"""


def of_uid(uid: int) -> list[int]:
    """Live processes of a real uid."""
    found = []
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if folder.name.isdigit() and folder.stat().st_uid == uid:
                state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
                found += [int(folder.name)] if state not in "ZX" else []
    return found


def below(pid: int) -> list[int]:
    """Live processes that descend from `pid`, itself included."""
    found = [pid]
    for one in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{one}/task").iterdir():
                found += [int(child) for child in (task / "children").read_text().split()]
    return [one for one in found if Path(f"/proc/{one}/exe").exists()]


def gone(pids: list[int]) -> bool:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        live = []
        for pid in pids:
            with contextlib.suppress(OSError):
                state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
                live += [pid] if state not in "ZX" else []
        if not live:
            return True
        time.sleep(0.02)
    return False


def worked_in(pids: list[int]) -> set[Path]:
    """The folders of the host in which programs work where a runner may not mount anything."""
    found = set[Path]()
    for pid in pids:
        with contextlib.suppress(OSError):
            place = Path(f"/proc/{pid}/cwd").readlink()
            found |= {folder for folder in (place, *place.parents) if folder.name.startswith("rt-")}
    return found


@pytest.mark.parametrize("rung", ["bubblewrap", "none"])
def test_sigkill_of_the_tool_leaves_nothing(rung):
    command = [sys.executable, "-c", TOOL, rung]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as tool:
        try:
            assert tool.stdout is not None
            runner, uid = map(int, tool.stdout.readline().split())
            pids = below(runner)
            assert len(pids) >= 4  # the positive control: runner and three processes of the candidate live
            if os.getuid() == 0:
                assert set(pids) <= set(of_uid(uid))
            made = worked_in(pids)
            assert len(made) == (rung == "none" and os.getuid() != 0)
        finally:
            tool.send_signal(signal.SIGKILL)
    assert gone(pids)
    if os.getuid() == 0:
        assert of_uid(uid) == []
    end = time.monotonic() + 60
    while any(folder.exists() for folder in made) and time.monotonic() < end:
        time.sleep(0.02)
    assert not any(folder.exists() for folder in made)


STARTING = """
import sys, time
from proofyard.sandbox import LocalProvider
from tests.sandbox.boxes import opened
provider = LocalProvider(rung="bubblewrap")
with opened(provider, "import time; time.sleep(600)", armed=sys.argv[1] == "armed") as sandbox:
    print(sandbox._runner.facts["pid"], sandbox._runner.facts["uid"], flush=True)
    while True:
        sandbox.start(["python", "main.py"])
        sandbox.kill()
"""


@pytest.mark.skipif(os.getuid() != 0, reason="leftovers are counted by a uid of their own, which only root can give")
@pytest.mark.parametrize("wait_ms", [200, 203, 206, 209, 212, 215])
def test_sigkill_of_the_tool_in_the_middle_of_starts_leaves_nothing(wait_ms):
    command = [sys.executable, "-c", STARTING, "armed" if wait_ms % 2 else "plain"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as tool:
        assert tool.stdout is not None
        runner, uid = map(int, tool.stdout.readline().split())
        time.sleep(wait_ms / 1000)
        assert of_uid(uid) != []
        tool.send_signal(signal.SIGKILL)
    assert gone([runner])
    assert of_uid(uid) == []


def test_sigkill_of_the_runner_ends_the_candidate_and_is_told_as_infrastructure():
    provider = LocalProvider(rung="bubblewrap")
    with opened(provider, TREE) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.receive(10_000).line == b"up"
        runner = sandbox._runner.pid
        pids = below(runner)
        assert len(pids) >= 4
        os.kill(runner, signal.SIGKILL)
        with pytest.raises(InfrastructureError, match="sandbox_lost"):
            process.receive(1000)
        assert gone(pids)
    with opened(provider) as sandbox:
        assert run(sandbox).code == 0  # the next one gets another runner
    provider.close()


def test_two_hundred_sandboxes_leak_nothing():
    provider = LocalProvider(rung="bubblewrap", slots=1)
    with opened(provider, TREE) as sandbox:
        runner = sandbox._runner.pid
        assert run(sandbox, wall_ms=1).fault == "timeout"
    before = measures(runner)
    spec, blobs = SandboxSpec(kept=("/workspace/state",)), MemoryBlobs()
    for number in range(200):
        sandbox = provider.open(spec, blobs)
        if number % 10 == 0:
            sandbox.start(["python", "-c", "import time; time.sleep(60)"])
        sandbox.close()
    assert measures(runner) == before
    pids = below(runner)
    provider.close()
    assert gone(pids)


def count(folder: Path) -> int:
    return sum(1 for _ in folder.iterdir())


def measures(runner: int) -> tuple[int, int, int, int]:
    """Descriptors and mounts of the runner, its processes, our descriptors."""
    root = Path(f"/proc/{runner}")
    mounts = len((root / "mountinfo").read_text().splitlines())
    return count(root / "fd"), mounts, len(below(runner)), count(Path("/proc/self/fd"))


def test_interrupting_a_question_gives_the_runner_up():
    provider = LocalProvider(rung="bubblewrap")
    with opened(provider, TREE) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.receive(10_000).line == b"up"
        pids = below(sandbox._runner.pid)
        signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            process.exchange(b"1", 20_000)
        with pytest.raises(InfrastructureError, match="interrupted"):
            process.exchange(b"1", 100)
    assert gone(pids)
    provider.close()


@pytest.mark.parametrize("rung", ["bubblewrap", "landlock", "none"])
@pytest.mark.parametrize("program", ["print(1)", "import os; os.kill(os.getpid(), 9)"])
def test_the_runner_rests_when_a_program_has_ended_and_nobody_asks(rung, program):
    provider = LocalProvider(rung=rung, unsafe=True)
    with opened(provider, program) as sandbox:
        process, runner = sandbox.start(["python", "main.py"]), sandbox._runner.pid
        end = time.monotonic() + 60
        while len(below(runner)) > 1 and time.monotonic() < end:  # every process of the program has ended
            time.sleep(0.01)
        time.sleep(0.2)
        before = worked_ms(runner)
        time.sleep(1)
        assert worked_ms(runner) - before <= 100  # of the 1,000 that a runner takes which goes round and round
        assert process.finish(5000).code == (0 if program == "print(1)" else None)
    provider.close()


def worked_ms(pid: int) -> int:
    """CPU time that a process has used."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) * 1000 // os.sysconf("SC_CLK_TCK")
