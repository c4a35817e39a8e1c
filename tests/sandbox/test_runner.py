"""Parts of the runner that can be tried in this process."""

import os
import socket
import struct
import subprocess
import sys
import threading
import time

import pytest

from proofyard.sandbox.runner import listener
from proofyard.sandbox.runner.frames import FrameReader, FramesClosedError, pack
from proofyard.sandbox.runner.launcher import Exit
from proofyard.sandbox.runner.loop import ControllerGoneError, Loop
from proofyard.sandbox.runner.memory import children, cpu_below, descendants, resident
from proofyard.sandbox.runner.outcome import Answer
from proofyard.sandbox.runner.session import Session
from proofyard.sandbox.seccomp import MACHINES

LIMITS = {"wall_ms": 5000, "output": 1000, "line": 100, "stderr": 10, "tree_memory": 1 << 30}


def test_frames_of_any_size_arrive_whole_and_in_order():
    left, right = socket.socketpair()
    sent = [({"n": n, "text": "ü\udc80"}, os.urandom(size)) for n, size in enumerate((0, 1, 70_000, 3_000_000, 5))]
    writer = threading.Thread(target=lambda: [left.sendall(pack(*frame)) for frame in sent])
    writer.start()
    reader = FrameReader(right)
    assert [reader.read() for _ in sent] == sent
    assert not reader.pending
    writer.join()
    left.close()
    with pytest.raises(FramesClosedError):
        reader.read()
    right.close()


class Held:
    """A program that this test plays itself."""

    def __init__(self, watched=None):
        self.started, self.failed, self.listener, self.exit = True, "", watched, None

    def watches(self):
        return {}

    def roots(self):
        return ()

    def resident(self):
        return 0

    def kill(self):
        self.exit = Exit(None, 9)

    def check(self):
        return None

    def close(self):
        return None


@pytest.fixture
def loop():
    ours, theirs = socket.socketpair()
    made = Loop(theirs)
    made.ours = ours
    yield made
    ours.close()
    theirs.close()


def session(loop, handle):
    pipes = [os.pipe() for _ in range(3)]
    made = Session(loop, handle, (pipes[0][1], pipes[1][0], pipes[2][0]), LIMITS)
    return made, pipes[0][0], pipes[1][1], pipes[2][1]


def test_output_that_no_notification_announced_is_tampering(loop):
    notices, other = os.pipe()
    made, _, out, err = session(loop, Held((notices, 1)))
    os.write(out, b"forged\n")
    os.close(out)
    os.close(err)
    assert made.exchange(b"q", 1000, None) == Answer(fault="tamper")
    os.close(other)


def test_what_was_announced_is_an_answer(loop):
    notices, other = os.pipe()
    made, stdin, out, _ = session(loop, Held((notices, 1)))
    made._listener.announced = 7
    assert made.exchange.__self__ is made
    threading.Timer(0.05, lambda: os.write(out, b"honest\n")).start()
    assert made.exchange(b"q", 2000, None) == Answer(line=b"honest")
    assert os.read(stdin, 10) == b"q\n"
    os.close(other)


def test_pipes_that_stay_open_after_all_are_dead_hold_nothing_up(loop):
    """As where they travel in messages of sockets that nobody holds any more."""
    made, _, out, err = session(loop, Held())
    os.write(out, b"last words\n")
    os.write(err, b"e")
    assert made.kill() is True
    assert made.ended
    end = made.finish(1000)
    assert (end.fault, end.stdout, end.stderr) == ("killed", b"", b"e")


@pytest.mark.parametrize("said", [b"", b"early\n"])
def test_the_pipes_of_a_program_that_was_quicker_are_not_lent(loop, said):
    made, _, out, _ = session(loop, Held())
    os.write(out, said)
    os.close(out)
    loop.until(lambda: made._pipes.stdout < 0, time.monotonic() + 5)
    assert made.lend() == []
    assert made.receive(50) == (Answer(line=b"early") if said else Answer(fault="timeout"))
    made.kill()


def test_what_a_program_said_before_it_was_asked_is_seen(loop):
    made, _, out, _ = session(loop, Held())
    os.write(out, b"early\n")
    loop.until(lambda: made._total > 0, time.monotonic() + 5)
    assert made.lend() == []
    assert made.exchange(b"q", 1000, None) == Answer(fault="unsolicited_output")
    made.kill()
    os.close(out)


def test_the_controller_s_end_stops_the_loop(loop):
    made, *_ = session(loop, Held())
    loop.ours.close()
    with pytest.raises(ControllerGoneError):
        made.receive(1000)


TREE = """
import os, time
if os.fork() == 0:
    kept = bytearray(80 << 20)
    end = time.process_time() + 0.2
    while time.process_time() < end:
        pass
    os.write(1, b"x")
time.sleep(60)
"""


def test_memory_and_cpu_of_a_tree():
    program = subprocess.Popen([sys.executable, "-IS", "-c", TREE], stdout=subprocess.PIPE)
    assert program.stdout is not None
    tree = []
    try:
        assert program.stdout.read(1) == b"x"
        tree = descendants(program.pid)
        assert tree == [program.pid, *children(program.pid)]
        assert len(tree) == 2
        assert 80 << 20 < resident(program.pid) < 140 << 20
        assert 190_000 < cpu_below(program.pid) < 2_000_000
    finally:
        for one in tree or [program.pid]:
            os.kill(one, 9)
        program.wait()
        program.stdout.close()


@pytest.mark.parametrize("machine", MACHINES)
def test_the_notification_filter_decides_each_call(machine):
    """The program is run here instruction by instruction, for every call of its table and some others."""
    program = listener.filter_program(machine)
    names = listener.NUMBERS[machine]
    for name, number in names.items():
        decided = [run_filter(program, machine, number, [flags] * 6) for flags in (0, os.O_CREAT, os.O_TRUNC)]
        if name in listener.REFUSED:
            assert decided == [listener.REFUSE] * 3
        elif name in listener.FLAGGED:
            assert decided == [listener.ALLOW, listener.NOTIFY, listener.NOTIFY]
        else:
            assert decided == [listener.NOTIFY] * 3
    others = set(range(450)) - set(names.values())
    assert {run_filter(program, machine, number, [0] * 6) for number in others} == {listener.ALLOW}
    assert run_filter(program, machine, listener.X32_BIT | 1, [0] * 6) == listener.ABSENT
    other = next(one for one in MACHINES if one != machine)
    assert run_filter(program, other, 1, [0] * 6) == listener.KILL


def run_filter(program, machine, number, args):
    data = struct.pack("<iIQ6Q", number, listener.AUDIT[machine], 0, *args)
    at, loaded = 0, 0
    while True:
        code, if_true, if_false, value = struct.unpack_from("<HBBI", program, at * 8)
        at += 1
        if code == listener.LOAD:
            (loaded,) = struct.unpack_from("<I", data, value)
        elif code == listener.EQUAL:
            at += if_true if loaded == value else if_false
        elif code == listener.ANY_BIT:
            at += if_true if loaded & value else if_false
        else:
            assert code == listener.RETURN
            return value
