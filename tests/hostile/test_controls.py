"""Positive controls: each hostile program, bounded and outside any sandbox, shows the effect that the sandbox must stop."""

import ctypes
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from proofyard.core.strictjson import BadJSON, loads
from tests.hostile.drive import PROGRAMS
from tests.hostile.guard import Guard, ours, processes, settings
from tests.hostile.outside import UID, answers, asked, interpreter, raw, started


def until(condition: Callable[[], bool]) -> bool:
    """Wait for a condition, at most 20 seconds."""
    end = time.monotonic() + 20
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


def status(pid: int, field: str) -> str:
    return Path(f"/proc/{pid}/status").read_text().partition(f"\n{field}:")[2].split()[0]


def program(number: int) -> str:
    return next(path.name for path in PROGRAMS.glob(f"p{number:02}_*.py"))


@pytest.fixture(scope="module")
def guard() -> Iterator[Guard]:
    made = Guard()
    yield made
    made.close()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory that another uid can reach, whoever else makes or closes pytest's own."""
    with tempfile.TemporaryDirectory(prefix="control-", dir="/dev/shm") as made:
        yield Path(made)


def test_01_forks_without_a_limit(folder: Path) -> None:
    said = answers(program(1), folder, {"bound": 40, "gentle": True})
    assert (said["made"], said["reason"]) == (40, "bound")


def test_02_memory_without_a_limit(folder: Path) -> None:
    said = answers(program(2), folder, {"bound": 640})
    assert (said["mb"], said["reason"]) == (640, "bound")


def test_03_eight_children_hold_memory(folder: Path) -> None:
    assert answers(program(3), folder, {"each": 8})["mb"] == 64


def test_04_disk_without_a_limit(folder: Path) -> None:
    assert answers(program(4), folder, {"bound": 32, "places": []})["found"] == {"state": [32, "bound"]}


def test_05_output_does_not_end(folder: Path) -> None:
    assert raw(program(5), folder, 3 << 20) == b"x" * (3 << 20)


def test_06_lives_on_without_output(folder: Path) -> None:
    with started(program(6), folder) as process:
        assert asked(process, {}) == b""
        assert process.poll() is None


def test_07_lives_through_signals(folder: Path) -> None:
    with started(program(7), folder) as process:
        assert process.stdin
        process.stdin.write(b"{}\n")
        process.stdin.flush()
        assert until(lambda: int(status(process.pid, "SigIgn"), 16).bit_count() > 50)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process.send_signal(number)
        assert process.poll() is None


def test_08_daemon_outlives_its_program_and_its_group(folder: Path) -> None:
    with started(program(8), folder) as process:
        daemon = json.loads(asked(process, {"id": "r"}))["daemon"]
        assert process.wait(20) == 0
    try:
        grow = folder / "state" / "grow"
        size = grow.stat().st_size
        assert until(lambda: grow.stat().st_size > size)
    finally:
        os.kill(daemon, signal.SIGKILL)


def test_09_a_child_can_be_traced(folder: Path) -> None:
    assert answers(program(9), folder, {"all": False})["found"]["child"] == "ok"


def test_10_a_parent_tells_its_environment(folder: Path, guard: Guard) -> None:
    said = answers(
        program(10),
        folder,
        {"secret": guard.secret[::-1], "memory": False},
        env={"SECRET": guard.secret},
        wrapped=True,
    )
    assert [hit.partition("/")[2] for hit in said["hits"]] == ["environ"]


def test_11_a_place_of_the_host_can_be_written(folder: Path, guard: Guard) -> None:
    assert guard.touched() == []
    paths = [*guard.canaries, f"{guard.folders[1]}/hostile-{guard.token}"]
    said = answers(program(11), folder, {"paths": paths})
    assert set(said["found"].values()) == {"ok"}
    assert set(guard.touched()) == set(paths)
    Path(paths[-1]).unlink()
    for path in guard.canaries:
        Path(path).write_text(guard.secret)


def test_12_a_link_is_followed_by_the_careless(folder: Path, guard: Guard) -> None:
    found = answers(program(12), folder, {"target": guard.canaries[0]})["found"]
    assert (found["symlink"], found["setuid"]) == ("ok", "ok")
    assert (folder / "state" / "link").read_text() == guard.secret
    assert (folder / "state" / "setuid").stat().st_mode & 0o7777 == 0o6777


def test_13_nobody_writes_to_the_fifo(folder: Path) -> None:
    assert answers(program(13), folder, {})["found"] == {"fifo": "ok", "socket": "ok"}
    with pytest.raises(OSError, match="No such device or address"):  # nobody is at the other end: a plain open waits
        os.open(folder / "state" / "fifo", os.O_WRONLY | os.O_NONBLOCK)


def test_14_the_line_is_long(folder: Path) -> None:
    assert raw(program(14), folder) == b"x" * (8 << 20) + b"\n"


REPAIRS: dict[int, tuple[bytes, bytes]] = {
    15: (b"[" * 1_000, b""),
    16: (b"NaN", b"1"),
    17: (b"1e999", b"1e99"),
    18: (b', "ok": 2', b""),
    19: (b"\xff\xfe", b""),
    20: (b"\0", b""),
    21: (b"\xef\xbb\xbf", b""),
    23: (b"\\ud800", b""),
    24: (b"9" * 99_000, b""),
    25: (b' {"ok": 2}', b""),
}
"""What makes each of these lines a good one: the strict reader refuses it for this and nothing else."""


@pytest.mark.parametrize("number", REPAIRS)
def test_15_to_25_one_thing_is_wrong_with_the_line(number: int, folder: Path) -> None:
    line = raw(program(number), folder).rstrip(b"\n")
    with pytest.raises(BadJSON):
        loads(line, max_bytes=1 << 22)
    wrong, right = REPAIRS[number]
    good = line[199_990:200_010] if number == 15 else line.replace(wrong, right, 1)
    assert wrong in line
    assert loads(good) is not None


def test_16_to_23_the_usual_reader_takes_these(folder: Path) -> None:
    lines = {number: raw(program(number), folder) for number in (15, 16, 17, 18, 23)}
    assert math.isnan(json.loads(lines[16])["ok"])
    assert json.loads(lines[17])["ok"] == math.inf
    assert json.loads(lines[18]) == {"ok": 2}
    assert json.loads(lines[23]) == {"ok": "\ud800"}
    with pytest.raises(RecursionError):
        json.loads(lines[15])


def test_22_26_27_28_30_what_the_lines_are(folder: Path) -> None:
    assert raw(program(22), folder) == b'{"ok": 1}\r\n'
    with started(program(26), folder) as process:
        assert json.loads(asked(process, {"id": "r"})) == {"id": "r"}
        assert process.stdout
        assert json.loads(process.stdout.readline()) == {"id": "extra"}
    assert loads(raw(program(27), folder)) == [1, 2]
    assert raw(program(28), folder) == b'{"ok": 1}\r'
    assert raw(program(30), folder) == b'{"ok": '


def test_29_answers_before_it_is_asked(folder: Path) -> None:
    with started(program(29), folder) as process:
        assert process.stdout
        assert json.loads(process.stdout.readline()) == {"id": "r1", "ok": True}


def test_31_answers_when_it_need_not_sleep(folder: Path) -> None:
    assert answers(program(31), folder, {"seconds": 0})["slept"] is True


def test_32_the_host_can_be_read(folder: Path, guard: Guard) -> None:
    files = ["/etc/passwd", *guard.canaries]
    said = answers(program(32), folder, {"files": files, "folders": ["/"]}, env={"HOSTILE_CANARY": "x"})
    assert set(said["found"].values()) == {"ok"}
    assert "HOSTILE_CANARY" in said["environment"]


def test_33_the_listeners_can_be_reached(folder: Path, guard: Guard) -> None:
    told = settings(guard, 0)
    assert guard.reached() == []
    found = answers(program(33), folder, {**told, "far": False})["found"]
    reachable = {"tcp4", "tcp6", "udp", "abstract", "abstract datagram", "unix path"}
    assert {name for name in reachable if found[name] == "ok"} == reachable
    assert found["own loopback"] == "ok"
    assert set(guard.reached()) == reachable


def test_34_a_victim_of_the_same_uid_is_hit(folder: Path, guard: Guard) -> None:
    victim = guard.victim(UID if os.getuid() == 0 else os.getuid())
    found = answers(program(34), folder, {"victim": victim.pid, "all": False})["found"]
    assert found["victim"] == "ok"
    assert victim.wait(20) == -signal.SIGKILL
    guard.victims.remove(victim)


def test_35_files_without_a_limit(folder: Path) -> None:
    said = answers(program(35), folder, {"bound": 4_500, "places": []})
    assert said["found"] == {"state": [4_500, "bound"]}


def test_36_descriptors_without_a_limit(folder: Path) -> None:
    assert answers(program(36), folder, {"bound": 400})["reason"] == "bound"


def test_37_stops(folder: Path) -> None:
    with started(program(37), folder) as process:
        assert process.stdin
        process.stdin.write(b"{}\n")
        process.stdin.flush()
        assert until(lambda: processes()[process.pid].state == "T")


def test_38_nothing_is_refused_by_a_filter(folder: Path) -> None:
    said = answers(program(38), folder, {"rlimits": False})
    assert said["found"]["memfd"] in {"EFAULT", "EINVAL"}
    assert said["found"]["clone3"] == "EINVAL"


def test_39_the_errors_are_many(folder: Path) -> None:
    with started(program(39), folder) as process:
        out, errors = process.communicate(b'{"id": "r", "mb": 3}\n', 60)
    assert (json.loads(out)["wrote"], len(errors)) == (3, 3 << 20)


def test_40_a_writer_would_be_blocked(folder: Path) -> None:
    with started(program(40), folder) as process:
        assert process.stdin
        os.set_blocking(process.stdin.fileno(), False)
        with pytest.raises(BlockingIOError):
            for _ in range(64):
                os.write(process.stdin.fileno(), b"x" * 65_536)


def test_41_the_processor_is_burnt(folder: Path) -> None:
    with started(program(41), folder) as process:
        assert process.stdin
        process.stdin.write(b"{}\n")
        process.stdin.flush()
        ticks = Path(f"/proc/{process.pid}/stat")
        assert until(lambda: int(ticks.read_text().rpartition(")")[2].split()[11]) > 20)


def test_42_a_terminal_can_be_opened(folder: Path, guard: Guard) -> None:
    terminals = [os.ttyname(guard.slave)]
    assert answers(program(42), folder, {"terminals": terminals})["opened"][terminals[0]] == "ok"


def test_43_shared_memory_and_queues_are_there(folder: Path, guard: Guard) -> None:
    found = answers(program(43), folder, {"make": False, "key": guard.key})["found"]
    assert {found["shared memory"], found["message queue"], found["semaphore"]} == {"ENOENT"}
    libc = ctypes.CDLL(None)
    made = libc.shmget(guard.key, 4096, 0o1600)
    try:
        assert guard.touched() == ["System V shm"]
    finally:
        libc.shmctl(made, 0, None)
    assert guard.touched() == []


def test_44_the_product_can_be_imported(folder: Path) -> None:
    path = str(PROGRAMS / program(44))
    code = f"import sys; sys.argv = ['x']; sys.path.insert(0, {str(PROGRAMS)!r}); exec(open({path!r}).read())"
    request = json.dumps({"id": "r", "modules": ["proofyard", "pytest"], "folders": []}) + "\n"
    done = subprocess.run([sys.executable, "-B", "-c", code], input=request, capture_output=True, text=True, check=True)
    said = json.loads(done.stdout)
    assert set(said["found"].values()) == {"ok"}
    assert max(count for count in said["there"].values() if isinstance(count, int)) > 3


def test_45_stores_if_it_is_let(folder: Path) -> None:
    with started(program(45), folder) as process:
        assert json.loads(asked(process, {"id": "r"}))["stored"] is True
        assert process.wait(20) == 0
    assert (folder / "state" / "stored").read_bytes() == b"stored"


def test_what_is_left_over_would_be_seen(guard: Guard) -> None:
    before = ours()
    process = subprocess.Popen([interpreter(), "-c", "import time; time.sleep(60)"])
    try:
        assert [line.partition(" ")[0] for line in guard.left(before, 0.05)] == [str(process.pid)]
        process.kill()
        assert until(lambda: processes()[process.pid].state == "Z")
        assert [line.partition(")")[0] for line in guard.left(before, 0.05)] == [f"{process.pid} (Z"]
    finally:
        process.kill()
        process.wait()
    assert guard.left(before, 0.05) == []
