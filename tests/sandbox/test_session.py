import contextlib
import json
import os
import socket

import pytest

from proofyard.core import Ended, InfrastructureError, Reply
from proofyard.sandbox.runner.loop import Loop
from proofyard.sandbox.runner.session import Session
from tests.sandbox.boxes import ECHO, opened, run


def test_requests_are_answered_one_by_one_then_end_of_input_ends_it(provider):
    with opened(provider) as sandbox:
        process = sandbox.start(["python", "main.py"])
        for number in range(5):
            reply = process.exchange(json.dumps({"n": number}).encode(), 5000)
            assert reply == Reply(line=json.dumps({"got": {"n": number}}).encode())
        assert process.finish(5000) == Ended(code=0)


def test_plain_requests_go_directly_and_anything_else_through_the_runner(provider):
    with opened(provider) as sandbox:
        process = sandbox.start(["python", "main.py"])
        for number in range(3):
            assert process.exchange(b"%d" % number, 5000).line == b'{"got": %d}' % number
            assert process._direct is not None
        assert process.exchange(b"%d" % 10**4094, 5000).fault is None  # 4,096 bytes with its line feed
        assert process._direct is not None
        assert process.exchange(b"%d" % 10**4095, 5000).fault is None
        assert process._direct is None
        assert process.exchange(b"7", 5000).line == b'{"got": 7}'
        assert process.finish(5000) == Ended(code=0)


def test_limits_hold_over_both_ways_together(provider):
    code = "for line in __import__('sys').stdin: print('x' * 100, flush=True)"
    with opened(provider, code, limits={"output": 1000, "line": 500}) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert [process.exchange(b"1", 5000).fault for _ in range(9)] == [None] * 9
        assert process.exchange(b"1", 5000) == Reply(fault="output_limit")
        assert process.finish(1000).fault == "output_limit"
    with opened(provider, code, limits={"output": 1000, "line": 500}) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert [process.exchange(b"1", 5000).fault for _ in range(5)] == [None] * 5
        assert process.exchange(b"1" * 5000, 5000).fault is None
        assert [process.exchange(b"1", 5000).fault for _ in range(4)] == [None] * 3 + ["output_limit"]


def test_several_files_of_a_submission_can_import_each_other(provider):
    files = {"helper.py": "VALUE = 7\n", "inner/__init__.py": "", "inner/deep.py": "VALUE = 8\n"}
    with opened(provider, "import helper, inner.deep; print(helper.VALUE + inner.deep.VALUE)", files=files) as sandbox:
        assert run(sandbox) == Ended(code=0, stdout=b"15\n")


def test_exit_code_signal_and_error_output(provider):
    code = "import os, sys; os.write(2, b'why'); os.kill(os.getpid(), 11) if sys.argv[1:] else sys.exit(5)"
    with opened(provider, code) as sandbox:
        assert run(sandbox) == Ended(code=5, stderr=b"why")
        assert run(sandbox, "x") == Ended(signal=11, stderr=b"why")


def test_output_left_at_the_end_is_returned(provider):
    with opened(provider, "import sys\nfor line in sys.stdin: print(1, flush=True)\nprint('more')") as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"{}", 5000) == Reply(line=b"1")
        assert process.finish(5000) == Ended(code=0, stdout=b"more\n")


def test_crlf_is_kept_and_an_empty_line_is_a_line(provider):
    with opened(
        provider, "import sys\nfor line in sys.stdin: sys.stdout.write(line[:-1]); sys.stdout.flush()"
    ) as sandbox:
        process = sandbox.start(["python", "main.py"])
        process.send(b"a\r\n\n")
        process.send(b"\n\n")
        assert process.receive(300).fault == "timeout"
    with opened(provider, "print('a\\r', flush=True); print(flush=True); input()") as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert [process.receive(5000).line, process.receive(5000).line] == [b"a\r", b""]


def test_bytes_before_a_request_are_unsolicited(provider):
    with opened(provider, ECHO.replace("flush=True)", "flush=True); print('extra', flush=True)")) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"1", 5000).line == b'{"got": 1}'
        process.send(b"")  # a round trip, by which the extra line is there
        while process.exchange(b"2", 5000).fault is None:
            pass
        assert process.exchange(b"3", 5000) == Reply(fault="unsolicited_output")


@pytest.mark.parametrize("code", ["pass", "print('half', end='', flush=True)", "raise SystemExit(3)"])
def test_death_before_the_answer_is_eof(provider, code):
    with opened(provider, f"input()\n{code}") as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"1", 5000) == Reply(fault="eof")
        assert process.exchange(b"2", 5000).fault in {"eof", "unsolicited_output"}
        assert process.finish(1000).code == (3 if "3" in code else 0)


@pytest.mark.parametrize(
    "code",
    [
        "import time; time.sleep(60)",
        "import signal, time\nfor n in set(range(1, 65)) - {9, 19, 32, 33}: signal.signal(n, signal.SIG_IGN)\ntime.sleep(60)",
        "import os, time; os.close(1); os.close(2); time.sleep(60)",
        "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
    ],
)
def test_no_answer_in_time_is_a_timeout_and_kills(provider, code):
    with opened(provider, code) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"1", 400) == Reply(fault="timeout")
        assert process.exchange(b"1", 400) == Reply(fault="timeout")
        assert process.finish(100) == Ended(signal=9, fault="timeout")
        assert sandbox.kill() is True


def test_a_large_request_to_a_program_that_never_reads_does_not_block(provider):
    with opened(provider, "import time; time.sleep(60)") as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"x" * (4 << 20), 400) == Reply(fault="timeout")


def test_a_large_request_arrives_whole(provider):
    code = "import sys\nfor line in sys.stdin: print(len(line), flush=True)"
    with opened(provider, code) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"x" * (4 << 20), 5000) == Reply(line=str((4 << 20) + 1).encode())


def test_not_exiting_after_the_end_of_input_is_a_timeout(provider):
    with opened(provider, "import sys, time; sys.stdin.read(); print('end', flush=True); time.sleep(60)") as sandbox:
        assert run(sandbox, wall_ms=500) == Ended(fault="timeout", stdout=b"end\n")
        assert sandbox.kill() is True


def test_endless_output_and_too_long_a_line(provider):
    endless = "import os\nwhile True: os.write(1, b'x' * 65536)"
    limits = {"output": 1 << 20, "line": 1 << 20}
    with opened(provider, endless, limits=limits) as sandbox:
        assert sandbox.start(["python", "main.py"]).exchange(b"1", 5000) == Reply(fault="output_limit")
    long_line = "input(); print('x' * 2000, flush=True); input()"
    with opened(provider, long_line, limits={"line": 1000}) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"1", 5000) == Reply(fault="line_too_long")
        assert process.finish(1000).fault == "line_too_long"
    with opened(provider, long_line, limits={"line": 2000}) as sandbox:
        assert sandbox.start(["python", "main.py"]).exchange(b"1", 5000).line == b"x" * 2000


def test_error_output_is_drained_and_kept_to_its_limit(provider):
    code = "import sys\nfor _ in range(200): sys.stderr.write('e' * 65536)\nprint(1, flush=True); input()"
    with opened(provider, code, limits={"stderr": 100}) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.receive(10_000) == Reply(line=b"1")
        assert process.finish(5000).stderr == b"e" * 100


def test_memory_of_the_tree_is_watched(provider):
    code = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        kept = b'x' * (60 << 20)
        time.sleep(60)
time.sleep(60)
"""
    with opened(provider, code, limits={"tree_memory": 150 << 20}) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"1", 10_000) == Reply(fault="oom")
        assert sandbox.kill() is True
        assert 150 << 20 < sandbox.usage().peak_memory < 400 << 20
    with opened(provider, code, limits={"tree_memory": 600 << 20}) as sandbox:
        assert sandbox.start(["python", "main.py"]).exchange(b"1", 1500) == Reply(fault="timeout")


class Growing:
    """A program that holds one gigabyte more each time it is looked at."""

    started, failed, exit, listener = True, "", None, None

    def __init__(self):
        self.looks = 0
        self.killed = False

    def resident(self):
        self.looks += 1
        return self.looks << 30

    def kill(self):
        self.killed = True

    def check(self):
        pass

    def watches(self):
        return {}

    def roots(self):
        return ()


def test_memory_with_much_room_left_is_looked_at_less_often():
    ours, theirs = socket.socketpair()
    with ours, theirs, contextlib.ExitStack() as held:
        fds = [os.memfd_create(name) for name in ("stdin", "stdout", "stderr")]
        held.callback(lambda: [os.close(fd) for fd in fds])
        loop = Loop(ours)
        loop.watch = lambda *_, **__: None  # nothing happens here but ticks
        handle = Growing()
        session = Session(loop, handle, tuple(fds), {"wall_ms": 60_000, "tree_memory": 5 << 30, "output": 1, "line": 1})
        looks = []
        while not handle.killed:
            session.tick()
            looks.append(handle.looks)
        assert looks == [1, 1, 1, 1, 2, 2, 2, 2, 3, 4, 5, 6]
        assert session.fault == "oom"
        assert session.peak_memory == 6 << 30


def test_wall_limit_of_the_process_ends_it_between_requests(provider):
    with opened(provider, limits={"wall_ms": 700}) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"1", 600).line == b'{"got": 1}'
        assert process.receive(5000) == Reply(fault="timeout")


def test_cpu_limit_ends_it(provider):
    with opened(provider, "while True: pass", limits={"cpu_ms": 1000}) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"1", 10_000) == Reply(fault="eof")
        assert process.finish(1000).signal in {9, 24}
        assert sandbox.usage().cpu_us > 900_000


def test_two_programs_at_once_and_usage_of_both(provider):
    with opened(provider) as sandbox:
        first, second = sandbox.start(["python", "main.py"]), sandbox.start(["python", "main.py"])
        assert first.exchange(b"1", 5000).line == b'{"got": 1}'
        assert second.exchange(b"2", 5000).line == b'{"got": 2}'
        assert first.finish(5000).code == 0
        assert second.exchange(b"3", 5000).line == b'{"got": 3}'
        assert second.finish(5000).code == 0
        used = sandbox.usage()
        assert used.cpu_us > 10_000
        assert used.wall_us > 10_000


def test_a_program_that_is_not_there_and_a_folder_that_is_not_there(provider):
    with opened(provider) as sandbox:
        assert sandbox.start(["/usr/bin/no-such-program"]).finish(5000).code == 127
        with pytest.raises(InfrastructureError, match="sandbox_start"):
            sandbox.start(["python", "main.py"], cwd="/no/such/folder").finish(5000)
        assert run(sandbox, wall_ms=3000).code == 0
