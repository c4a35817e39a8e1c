"""The warm pool on real warm processes: what is shared, what must not be, limits, kills, and what is left afterwards."""

import contextlib
import importlib.util
import json
import marshal
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proofyard.core import (
    Entry,
    Image,
    InfrastructureError,
    Limits,
    MemoryBlobs,
    Mount,
    SandboxSpec,
    Tree,
    file_bytes,
    tree_of,
)
from proofyard.sandbox import LocalProvider
from proofyard.sandbox.local import LocalProcess, LocalSandbox
from proofyard.sandbox.runner.memory import descendants

WALL = 20_000
BLOBS = MemoryBlobs()


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    made = LocalProvider(rung="zygote", slots=2)
    yield made
    made.close()


def spec(files: dict[str, str], preload: tuple[str, ...] = ("decimal",), **fields: Any) -> SandboxSpec:
    image = Image(preload=preload, packages=fields.pop("packages", ""), environment=fields.pop("environment", {}))
    mounts = (Mount(path="/workspace/project", tree=tree_of(files, BLOBS)),)
    return SandboxSpec(image=image, mounts=mounts, kept=("/workspace/state",), **fields)


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder that an unprivileged uid can read."""
    folder = tmp_path / "packages"
    folder.mkdir()
    for parent in (folder, tmp_path, tmp_path.parent):
        parent.chmod(0o755)
    return folder


@contextlib.contextmanager
def opened(provider: LocalProvider, asked: SandboxSpec) -> Iterator[LocalSandbox]:
    sandbox = provider.open(asked, BLOBS)
    try:
        yield sandbox
    finally:
        sandbox.close()


def run(provider: LocalProvider, program: str, *argv: str, **fields: Any) -> Any:
    """Run one program in a sandbox of its own and return the JSON that it prints."""
    with opened(provider, spec({"main.py": program}, **fields)) as sandbox:
        ended = sandbox.start(["python", "main.py", *argv]).finish(WALL)
    assert (ended.code, ended.fault) == (0, None), ended
    return json.loads(ended.stdout)


def inside(sandbox: LocalSandbox) -> list[int]:
    """Processes below the sandbox's runner, on the host, zombies too."""
    return descendants(sandbox._runner.pid)[1:]


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return state_of(pid) not in {"Z", "X"}
    return False


# --- what is warm


def test_preloaded_modules_are_there_at_start_and_no_others(provider: LocalProvider) -> None:
    program = "import sys\nloaded = sorted(sys.modules)\nimport json\nprint(json.dumps(loaded))"
    warm = run(provider, program)
    assert "decimal" in warm
    assert "sqlite3" not in warm
    assert [name for name in warm if name.startswith("proofyard")] == []
    # The same program in a fresh interpreter of the same sandbox finds nothing imported.
    with opened(provider, spec({"main.py": program})) as sandbox:
        fresh = json.loads(sandbox.start(["python", "-u", "main.py"]).finish(WALL).stdout)
    assert "decimal" not in fresh


def test_files_of_a_mount_are_imported_once_under_their_names(provider: LocalProvider) -> None:
    tool = "import decimal, os\nTOKEN = os.urandom(8).hex()\nHERE = __name__, __file__\n"
    program = "import sys\nready = 'tool' in sys.modules\nimport json, tool\nprint(json.dumps([ready, tool.TOKEN, tool.HERE]))"
    compiled = importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(compile(tool, "tool.py", "exec"))
    for name, content in {"tool.py": tool, "tool.pyc": compiled}.items():
        mounts = (
            Mount(path="/workspace/project", tree=tree_of({"main.py": program}, BLOBS)),
            Mount(path="/workspace/project/lib", tree=tree_of({name: content}, BLOBS)),
        )
        path = f"/workspace/project/lib/{name}"
        asked = SandboxSpec(image=Image(preload=("decimal", path)), mounts=mounts)
        found = []
        for _ in range(2):
            with opened(provider, asked) as sandbox:
                found.append(json.loads(sandbox.start(["python", "main.py"]).finish(WALL).stdout))
        assert found[0] == found[1] == [True, found[0][1], ["tool", path]]
        assert len(found[0][1]) == 16


@pytest.mark.parametrize(
    "path", ["/workspace/project/none.py", "/workspace/project/link.py", "/workspace/state/main.py", "/etc/passwd"]
)
def test_a_file_to_be_imported_that_is_none_of_a_read_only_mount(provider: LocalProvider, path: str) -> None:
    with pytest.raises(InfrastructureError, match=f"{path} has to be a file of a read-only mount"):
        tree = tree_of({"main.py": "print(1)"}, BLOBS)
        linked = Tree(entries={**tree.entries, "link.py": Entry(kind="symlink", target="main.py")})
        mounts = (Mount(path="/workspace/project", tree=linked),)
        image = Image(preload=("decimal", path))
        provider.open(SandboxSpec(image=image, mounts=mounts, kept=("/workspace/state",)), BLOBS).close()


@pytest.mark.parametrize("damage", ["none", "magic", "cut", "no code"])
def test_compiled_programs_run_as_in_an_interpreter_of_their_own(provider: LocalProvider, damage: str) -> None:
    source = "import sys\nprint(__name__, __file__, __spec__, __loader__.__class__.__name__, sys.argv)\n1 / len(sys.argv[2:])\n"
    head = importlib.util.MAGIC_NUMBER + bytes(12)
    body = {
        "none": marshal.dumps(compile(source, "main.py", "exec")),
        "magic": b"",
        "cut": b"c",
        "no code": marshal.dumps(3),
    }[damage]
    data = (b"\0" * 16 if damage == "magic" else head) + body
    mounts = (Mount(path="/workspace/project", tree=tree_of({"main.pyc": data}, BLOBS)),)
    ended = []
    for preload in (("decimal",), ()):
        made = provider if preload else LocalProvider(rung="bubblewrap", slots=1)
        with opened(made, SandboxSpec(image=Image(preload=preload), mounts=mounts)) as sandbox:
            ended.append(sandbox.start(["python", "main.pyc", "one"]).finish(WALL))
        if made is not provider:
            made.close()
    warm, fresh = ended
    assert (warm.code, warm.fault, warm.stdout) == (fresh.code, fresh.fault, fresh.stdout)
    assert warm.code == 1
    assert warm.stderr.splitlines()[-1] == fresh.stderr.splitlines()[-1]


def test_one_warm_process_serves_many_sandboxes_of_an_image(provider: LocalProvider) -> None:
    program = "import decimal, json; print(json.dumps(id(decimal)))"
    with opened(provider, spec({"main.py": program})) as sandbox:
        before = inside(sandbox)
    first, second = run(provider, program), run(provider, program)
    assert first == second  # the very same object, copied by the fork
    with opened(provider, spec({"main.py": program})) as sandbox:
        assert inside(sandbox) == before


def test_the_program_is_main_as_in_a_fresh_interpreter(provider: LocalProvider) -> None:
    program = (
        "import json, os, sys, beside\n"
        "print(json.dumps([__name__, __file__, sys.argv, sys.path[0], beside.HERE, sys.modules['__main__'].marker(),"
        " sys.stdin.name, sys.stdout.encoding, sorted(os.listdir('/proc/self/fd'))[:3], os.getcwd(), sys.flags.no_site]))\n"
    )
    files = {"main.py": "def marker(): return 7\n" + program, "beside.py": "HERE = 'beside'"}
    answers = []
    for flags in ([], ["-B"]):
        with opened(provider, spec(files)) as sandbox:
            ended = sandbox.start(["python", *flags, "main.py", "a", "b c"]).finish(WALL)
        assert ended.stderr == b""
        answers.append(json.loads(ended.stdout))
    assert answers[0] == answers[1]
    assert answers[0][:5] == [
        "__main__",
        "/workspace/project/main.py",
        ["main.py", "a", "b c"],
        "/workspace/project",
        "beside",
    ]


ENDINGS = {
    "import sys; sys.exit(7)": (7, b""),
    "import sys; sys.exit('a message')": (1, b"a message\n"),
    "import os, signal; os.kill(os.getpid(), signal.SIGTERM)": (None, b""),
    "1 +": (1, b'  File "/workspace/project/main.py", line 1\n    1 +\n       ^\nSyntaxError: invalid syntax\n'),
    "import atexit; atexit.register(print, 'bye')": (0, b""),
    "def f(): g()\ndef g(): raise KeyError(1)\nf()": (1, b"KeyError: 1\n"),
    "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.05), print('late'))).start()": (0, b""),
    "class A:\n    def __del__(self): print('gone')\na = A()": (0, b""),
    "raise KeyboardInterrupt": (None, b"KeyboardInterrupt\n"),
}


@pytest.mark.parametrize("program", ENDINGS)
def test_programs_end_as_in_a_fresh_interpreter(provider: LocalProvider, program: str) -> None:
    with opened(provider, spec({"main.py": program})) as sandbox:
        warm = sandbox.start(["python", "main.py"]).finish(WALL)
        fresh = sandbox.start(["python", "-B", "main.py"]).finish(WALL)
    assert warm == fresh
    code, last = ENDINGS[program]
    assert warm.code == code
    assert warm.stderr.endswith(last)
    assert bool(warm.stderr) == bool(last)


def test_a_file_left_open_is_written_at_the_end(provider: LocalProvider) -> None:
    program = "out = open('/workspace/state/left', 'w')\nout.write('written')\n"
    with opened(
        provider, spec({"main.py": program, "other.py": "out = open('/workspace/state/b', 'w'); out.write('too')"})
    ) as box:
        assert box.start(["python", "main.py"]).finish(WALL).code == 0
        assert box.start(["python", "-c", "import other"]).finish(WALL).code == 0
        tree = box.snapshot()
    assert {path: file_bytes(entry, BLOBS) for path, entry in tree.entries.items()} == {
        "workspace/state/left": b"written",
        "workspace/state/b": b"too",
    }


def test_other_programs_are_executed_afresh(provider: LocalProvider) -> None:
    with opened(provider, spec({"main.py": ""})) as sandbox:
        shell = sandbox.start(["/bin/sh", "-c", "echo $0 $1; exit 3", "x", "y"]).finish(WALL)
        module = sandbox.start(["python", "-m", "calendar", "2024", "1"]).finish(WALL)
        absent = sandbox.start(["no-such-program"]).finish(WALL)
        unreadable = sandbox.start(["python", "none.py"]).finish(WALL)
    assert (shell.code, shell.stdout) == (3, b"x y\n")
    assert module.code == 0
    assert module.stdout.splitlines()[0].strip() == b"January 2024"
    assert (absent.code, absent.stderr) == (127, b"no-such-program: No such file or directory\n")
    assert unreadable.code == 2
    assert b"can't open file '/workspace/project/none.py'" in unreadable.stderr


def test_lines_are_exchanged_and_faults_told(provider: LocalProvider) -> None:
    program = (
        "import sys\nfor line in sys.stdin:\n    print(line.strip()[::-1], flush=True)\n"
        "    if line == 'twice\\n': print(1, flush=True)\n"
    )
    with opened(provider, spec({"main.py": program})) as sandbox:
        process: LocalProcess = sandbox.start(["python", "main.py"])
        assert process.exchange(b"abc", WALL).line == b"cba"
        assert process.exchange("ä€".encode(), WALL).line == "€ä".encode()
        assert process.exchange(b"twice", WALL).line == b"eciwt"
        assert process.receive(WALL).line == b"1"
        assert process.finish(WALL).code == 0
        silent = sandbox.start(["python", "-c", "import time; time.sleep(60)"])
        assert silent.exchange(b"x", 100).fault == "timeout"
        endless = sandbox.start(["python", "-c", "while True: print('x' * 1000, end='')"])
        assert endless.receive(WALL).fault == "output_limit"


# --- what must not be shared


def test_samples_do_not_see_each_other(provider: LocalProvider) -> None:
    leave = (
        "import decimal, json, os, pathlib\n"
        "files = [pathlib.Path('/tmp/mark'), pathlib.Path('/dev/shm/mark')]\n"
        "def look(): return [hasattr(decimal, 'MARK'), os.environ.get('MARK'), *(file.exists() for file in files)]\n"
        "found = look()\n"
        "decimal.MARK = 1; os.environ['MARK'] = '1'; [file.touch() for file in files]\n"
        "found += look()\n"
        "pathlib.Path('/workspace/state/runs').open('a').write('x')\n"
        "print(json.dumps(found))\n"
    )
    with opened(provider, spec({"main.py": leave})) as sandbox:
        answers = [json.loads(sandbox.start(["python", "main.py"]).finish(WALL).stdout) for _ in range(2)]
        kept = sandbox.snapshot()
    assert answers == [[False, None, False, False, True, "1", True, True]] * 2
    assert file_bytes(kept.entries["workspace/state/runs"], BLOBS) == b"xx"  # the one thing that is shared
    assert run(provider, "import json, os; print(json.dumps(os.listdir('/workspace/state')))") == []


def test_random_state_is_fresh_in_every_sample(provider: LocalProvider) -> None:
    program = (
        "import json, random, uuid; print(json.dumps([random.random(), str(uuid.uuid4()), random.Random(1).random()]))"
    )
    answers = [run(provider, program, preload=("random", "uuid")) for _ in range(3)]
    assert len({answer[0] for answer in answers}) == 3
    assert len({answer[1] for answer in answers}) == 3
    assert len({answer[2] for answer in answers}) == 1  # a seeded one is the same everywhere


SCAN = """
import json, sys
wanted = bytes.fromhex(sys.argv[1])[::-1]
hits = 0
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for line in maps:
        span, rights = line.split()[:2]
        if "r" not in rights or "[v" in line:
            continue
        start, end = (int(part, 16) for part in span.split("-"))
        memory.seek(start)
        try:
            hits += memory.read(end - start).count(wanted)
        except OSError:
            continue
print(json.dumps(hits))
"""


def test_nothing_of_another_spec_is_in_a_samples_memory(provider: LocalProvider) -> None:
    canary = os.urandom(16).hex()
    hidden = spec(
        {"main.py": "import sys; print(len(open('/workspace/project/secret').read()))", "secret": canary * 50}
    )
    with opened(provider, hidden) as sandbox:
        before = inside(sandbox)
        process = sandbox.start(["python", "main.py", canary], env={"CANARY": canary})
        process.send(canary.encode())
        assert process.finish(WALL).stdout == b"1600\n"
    backwards = canary.encode()[::-1].hex()
    with opened(provider, spec({"main.py": SCAN})) as sandbox:
        assert inside(sandbox) == before  # the same warm process
        found = json.loads(sandbox.start(["python", "main.py", backwards]).finish(WALL).stdout)
        # Control: the scan sees a canary that is in the sample's own memory.
        own = json.loads(sandbox.start(["python", "main.py", backwards, canary]).finish(WALL).stdout)
    # The scan's own working copy of what it looks for counts in both.
    assert own > found
    assert found <= 2


def test_the_warm_process_and_its_files_are_out_of_reach(provider: LocalProvider) -> None:
    program = (
        "import json, os\n"
        "def tried(action):\n"
        "    try: return repr(action())\n"
        "    except OSError as error: return type(error).__name__\n"
        "print(json.dumps([sorted(p for p in os.listdir('/proc') if p.isdigit()),"
        " tried(lambda: open('/proc/1/environ').read()), tried(lambda: open('/proc/1/mem', 'rb').read(1)),"
        " tried(lambda: os.listdir('/proc/1/fd')), tried(lambda: os.kill(1, 9)), os.getpid(), sorted(os.listdir('/')),"
        " sorted(os.listdir('/dev')), tried(lambda: open('/x', 'w')), tried(lambda: os.mkdir('/dev/x'))]))\n"
    )
    pids, environ, memory, fds, killed, own, root, dev, write, make = run(provider, program)
    assert pids == ["1", "2"]
    assert own == 2
    assert (environ, memory, fds) == ("PermissionError",) * 3
    assert killed == "PermissionError" or killed == "None"  # pid 1 of a namespace cannot be killed from inside
    assert set(root) <= {
        "bin",
        "dev",
        "etc",
        "lib",
        "lib32",
        "lib64",
        "libx32",
        "opt",
        "proc",
        "sbin",
        "tmp",
        "usr",
        "workspace",
    }
    assert dev == ["fd", "full", "null", "random", "shm", "stderr", "stdin", "stdout", "urandom", "zero"]
    assert (write, make) == ("OSError", "OSError")


# --- limits


def test_memory_counts_on_top_of_what_the_warm_process_maps(provider: LocalProvider) -> None:
    program = (
        "import json, sys\nheld = []\n"
        "try:\n    while len(held) < 400: held.append(bytearray(1 << 20))\n"
        "except MemoryError: pass\n"
        "reached = len(held); held.clear(); print(json.dumps(reached))\n"
    )
    reached = run(provider, program, preload=("asyncio", "decimal", "sqlite3"), limits=Limits(memory=64 << 20))
    assert 48 <= reached <= 64
    assert run(provider, program, preload=("decimal",), limits=Limits(memory=1 << 30)) == 400


def test_process_file_and_storage_limits(provider: LocalProvider) -> None:
    program = """
import json, os, time
def until(action, most):
    for number in range(most):
        try: action(number)
        except OSError as error: return [number, error.errno]
    return [most, 0]
def fork(number):
    if os.fork() == 0:
        time.sleep(5); os._exit(0)
block = b"x" * (1 << 20)
def fill(folder):
    out = open(folder + "/big", "wb", 0)
    return until(lambda number: out.write(block) < len(block) and (_ for _ in ()).throw(OSError(28, "")), 100)
def make(folder):
    return until(lambda number: open(f"{folder}/n{number}", "w").close(), 5000)
print(json.dumps([until(fork, 50), until(lambda number: os.dup(0), 500), os.closerange(3, 40),
                  fill("/tmp"), fill("/workspace/state"), fill("/dev/shm"), make("/tmp"), make("/dev/shm")]))
"""
    limits = Limits(pids=10, files=40, disk=8 << 20, inodes=200, file_size=64 << 20)
    forks, files, _, tmp, kept, shm, tmp_inodes, shm_inodes = run(provider, program, limits=limits)
    assert forks == [9, 11]
    assert files[0] < 40
    assert files[1] == 24
    assert [found[1] for found in (tmp, kept, shm)] == [28, 28, 28]
    assert all(7 <= found[0] <= 8 for found in (tmp, kept, shm))
    assert 100 < tmp_inodes[0] < 200
    assert 100 < shm_inodes[0] < 200


def test_cpu_time_is_the_samples_own(provider: LocalProvider) -> None:
    with opened(provider, spec({"main.py": "while True: pass"}, limits=Limits(cpu_ms=1000))) as sandbox:
        ended = sandbox.start(["python", "main.py"]).finish(WALL)
        assert (ended.code, ended.signal) == (None, signal.SIGXCPU)
        assert sandbox.usage().cpu_us >= 500_000  # the limit goes by clock ticks, the usage by exact times


def test_a_tree_over_its_memory_is_killed(provider: LocalProvider) -> None:
    program = """
import os, sys, time
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        held = bytearray(40 << 20)
        for at in range(0, len(held), 4096): held[at] = 1
        print("held", flush=True)
        time.sleep(float(sys.argv[2])); os._exit(0)
time.sleep(float(sys.argv[2]))
"""
    limits = Limits(tree_memory=192 << 20)
    with opened(provider, spec({"main.py": program}, limits=limits)) as sandbox:
        assert sandbox.start(["python", "main.py", "8", "30"]).finish(WALL).fault == "oom"
        ended = sandbox.start(["python", "main.py", "2", "0.3"]).finish(WALL)
        assert (ended.code, ended.fault, ended.stdout) == (0, None, b"held\nheld\n")


def test_pages_of_the_warm_process_do_not_count_in_every_child(provider: LocalProvider, packages: Path) -> None:
    (packages / "large.py").write_text("HELD = bytearray(64 << 20)\nHELD[::4096] = bytes([1]) * len(HELD[::4096])\n")
    program = """
import os, sys, time, large
for _ in range(6):
    if os.fork() == 0:
        if sys.argv[1] == "write":
            large.HELD[::4096] = bytes([2]) * len(large.HELD[::4096])
        time.sleep(0.5); os._exit(0)
for _ in range(6): os.wait()
print("ended")
"""
    fields = {"packages": str(packages), "limits": Limits(tree_memory=256 << 20)}
    with opened(provider, spec({"main.py": program}, preload=("large",), **fields)) as sandbox:
        assert sandbox.start(["python", "main.py", "read"]).finish(WALL).stdout == b"ended\n"
        assert sandbox.usage().peak_memory < 256 << 20
        assert sandbox.start(["python", "main.py", "write"]).finish(WALL).fault == "oom"


# --- kills and what is left


def test_kill_is_confirmed_and_state_survives(provider: LocalProvider) -> None:
    program = (
        "import os, sys, time\n"
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork(): os._exit(0)\n"
        "    while True:\n        open('/workspace/state/grow', 'a').write('x'); time.sleep(0.001)\n"
        "os.wait()\n"
        "for line in sys.stdin: open('/workspace/state/log', 'a').write(line); print('ok', flush=True)\n"
    )
    with opened(provider, spec({"main.py": program})) as sandbox:
        quiet = inside(sandbox)
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"one", WALL).line == b"ok"
        assert len(inside(sandbox)) == len(quiet) + 3  # init, program, daemon
        while "workspace/state/grow" not in {
            f"workspace/state/{path}" for path in sandbox.get("/workspace/state").entries
        }:
            time.sleep(0.01)
        assert sandbox.kill()
        assert inside(sandbox) == quiet
        first = sandbox.snapshot()
        time.sleep(0.05)
        assert sandbox.snapshot() == first
        assert "workspace/state/grow" in first.entries
        assert process.exchange(b"two", WALL).fault == "killed"
        again = sandbox.start(["python", "-c", "print(open('/workspace/state/log').read())"])
        assert again.finish(WALL).stdout == b"one\n\n"


def test_two_programs_of_a_sandbox_live_side_by_side(provider: LocalProvider) -> None:
    program = "import sys\nfor line in sys.stdin: print(line.strip(), flush=True)"
    with opened(provider, spec({"main.py": program})) as sandbox:
        first, second = sandbox.start(["python", "main.py"]), sandbox.start(["python", "main.py"])
        for number in range(3):
            assert first.exchange(b"a%d" % number, WALL).line == b"a%d" % number
            assert second.exchange(b"b%d" % number, WALL).line == b"b%d" % number
        assert first.finish(WALL).code == 0
        assert second.exchange(b"still", WALL).line == b"still"
        assert sandbox.kill()


def test_two_hundred_forks_leave_nothing(provider: LocalProvider) -> None:
    program = "import os, sys\nif os.fork() == 0: os.setsid(); os.execv('/bin/sleep', ['sleep', '60'])\nprint(1)"
    with opened(provider, spec({"main.py": program})) as sandbox:
        quiet = inside(sandbox)
        open_files = len(list(Path(f"/proc/{sandbox._runner.pid}/fd").iterdir()))
        for number in range(200):
            process = sandbox.start(["python", "main.py"])
            if number == 0:
                assert process.receive(WALL).line == b"1"
            if number % 10 == 0:
                assert sandbox.kill()
            else:
                assert process.finish(WALL).fault is None
        assert sandbox.kill()
        assert inside(sandbox) == quiet
        assert {state_of(pid) for pid in quiet} <= {"S", "R", "D"}
        assert len(list(Path(f"/proc/{sandbox._runner.pid}/fd").iterdir())) == open_files


def test_the_end_of_the_provider_ends_the_warm_process() -> None:
    provider = LocalProvider(rung="zygote", slots=1)
    with opened(provider, spec({"main.py": ""})) as sandbox:
        pids = [sandbox._runner.pid, *inside(sandbox)]
    assert all(Path(f"/proc/{pid}").exists() for pid in pids)
    provider.close()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


@pytest.mark.parametrize("victim", ["runner", "controller"])
def test_nothing_is_left_when_the_runner_or_the_controller_dies(victim: str, tmp_path: Path) -> None:
    script = tmp_path / "controller.py"
    script.write_text(
        "import json, time\n"
        "from proofyard.core import Image, MemoryBlobs, SandboxSpec\n"
        "from proofyard.sandbox import LocalProvider\n"
        "from proofyard.sandbox.runner.memory import descendants\n"
        "box = LocalProvider(rung='zygote').open(SandboxSpec(image=Image(preload=('json',))), MemoryBlobs())\n"
        "process = box.start(['python', '-c', 'import os, time; os.fork(); print(1, flush=True); time.sleep(60)'])\n"
        "assert process.receive(20000).line == b'1'\n"
        "print(json.dumps(descendants(box._runner.pid)), flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, start_new_session=True) as controller:
        assert controller.stdout
        pids = json.loads(controller.stdout.readline())
        assert (
            len(pids) >= 8
        )  # runner, outer bubblewrap and its init, three of the warm process, the sample's init, the sample
        assert all(alive(pid) for pid in pids)
        os.kill(pids[0] if victim == "runner" else controller.pid, signal.SIGKILL)
        deadline = time.monotonic() + 10
        while any(alive(pid) for pid in pids) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert [pid for pid in pids if alive(pid)] == []
        controller.kill()


# --- doubt


def test_a_preload_that_cannot_be_used_is_told(provider: LocalProvider, packages: Path) -> None:
    (packages / "threaded.py").write_text(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(99,), daemon=True).start()"
    )
    (packages / "quiet.py").write_text("VALUE = 5")
    for module, message in (("threaded", "started a thread"), ("absent_module", "No module named 'absent_module'")):
        with (
            pytest.raises(InfrastructureError) as caught,
            opened(provider, spec({"main.py": "print(1)"}, preload=(module,), packages=str(packages))) as sandbox,
        ):
            sandbox.start(["python", "main.py"]).finish(WALL)
        assert caught.value.failure.code == "sandbox_start"
        assert message in caught.value.failure.message
    program = "import quiet, json; print(json.dumps([quiet.VALUE, quiet.__file__]))"
    assert run(provider, program, preload=("quiet",), packages=str(packages)) == [5, "/opt/packages/quiet.py"]


def test_what_it_cannot_do_is_refused(provider: LocalProvider) -> None:
    with pytest.raises(InfrastructureError) as caught:
        provider.open(spec({"main.py": ""}, armed=True), BLOBS)
    assert caught.value.failure.code == "isolation_unavailable"


@pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="numpy is not installed")
def test_numpy_is_warm_seeded_afresh_and_single_threaded(provider: LocalProvider, packages: Path) -> None:
    found = importlib.util.find_spec("numpy")
    assert found and found.origin
    source = Path(found.origin).parents[1]
    for name in ("numpy", "numpy.libs"):
        shutil.copytree(source / name, packages / name)
    program = (
        "import sys\nwarm = 'numpy' in sys.modules\nimport json, os, numpy\n"
        "a = numpy.ones((300, 300)); (a @ a).sum()\n"
        "print(json.dumps([warm, numpy.random.rand(), len(os.listdir('/proc/self/task'))]))"
    )
    answers = [run(provider, program, preload=("numpy", "numpy.random"), packages=str(packages)) for _ in range(2)]
    assert [answer[0] for answer in answers] == [True, True]
    assert answers[0][1] != answers[1][1]
    assert [answer[2] for answer in answers] == [1, 1]
