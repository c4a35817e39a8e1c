"""Programs on the Landlock rung: the sandbox's folders, kills that sweep, limits, and what is left when something dies."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proofyard.core import Image, InfrastructureError, Limits, MemoryBlobs, Mount, SandboxSpec, file_bytes, tree_of
from proofyard.sandbox import LocalProvider
from proofyard.sandbox.landlock import LOWEST_ABI, kernel_abi
from proofyard.sandbox.local import LocalSandbox
from proofyard.sandbox.runner.memory import descendants

pytestmark = pytest.mark.skipif(kernel_abi() < LOWEST_ABI, reason="this kernel has no Landlock with scopes")
WALL = 20_000
BLOBS = MemoryBlobs()
DAEMON = (
    "import os, sys, time\n"
    "for _ in range(3):\n"
    "    if os.fork() == 0:\n        os.setsid()\n        if os.fork(): os._exit(0)\n"
    "        for fd in range(3): os.close(fd)\n"
    "        while True: time.sleep(0.01)\n"
    "    os.wait()\n"
    "for line in sys.stdin: open(sys.argv[1] + '/log', 'a').write(line); print('ok', flush=True)\n"
)


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    made = LocalProvider(rung="landlock", slots=1)
    yield made
    made.close()


@contextlib.contextmanager
def opened(provider: LocalProvider, files: dict[str, str], **fields: Any) -> Iterator[LocalSandbox]:
    mounts = (Mount(path="/workspace/project", tree=tree_of(files, BLOBS)),)
    sandbox = provider.open(SandboxSpec(mounts=mounts, kept=("/workspace/state",), **fields), BLOBS)
    try:
        yield sandbox
    finally:
        sandbox.close()


def inside(sandbox: LocalSandbox) -> list[int]:
    return descendants(sandbox._runner.pid)[1:]


def marked(mark: str) -> list[int]:
    """Live processes whose environment carries the mark, wherever they hang."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
    return found


def until_gone(mark: str) -> list[int]:
    deadline = time.monotonic() + 10
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return left


def test_paths_in_argv_environment_and_folder_are_translated(provider: LocalProvider) -> None:
    program = (
        "import json, os, sys\n"
        "open(sys.argv[1] + '/a', 'w').write('kept')\n"
        "print(json.dumps([sys.argv[2], os.listdir(os.environ['PLACE']), os.getcwd() == os.path.dirname(__file__),"
        " os.listdir(os.environ['TMPDIR']), 'HOME' in os.environ]))\n"
        "open(os.environ['TMPDIR'] + '/left', 'w').close()\n"
    )
    with opened(provider, {"main.py": program}) as sandbox:
        for _ in range(2):
            process = sandbox.start(
                ["python", "main.py", "/workspace/state", "word"], env={"PLACE": "/workspace/project"}
            )
            ended = process.finish(WALL)
            assert ended.code == 0, ended
            assert json.loads(ended.stdout) == ["word", ["main.py"], True, [], True]
        assert file_bytes(sandbox.snapshot().entries["workspace/state/a"], BLOBS) == b"kept"
    with opened(provider, {"main.py": program}) as sandbox:
        assert sandbox.snapshot().entries == {}


def test_nothing_else_can_be_read_or_written(provider: LocalProvider) -> None:
    program = (
        "import json, os, pathlib, socket, sys\n"
        "def tried(action):\n"
        "    try: return repr(action())\n"
        "    except Exception as error: return type(error).__name__\n"
        "own = pathlib.Path(__file__).parent\n"
        "print(json.dumps([tried(lambda: open('/etc/passwd').read()), tried(lambda: os.listdir('/tmp')),"
        " tried(lambda: (own / 'new').touch()), tried(lambda: (own / 'main.py').write_text('')),"
        " tried(lambda: open('/proc/1/stat')),"
        " tried(socket.socket), tried(lambda: os.kill(os.getppid(), 0)), tried(lambda: os.listdir(own.parent))]))\n"
    )
    with opened(provider, {"main.py": program}) as sandbox:
        ended = sandbox.start(["python", "main.py"]).finish(WALL)
    assert json.loads(ended.stdout) == ["PermissionError"] * 8, ended


def test_daemons_are_swept_and_state_survives(provider: LocalProvider) -> None:
    with opened(provider, {"main.py": DAEMON}) as sandbox:
        process = sandbox.start(["python", "main.py", "/workspace/state"])
        assert process.exchange(b"one", WALL).line == b"ok"
        assert len(inside(sandbox)) == 5  # keeper, program, three daemons
        assert sandbox.kill()
        assert inside(sandbox) == []
        process = sandbox.start(["python", "main.py", "/workspace/state"])
        assert process.exchange(b"two", WALL).line == b"ok"
        ended = process.finish(WALL)
        assert (ended.code, ended.fault) == (0, None)
        assert inside(sandbox) == []  # also when the program ends by itself
        assert file_bytes(sandbox.snapshot().entries["workspace/state/log"], BLOBS) == b"one\ntwo\n"


def test_two_programs_do_not_end_each_other(provider: LocalProvider) -> None:
    echo = "import sys\nfor line in sys.stdin: print(line.strip(), flush=True)"
    with opened(provider, {"main.py": echo}) as sandbox:
        first, second = sandbox.start(["python", "main.py"]), sandbox.start(["python", "main.py"])
        assert first.exchange(b"a", WALL).line == b"a"
        assert second.exchange(b"b", WALL).line == b"b"
        assert first.finish(WALL).code == 0
        assert second.exchange(b"c", WALL).line == b"c"


def test_a_fork_bomb_is_bounded_and_swept(provider: LocalProvider) -> None:
    bomb = (
        "import os, sys\nmade = 0\n"
        "while True:\n"
        "    try: made += 1 if os.fork() else 0\n"
        "    except OSError: break\n"
        "sys.stdout.write('x'); sys.stdout.flush()\n"
        "while True:\n"
        "    try: os.fork()\n"
        "    except OSError: pass\n"
    )
    with opened(provider, {"main.py": bomb}, limits=Limits(pids=20)) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"", 500).fault == "timeout"
        assert inside(sandbox) == []
        assert sandbox.start(["python", "-c", "print(1)"]).finish(WALL).stdout == b"1\n"


def test_limits_hold(provider: LocalProvider) -> None:
    program = (
        "import json, resource as r\n"
        "print(json.dumps([r.getrlimit(n)[1] for n in (r.RLIMIT_AS, r.RLIMIT_NOFILE, r.RLIMIT_FSIZE, r.RLIMIT_CORE)]))\n"
    )
    with opened(
        provider, {"main.py": program}, limits=Limits(memory=300 << 20, files=50, file_size=1 << 20)
    ) as sandbox:
        assert json.loads(sandbox.start(["python", "main.py"]).finish(WALL).stdout) == [300 << 20, 50, 1 << 20, 0]


@pytest.mark.parametrize(
    "program",
    [
        "n = 0\nwhile True:\n    open(f'{sys.argv[1]}/{n}', 'wb').write(b'x' * (1 << 20)); n += 1\n",
        "n = 0\nwhile True:\n    open(f'{sys.argv[1]}/{n}', 'w').close(); n += 1\n",
    ],
    ids=["bytes", "inodes"],
)
def test_who_stores_too_much_is_killed(provider: LocalProvider, program: str) -> None:
    with opened(provider, {"main.py": "import sys\n" + program}, limits=Limits(disk=16 << 20, inodes=500)) as sandbox:
        assert sandbox.start(["python", "main.py", "/workspace/state"]).finish(WALL).signal == signal.SIGKILL
    # Control: a modest program lives.
    modest = "import sys, time\nopen(sys.argv[1] + '/a', 'wb').write(b'x' * (8 << 20)); time.sleep(0.3)"
    with opened(provider, {"main.py": modest}, limits=Limits(disk=16 << 20, inodes=500)) as sandbox:
        assert sandbox.start(["python", "main.py", "/workspace/state"]).finish(WALL).code == 0


def test_a_program_that_cannot_be_executed_is_its_own_fault(provider: LocalProvider) -> None:
    with opened(provider, {"main.py": ""}) as sandbox:
        absent = sandbox.start(["no-such-program"]).finish(WALL)
        denied = sandbox.start(["/usr/bin/env"]).finish(WALL)
    assert (absent.code, absent.stderr) == (127, b"no-such-program: No such file or directory\n")
    assert (denied.code, denied.stderr) == (126, b"/usr/bin/env: Permission denied\n")
    with opened(provider, {"main.py": ""}, image=Image(base="system")) as sandbox:
        shell = sandbox.start(["/bin/sh", "-c", "ls; exit 3"]).finish(WALL)
    assert (shell.code, shell.stdout) == (3, b"main.py\n")


def test_a_dead_keeper_is_an_infrastructure_failure_and_its_daemons_are_swept(provider: LocalProvider) -> None:
    mark = uuid.uuid4().hex
    with opened(provider, {"main.py": DAEMON}) as sandbox:
        process = sandbox.start(["python", "main.py", "/workspace/state"], env={"MARK": mark})
        assert process.exchange(b"one", WALL).line == b"ok"
        assert len(marked(mark)) == 4
        os.kill(inside(sandbox)[0], signal.SIGKILL)
        with pytest.raises(InfrastructureError) as caught:
            for _ in range(1000):  # the program itself may still answer until the keeper's death is seen
                process.exchange(b"two", WALL)
        assert "keeper" in caught.value.failure.message
        assert sandbox.kill()
        assert marked(mark) == []


@pytest.mark.parametrize("victim", ["runner", "controller"])
def test_nothing_is_left_when_the_runner_or_the_controller_dies(victim: str, tmp_path: Path) -> None:
    mark = uuid.uuid4().hex
    script = tmp_path / "controller.py"
    script.write_text(
        "import sys, time\n"
        "from proofyard.core import MemoryBlobs, Mount, SandboxSpec, tree_of\n"
        "from proofyard.sandbox import LocalProvider\n"
        "blobs = MemoryBlobs()\n"
        f"tree = tree_of({{'main.py': {DAEMON!r}}}, blobs)\n"
        "box = LocalProvider(rung='landlock').open(\n"
        "    SandboxSpec(mounts=(Mount(path='/workspace/project', tree=tree),), kept=('/workspace/state',)), blobs)\n"
        f"process = box.start(['python', 'main.py', '/workspace/state'], env={{'MARK': {mark!r}}})\n"
        "assert process.exchange(b'one', 20000).line == b'ok'\n"
        "print(box._runner.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, start_new_session=True) as controller:
        assert controller.stdout
        runner = int(controller.stdout.readline())
        assert len(marked(mark)) == 4  # the program and three daemons
        os.kill(runner if victim == "runner" else controller.pid, signal.SIGKILL)
        assert until_gone(mark) == []
        controller.kill()


def test_many_starts_leave_nothing(provider: LocalProvider) -> None:
    with opened(provider, {"main.py": "print(1)"}) as sandbox:
        files = Path(f"/proc/{sandbox._runner.pid}/fd")
        assert sandbox.start(["python", "main.py"]).finish(WALL).stdout == b"1\n"
        assert sandbox.kill()
        before = len(list(files.iterdir()))
        for _ in range(30):
            assert sandbox.start(["python", "main.py"]).finish(WALL).stdout == b"1\n"
        assert sandbox.kill()
        assert inside(sandbox) == []
        assert len(list(files.iterdir())) == before


def test_what_it_cannot_do_is_refused(provider: LocalProvider) -> None:
    for fields in ({"armed": True},):
        with pytest.raises(InfrastructureError) as caught, opened(provider, {"main.py": ""}, **fields):
            pass
        assert caught.value.failure.code == "isolation_unavailable"
