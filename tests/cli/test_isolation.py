"""`--isolation`: what is refused before anything is run, and an engine that does not answer."""

from pathlib import Path

import pytest

from tests.suites.harbor.folders import task

from .tool import verb

DOCKERFILE = {"environment/Dockerfile": "FROM debian:12\nWORKDIR /app\n"}


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(task(tmp_path / "one", files=DOCKERFILE))


def test_where_it_makes_no_sense(folder: str) -> None:
    verb("run", "scratch", "--agent", "nop", "--isolation", "docker").refused(
        2, "--isolation docker is for folders of tasks, not for the suite scratch"
    )
    verb("grade", folder, "--isolation", "podman", "--unsafe-no-sandbox").refused(
        2, "--unsafe-no-sandbox and --isolation podman exclude each other"
    )
    verb("grade", folder, "--suite-option", "system=taken").refused(2, "system=taken", "needs a container engine")
    assert verb("grade", folder, "--isolation", "lxc").code == 2


def test_an_engine_that_does_not_answer_is_one_line(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docker").write_text("#!/bin/sh\necho 'Is the daemon running?' >&2; exit 1\n")
    (tmp_path / "docker").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    said = "no container engine answers (docker: Is the daemon running?) [isolation_unavailable]"
    verb("grade", folder, "--isolation", "docker").refused(3, said)
    done = verb("run", folder, "--agent", "nop", "--isolation", "docker", "--output", str(tmp_path / "run"))
    assert (done.code, done.err.strip().splitlines()[-1]) == (3, f"proofyard: sandbox: {said}")
