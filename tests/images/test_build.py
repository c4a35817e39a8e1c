import json
import os
from pathlib import Path

import msgspec
import pytest

from proofyard.core import Image, InfrastructureError, MemoryBlobs, SandboxSpec, UsageError
from proofyard.images import Environment, build, installed
from proofyard.sandbox import LocalProvider

from .wheels import wheel


def test_packages_are_there_for_a_sandbox(offline: Path) -> None:
    environment = Environment(name="toy", python="3.11", lock=wheel(offline))
    told: list[str] = []
    old = os.umask(0o077)
    try:
        there = build(environment, told.append)
    finally:
        os.umask(old)
    assert told == ["installing 1 packages of toy", "compiling to bytecode"]
    assert there == installed(environment)
    packages = Path(there.packages)
    assert (packages.parent, there.fingerprint) == (environment.folder, environment.fingerprint)
    assert [path.name for path in (packages / "__pycache__").iterdir()] == ["toyed.cpython-311.pyc"]
    facts = json.loads((environment.folder / "environment.json").read_text())
    assert facts == {"name": "toy", "fingerprint": environment.fingerprint, "packages": {"toyed": "1.0"}}
    provider = LocalProvider(slots=1)
    try:
        for preload in ((), ("toyed",)):
            sandbox = provider.open(SandboxSpec(image=Image(packages=there.packages, preload=preload)), MemoryBlobs())
            ended = sandbox.start(["python", "-c", "import toyed; print(toyed.VALUE, toyed.__file__)"]).finish(60_000)
            sandbox.close()
            assert (ended.stdout, ended.code) == (b"7 /opt/packages/toyed.py\n", 0), ended
    finally:
        provider.close()


def test_it_is_built_once(offline: Path) -> None:
    environment = Environment(name="toy", python="3.11", lock=wheel(offline))
    build(environment)
    kept = environment.folder.stat().st_ino
    told: list[str] = []
    build(environment, told.append)
    assert (told, environment.folder.stat().st_ino) == ([], kept)
    assert sorted(path.name for path in environment.folder.parent.iterdir()) == sorted(
        [environment.folder.name, environment.folder.name + ".lock"]
    )


@pytest.mark.parametrize("pin", [f"toyed==1.0 --hash=sha256:{'0' * 64}\n", f"toyed==1.1 --hash=sha256:{'0' * 64}\n"])
def test_what_cannot_be_installed_leaves_nothing(offline: Path, pin: str) -> None:
    wheel(offline)
    environment = Environment(name="toy", python="3.11", lock=pin)
    with pytest.raises(InfrastructureError) as caught:
        build(environment)
    assert caught.value.failure.code == "image_build"
    assert "toyed" in caught.value.failure.message
    assert [path.name for path in environment.folder.parent.iterdir()] == [environment.folder.name + ".lock"]
    with pytest.raises(UsageError, match="environment toy is not built; run: proofyard env build toy"):
        installed(environment)


def test_a_half_built_folder_is_not_taken_for_one(offline: Path) -> None:
    environment = Environment(name="toy", python="3.11", lock=wheel(offline))
    (environment.folder / "site-packages").mkdir(parents=True)
    with pytest.raises(UsageError, match="is not built"):
        installed(environment)
    assert Path(build(environment).packages, "toyed.py").read_text() == "VALUE = 7\n"


def test_it_can_be_stopped(offline: Path) -> None:
    environment = Environment(name="toy", python="3.11", lock=wheel(offline))
    with pytest.raises(InfrastructureError, match="stopped"):
        build(environment, stop=lambda: True)


def test_the_gate_is_kept_by_fingerprint(offline: Path) -> None:
    environment = Environment(name="toy", python="3.11", lock=wheel(offline))
    there = build(environment)
    other = msgspec.structs.replace(there, fingerprint="0" * 64)
    assert there.gate("suite-1").name == f"suite-1-{there.fingerprint[:16]}.json"
    assert there.gate("suite-1").parent.name == "gates"
    assert other.gate("suite-1") != there.gate("suite-1")
