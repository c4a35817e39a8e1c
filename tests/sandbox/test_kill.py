import json
import os
from pathlib import Path

import pytest

from proofyard.core import Reply, UsageError
from tests.sandbox.boxes import STATE, opened, run

ANSWER_FIRST = f"""
import os, sys
path = "{STATE}/value"
for line in sys.stdin:
    print("ok " + line.strip(), flush=True)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(fd, line.encode())
    os.fsync(fd)
    os.close(fd)
"""
STORE_FIRST = f"""
import os, sys
path = "{STATE}/value"
for line in sys.stdin:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(fd, line.encode())
    os.fsync(fd)
    os.close(fd)
    print("ok " + line.strip(), flush=True)
"""
REPLACE = f"""
import os, sys
def store(text):
    fd = os.open("{STATE}/new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(fd, text.encode())
    os.fsync(fd)
    os.close(fd)
    os.rename("{STATE}/new", "{STATE}/value")
    folder = os.open("{STATE}", os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
for line in sys.stdin:
    store(line)
    print("ok", flush=True)
"""


def content(sandbox, name="value"):
    entry = sandbox.snapshot().entries.get(f"{STATE[1:]}/{name}")
    return None if entry is None else __import__("base64").b64decode(entry.inline)


@pytest.mark.parametrize(("code", "survives"), [(ANSWER_FIRST, 0), (STORE_FIRST, 40)])
def test_kill_inside_the_acknowledging_write(provider, code, survives):
    kept = 0
    with opened(provider, code, armed=True) as sandbox:
        for number in range(40):
            process = sandbox.start(["python", "main.py"])
            reply = process.exchange(b"v%d" % number, 5000, "response")
            assert (reply.line, reply.fault, reply.killed) == (b"ok v%d" % number, None, True)
            kept += content(sandbox) == b"v%d\n" % number
    assert kept == survives


def test_without_a_kill_the_answer_first_program_does_store(provider):
    with opened(provider, ANSWER_FIRST, armed=True) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"a", 5000).line == b"ok a"
        assert process.finish(5000).code == 0
        assert content(sandbox) == b"a\n"


@pytest.mark.parametrize("at", [1, 2, 3, 4, 5, 6])
def test_kill_at_the_nth_call_of_replace_by_rename(provider, at):
    with opened(provider, REPLACE, armed=True) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"old", 5000) == Reply(line=b"ok", calls=5)
        reply = process.exchange(b"new", 5000, at)
        if at == 6:
            assert reply == Reply(line=b"ok", calls=5)
        else:
            assert reply == Reply(killed=True, calls=at)
        assert content(sandbox) == (b"old\n" if at < 5 else b"new\n")
        assert sandbox.start(["python", "main.py"]).exchange(b"more", 5000).line == b"ok"


WAYS = {
    "write": "os.write(1, b'yes\\n')",
    "pieces": "os.write(1, b'y'); os.write(1, b'es'); os.write(1, b'\\n')",
    "writev": "os.writev(1, [b'ye', b's', b'\\n'])",
    "duplicate": "os.write(os.dup(1), b'yes\\n')",
    "reopened": "os.write(os.open('/dev/stdout', os.O_WRONLY), b'yes\\n')",
    "thread": "import threading; t = threading.Thread(target=lambda: os.write(1, b'yes\\n')); t.start(); t.join()",
    "child": "p = os.fork()\nif p == 0:\n    os.write(1, b'yes\\n'); os._exit(0)\nos.waitpid(p, 0)",
    "pwritev": "os.pwritev(1, [b'yes\\n'], -1) if False else os.write(1, b'yes\\n')",
    "large": "os.write(1, b'yes' + b' ' * 300_000 + b'\\n')",
}


@pytest.mark.parametrize("way", WAYS)
def test_every_way_of_answering_is_caught(provider, way):
    code = f"import os, sys\nsys.stdin.readline()\n{WAYS[way]}\nopen('{STATE}/after', 'w').write('x')\nsys.stdin.readline()"
    with opened(provider, code, armed=True) as sandbox:
        reply = sandbox.start(["python", "main.py"]).exchange(b"q", 5000, "response")
        assert reply.killed
        assert (reply.line or b"").strip() == b"yes"
        assert content(sandbox, "after") is None


@pytest.mark.parametrize("call", ["splice", "sendfile", "tee"])
def test_calls_that_would_pass_unseen_are_refused(provider, call):
    calls = {
        "splice": "r, w = os.pipe(); os.write(w, b'yes\\n'); os.splice(r, 1, 4)",
        "sendfile": "f = open('/tmp/f', 'w+'); f.write('yes\\n'); f.flush(); os.sendfile(1, f.fileno(), 0, 4)",
        "tee": "r, w = os.pipe(); os.write(w, b'yes\\n')\nimport ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "if libc.tee(r, 1, 4, 0) < 0: raise PermissionError",
    }
    code = "import os, sys\nsys.stdin.readline()\ntry:\n    " + calls[call].replace("\n", "\n    ")
    code += "\nexcept PermissionError:\n    print('refused', flush=True)\n"
    with opened(provider, code, armed=True) as sandbox:
        assert sandbox.start(["python", "main.py"]).exchange(b"q", 5000).line == b"refused"
    with opened(provider, code) as sandbox:
        assert sandbox.start(["python", "main.py"]).exchange(b"q", 5000).line == b"yes"


def test_copying_files_still_works_under_the_listener(provider):
    code = f"""
import os, shutil, sqlite3, sys, tempfile
sys.stdin.readline()
open("{STATE}/a", "w").write("x" * 100_000)
shutil.copyfile("{STATE}/a", "{STATE}/b")
with sqlite3.connect("{STATE}/db") as base:
    base.execute("create table t (x)")
    base.execute("insert into t values (1)")
with tempfile.NamedTemporaryFile() as f: f.write(b"1")
print(os.path.getsize("{STATE}/b"), flush=True)
"""
    with opened(provider, code, armed=True) as sandbox:
        reply = sandbox.start(["python", "main.py"]).exchange(b"q", 5000)
        assert (reply.line, reply.fault) == (b"100000", None)
        assert reply.calls > 10


CHANGES = {
    "mknod": "os.mknod(a)",
    "mkfifo": "os.mkfifo(a)",
    "bind": "socket.socket(socket.AF_UNIX).bind(a)",
    "chmod": "os.chmod(top, 0o700)",
    "fchmod": "os.chmod(folder, 0o700)",
    "chown": "os.chown(top, -1, -1)",
    "fchown": "os.chown(folder, -1, -1)",
    "lchown": "os.lchown(top, -1, -1)",
    "utime": "os.utime(top)",
    "setxattr": "os.setxattr(top, 'user.a', b'1')",
    "fsetxattr": "os.setxattr(folder, 'user.a', b'1')",
    "removexattr": "try: os.removexattr(top, 'user.a')\nexcept OSError: pass",
    "hidden": "ctypes.CDLL(None).prctl(4, 0, 0, 0, 0); os.write(2, b'1')",
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_of_state_is_a_call(provider, change):
    code = f"import ctypes, os, socket, sys\ntop, a = '{STATE}', '{STATE}/a'\nfolder = os.open(top, os.O_RDONLY)\n"
    code += f"sys.stdin.readline()\n{CHANGES[change]}\nprint('done', flush=True)"
    with opened(provider, code, armed=True) as sandbox:
        assert sandbox.start(["python", "main.py"]).exchange(b"q", 5000, 1) == Reply(killed=True, calls=1)


HIDDEN = """
import ctypes, os
libc = ctypes.CDLL(None)
libc.write(1, ctypes.c_void_p(8), 1 << 30)  # announced, and fails
libc.prctl(4, 0, 0, 0, 0)
input()
os.write(1, b"unseen\\n")
input()
"""


def test_a_response_that_was_not_stopped_is_tampering(provider):
    with opened(provider, HIDDEN, armed=True) as sandbox:
        reply = sandbox.start(["python", "main.py"]).exchange(b"q", 5000, "response")
        assert (reply.line, reply.fault, reply.killed) == (None, "tamper", False)


def test_an_answer_taken_back_is_none(provider):
    code = """
import os
back = os.open("/proc/self/fd/1", os.O_RDONLY | os.O_NONBLOCK)
input()
while True:
    os.write(1, b"x")
    try: os.read(back, 10)
    except BlockingIOError: pass
"""
    with opened(provider, code) as sandbox:
        assert sandbox.start(["python", "main.py"]).exchange(b"q", 500).fault in {"timeout", "output_limit"}


def test_a_write_of_gigabytes_is_not_gathered(provider):
    code = "import os\ninput()\nos.writev(1, [bytearray(1 << 20)] * 1000)"
    with opened(provider, code, armed=True) as sandbox:
        runner = Path(f"/proc/{sandbox._runner.pid}")
        (runner / "clear_refs").write_text("5")  # the peak counts from here
        assert sandbox.start(["python", "main.py"]).exchange(b"q", 20_000, "response").fault == "output_limit"
        lines = (runner / "status").read_text().splitlines()
        peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    assert peak < 100_000


def test_two_answers_in_the_killed_write_are_unsolicited(provider):
    with opened(provider, "import os\ninput()\nos.write(1, b'a\\nb\\n')\ninput()", armed=True) as sandbox:
        reply = sandbox.start(["python", "main.py"]).exchange(b"q", 5000, "response")
        assert (reply.line, reply.fault, reply.killed) == (b"a", "unsolicited_output", True)


def test_error_output_is_no_state_changing_call(provider):
    code = (
        "import sys\nfor line in sys.stdin:\n    print('log', file=sys.stderr, flush=True)\n    print('ok', flush=True)"
    )
    with opened(provider, code, armed=True) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"q", 5000, 1) == Reply(line=b"ok", calls=0)
        assert process.finish(5000).stderr == b"log\n"


def test_kill_points_need_an_armed_sandbox(provider):
    with opened(provider) as sandbox, pytest.raises(UsageError, match="armed"):
        sandbox.start(["python", "main.py"]).exchange(b"1", 1000, "response")


def test_plain_kill_keeps_state_and_start_works_again(provider):
    with opened(provider, STORE_FIRST) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"a", 5000).line == b"ok a"
        assert sandbox.kill() is True
        assert process.exchange(b"b", 5000) == Reply(fault="killed")
        assert process.finish(1000).signal == 9
        assert content(sandbox) == b"a\n"
        assert run(sandbox).code == 0


def test_looking_into_scratch_folders_leaves_no_mark_for_the_next_start(provider):
    code = "import os\nfor top in ('/tmp', '/dev/shm'):\n    os.listdir(top)\n    seen = os.stat(top)\n"
    code += "    print(seen.st_atime_ns == seen.st_mtime_ns)"
    with opened(provider, code) as sandbox:
        assert [run(sandbox).stdout for _ in range(2)] == [b"True\nTrue\n"] * 2


def test_a_daemon_in_a_session_of_its_own_dies_too(provider):
    code = f"""
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            with open("{STATE}/beat", "a") as file: file.write("x")
            time.sleep(0.001)
    os._exit(0)
while not os.path.exists("{STATE}/beat"): time.sleep(0.001)
print("up", flush=True)
input()
"""
    with opened(provider, code) as sandbox:
        assert sandbox.start(["python", "main.py"]).exchange(b"", 5000).line == b"up"
        assert sandbox.kill() is True
        assert len({len(content(sandbox, "beat") or b"") for _ in range(20)}) == 1


def test_cpu_of_killed_programs_is_counted(provider):
    code = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass\nprint(1, flush=True)\ninput()"
    with opened(provider, code) as sandbox:
        assert sandbox.start(["python", "main.py"]).receive(5000).line == b"1"
        assert sandbox.kill() is True
        assert 280_000 < sandbox.usage().cpu_us < 1_000_000


def test_provenance_tells_how_it_was_held(provider):
    with opened(provider, armed=True) as sandbox:
        told = json.loads(json.dumps(dict(sandbox.provenance)))
    assert (told["rung"], told["isolation"], told["kill_confirmed"], told["armed"]) == (
        "bubblewrap",
        "bubblewrap",
        "yes",
        "yes",
    )
    assert len(told["filter"]) == 64
    assert told["python"] == ".".join(map(str, os.sys.version_info[:3]))
