"""Agent programs in the cache, installed by a stand-in for npm that notes how it was called."""

import json
import os
import platform
from pathlib import Path

import msgspec
import pytest

from proofyard.core import InfrastructureError, UnknownNameError, UsageError, sha256
from proofyard.images import PROGRAMS, Program, build_program, find_program, installed_program
from proofyard.images.agents import Helper
from tests.cli.tool import verb

CONTENT = "#!/bin/sh\necho 1.0\n"
NPM = """#!/bin/sh
echo "$@" >> {log}
mkdir -p "$3/node_modules/thing/bin"
cat > "$3/node_modules/thing/bin/thing" <<'END'
{content}END
"""

pytestmark = pytest.mark.skipif(platform.machine() not in {"x86_64", "aarch64"}, reason="no agent programs for it")


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    log = tmp_path / "calls"
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(NPM.format(log=log, content=CONTENT))
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{npm.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return log


def _program(digest: str) -> Program:
    return msgspec.structs.replace(
        PROGRAMS["codex"],
        npm="thing-{cpu}@1.0",
        executable="node_modules/thing/bin/thing",
        digests={"x64": digest, "arm64": digest},
    )


def test_it_is_installed_once_without_scripts_and_found(log: Path) -> None:
    program = _program(sha256(CONTENT.encode()))
    there = build_program(program)
    assert build_program(program) == there == installed_program("codex")
    executable = Path(there.folder, there.executable)
    assert (executable.read_text(), os.access(executable, os.X_OK)) == (CONTENT, True)
    (call,) = log.read_text().splitlines()
    assert "--ignore-scripts" in call
    assert call.endswith(("thing-x64@1.0", "thing-arm64@1.0"))


def test_what_it_needs_besides_is_in_its_folder_and_found_on_its_path(log: Path) -> None:
    digest = sha256(CONTENT.encode())
    helper = Helper(npm="thing-{cpu}@1.0", executable="node_modules/thing/bin/thing", digests={"x64": digest})
    bare = build_program(_program(digest))
    assert bare.path == ()
    program = msgspec.structs.replace(_program(digest), helpers=(helper,), executable="node_modules/thing/bin/thing")
    there = build_program(program)
    assert there.path == ("node_modules/thing/bin",)
    assert Path(there.folder, there.path[0], "thing").is_file()
    (Path(there.folder) / helper.executable).unlink()
    assert build_program(program) == there
    assert (
        log.read_text().splitlines()[-1].endswith((" thing-x64@1.0 thing-x64@1.0", " thing-arm64@1.0 thing-arm64@1.0"))
    )


def test_one_that_was_installed_without_its_helpers_is_not_there(log: Path) -> None:
    program = msgspec.structs.replace(_program(sha256(CONTENT.encode())), name="opencode", version="1.18.33")
    build_program(program)
    with pytest.raises(UsageError, match=r"opencode [\d.]+ is not installed"):
        installed_program("opencode")


def test_another_content_than_the_pinned_one_is_refused_and_not_kept(log: Path) -> None:
    with pytest.raises(InfrastructureError, match="the executable is not the pinned one"):
        build_program(_program("0" * 64))
    with pytest.raises(UsageError, match=r"codex [\d.]+ is not installed; run: proofyard env build codex"):
        installed_program("codex")
    assert [path.suffix for path in (log.parent / "cache" / "proofyard" / "agents").iterdir()] == [".lock"]


def test_an_unknown_name_is_told_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean claude-code"):
        find_program("claude")


def test_the_programs_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    listed = verb("env", "agents", "--json")
    assert [(row["name"], row["path"]) for row in json.loads(listed.out)] == [(name, None) for name in PROGRAMS]
    verb("env", "path", "codex").refused(2, "codex", "is not installed", "proofyard env build codex")
