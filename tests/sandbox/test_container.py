"""Containers, against a stand-in for the engine: what it is asked, what comes of the programs, what stays. No docker is run."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proofyard.core import (
    Image,
    InfrastructureError,
    Limits,
    MemoryBlobs,
    Mount,
    Network,
    SandboxSpec,
    UsageError,
    tree_of,
)
from proofyard.sandbox import LocalProvider
from proofyard.sandbox.container.engine import find_engine
from tests.sandbox import stand_in

BLOBS = MemoryBlobs()
pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="the stand-in needs bubblewrap")


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return stand_in.install(tmp_path, monkeypatch)


@pytest.fixture
def provider(state: Path) -> Iterator[LocalProvider]:
    made = LocalProvider(slots=1)
    yield made
    made.close()


def spec(code: str, image: str = "here:1", packages: str = "", **limits: int) -> SandboxSpec:
    return SandboxSpec(
        image=Image(container=image, packages=packages, environment={"COLOUR": "blue"}),
        mounts=(
            Mount(path="/workspace/project", tree=tree_of({"main.py": code}, BLOBS)),
            Mount(path="/etc", tree=tree_of({"hosts": "left to the image"}, BLOBS)),
        ),
        limits=Limits(**{"cpu_ms": 3000, **limits}),
        lowest="container",
    )


def ran(provider: LocalProvider, code: str, data: bytes = b"", wall_ms: int = 20_000, **limits: int) -> Any:
    sandbox = provider.open(spec(code, **limits), BLOBS)
    try:
        process = sandbox.start(["python", "main.py"], env={"SHAPE": "round"})
        process.send(data)
        return process.finish(wall_ms)
    finally:
        sandbox.close()


def test_what_the_engine_is_asked(provider: LocalProvider, state: Path, tmp_path: Path) -> None:
    (tmp_path / "packages").mkdir()
    (tmp_path / "packages" / "extra.py").write_text("WORD = 'from outside'")
    code = "import os, sys, extra\nprint(extra.WORD, os.environ['COLOUR'], os.environ['SHAPE'], sys.flags.no_site)"
    sandbox = provider.open(spec(code, packages=str(tmp_path / "packages")), BLOBS)
    ended = sandbox.start(["python", "main.py"], env={"SHAPE": "round"}).finish(20_000)
    assert (ended.code, ended.stdout, ended.stderr) == (0, b"from outside blue round 1\n", b"")
    assert sandbox.provenance["image_id"] == "sha256:5e1f"
    assert (sandbox.rung, sandbox.provenance["engine"]) == ("container", "docker 99.1")
    sandbox.kill()
    assert sandbox.usage().cpu_us > 1000
    assert sandbox.usage().peak_memory > 1 << 20
    version, image, run, rm, ps = stand_in.calls(state)
    assert (version[0], image[:2], rm[0], ps[0]) == ("version", ["image", "inspect"], "rm", "ps")
    told = {name: run[at + 1] for at, name in enumerate(run) if name.startswith("--")}
    assert told["--network"] == "none"
    assert (told["--cap-drop"], told["--security-opt"], told["--user"]) == ("ALL", "no-new-privileges", "65534:65534")
    assert (told["--memory"], told["--memory-swap"], told["--pids-limit"]) == (str(1 << 30), str(1 << 30), "33")
    assert told["--volume"] == f"{tmp_path}/packages:/opt/packages:ro"
    assert "--read-only" in run
    assert [word for word in run if word.startswith(("/tmp:", "/workspace:"))] == [
        f"{top}:rw,exec,nosuid,nodev,mode=1777,size={64 << 20}" for top in ("/tmp", "/workspace")
    ]
    name = told["--name"]
    assert rm == ["rm", "--force", "--volumes", name]


def test_lines_and_standard_input(provider: LocalProvider) -> None:
    sandbox = provider.open(spec("for line in iter(input, ''): print(line[::-1], flush=True)"), BLOBS)
    process = sandbox.start(["python", "main.py"])
    assert [process.exchange(word, 20_000).line for word in (b"abc", b"\xc3\xa9.")] == [b"cba", b".\xc3\xa9"]
    ended = process.exchange(b"", 20_000)
    assert (ended.line, ended.fault) == (None, "eof")
    assert process.finish(1000).code == 0
    assert sandbox.kill()
    sandbox.close()
    assert ran(provider, "import sys; print(len(sys.stdin.read()))", b"x" * 300_000).stdout == b"300000\n"


def test_each_start_is_fresh(provider: LocalProvider) -> None:
    code = "import os; print(os.path.exists('/tmp/mark'), os.getpid()); open('/tmp/mark', 'w'); os.remove('main.py')"
    sandbox = provider.open(spec(code), BLOBS)
    found = [sandbox.start(["python", "main.py"]).finish(20_000).stdout for _ in range(2)]
    assert found == [b"False 2\n", b"False 2\n"]
    sandbox.close()


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("raise SystemExit(7)", (7, None, None)),
        ("import os; os.abort()", (None, 6, None)),
        ("import os; os.kill(os.getpid(), 9)", (None, 9, None)),
        ("while True: pass", (None, 24, None)),
        ("import os\nif os.fork(): os._exit(3)\nwhile True: pass", (3, None, None)),
        ("import os\nos.kill(1, 9)\nos._exit(5)", (5, None, None)),
        ("import time; time.sleep(60)", (None, None, "timeout")),
        ("while True: print('x' * 1000)", (None, 9, "output_limit")),
        ("import os; open('/usr/x', 'w')", (1, None, None)),
        ("import socket; socket.create_connection(('127.0.0.1', 1))", (1, None, None)),
    ],
)
def test_ends(
    provider: LocalProvider, state: Path, code: str, wanted: tuple[int | None, int | None, str | None]
) -> None:
    process_limits = {"cpu_ms": 1000, "wall_ms": 2000}
    sandbox = provider.open(spec(code, **process_limits), BLOBS)
    process = sandbox.start(["python", "main.py"])
    if wanted[2] == "timeout":
        process._wall -= 58
    ended = process.finish(2000)
    assert (ended.code, ended.signal, ended.fault) == wanted, ended
    sandbox.close()
    assert [item.name for item in state.iterdir()] == ["calls.jsonl"]


def test_a_report_is_not_forged(provider: LocalProvider) -> None:
    """The word that begins the report is in no argument, variable or file that the program can read."""
    code = (
        "import os, re\n"
        "for name in ('environ', 'mem', 'maps'):\n"
        "    try: open(f'/proc/1/{name}', 'rb')\n"
        "    except PermissionError: print('refused', flush=True)\n"
        "print(re.findall(rb'[0-9a-f]{32}', open('/proc/1/cmdline', 'rb').read()), flush=True)\n"
        'os.write(2, b\'\\n\' + b\'0\' * 32 + b\' {"code": 0, "signal": null, "cpu_us": 1, "peak": 1}\\n\')\n'
        "os._exit(4)\n"
    )
    ended = ran(provider, code)
    assert (ended.code, ended.stdout.split()) == (4, [b"refused", b"refused", b"refused", b"[]"])


def test_memory_is_told_by_the_engine(provider: LocalProvider, state: Path) -> None:
    (state / "hungry").touch()
    ended = ran(provider, "import os; os.kill(os.getpid(), 9)")
    assert ended.fault == "oom"
    assert ran(provider, "print(1)").fault is None


def test_images(provider: LocalProvider, state: Path) -> None:
    provider.open(spec("", image="gone:1"), BLOBS).close()
    assert [call[0] for call in stand_in.calls(state)] == ["version", "image", "pull", "image"]
    with pytest.raises(InfrastructureError, match="absent:1 is neither here nor to be had: no such image"):
        provider.open(spec("", image="absent:1"), BLOBS)


def test_what_breaks_is_infrastructure(provider: LocalProvider, state: Path) -> None:
    (state / "broken").touch()
    with pytest.raises(InfrastructureError, match="the daemon is out of order"):
        ran(provider, "print(1)")
    (state / "broken").unlink()
    (state / "undying").touch()
    with pytest.raises(InfrastructureError, match="kill_unconfirmed"):
        ran(provider, "print(1)")
    (state / "undying").unlink()


def test_what_a_container_does_not_give(provider: LocalProvider) -> None:
    for options in ({"armed": True}, {"kept": ("/workspace/state",)}, {"network": Network(mode="public")}):
        with pytest.raises(InfrastructureError, match="isolation_unavailable"):
            provider.open(SandboxSpec(lowest="container", image=Image(container="here:1"), **options), BLOBS)
    with pytest.raises(InfrastructureError, match="no image is named"):
        provider.open(SandboxSpec(lowest="container"), BLOBS)
    sandbox = provider.open(spec(""), BLOBS)
    with pytest.raises(UsageError, match="nothing outlives"):
        sandbox.get("/tmp")
    with pytest.raises(UsageError, match="no kill points"):
        sandbox.start(["python", "main.py"]).exchange(b"x", 1000, kill_at=1)
    assert sandbox.snapshot().entries == {}
    sandbox.close()


def test_a_container_that_comes_up_after_it_was_to_be_removed_is_removed(provider: LocalProvider, state: Path) -> None:
    (state / "slow").touch()
    sandbox = provider.open(spec("import time; time.sleep(60)"), BLOBS)
    sandbox.start(["python", "main.py"])
    assert sandbox.snapshot().entries == {}
    sandbox.close()
    name = next(call[call.index("--name") + 1] for call in stand_in.calls(state) if call[0] == "run")
    assert not (state / name).exists()


def test_closing_the_provider_ends_what_runs(provider: LocalProvider, state: Path) -> None:
    sandbox = provider.open(spec("import time; print('up', flush=True); time.sleep(60)"), BLOBS)
    process = sandbox.start(["python", "main.py"])
    assert process.receive(20_000).line == b"up"
    provider.close()
    assert process.receive(20_000).line is None
    with pytest.raises(InfrastructureError, match="closed"):
        provider.open(spec(""), BLOBS)


def test_an_engine_that_is_not_there() -> None:
    with pytest.raises(InfrastructureError, match="no-such-engine is not there"):
        find_engine({"PROOFYARD_CONTAINER_ENGINE": "no-such-engine"})
    with pytest.raises(InfrastructureError, match=r"false: no answer"):
        find_engine({"PROOFYARD_CONTAINER_ENGINE": "false"})
