"""Task folders in containers: the same verdicts as in this machine's own sandbox, limits, networks, users, what is taken."""

import os
from pathlib import Path

import pytest

from proofyard.core import InfrastructureError, Outcome, UsageError, Verdict
from proofyard.engine import Entrant, RunRequest, run
from proofyard.engine.authoring import Authored, attempt_one, grade_solution
from proofyard.engine.opening import open_ready, ready
from proofyard.formats.harbor import patched
from proofyard.sandbox import LocalProvider
from proofyard.store import read_run
from proofyard.suites.harbor import suite
from proofyard.testing import ModelServer
from tests.agents.installed.programs import PROGRAMS, commands, only
from tests.skeleton.service import service
from tests.suites.harbor.folders import TEST, task
from tests.suites.harbor.test_running import FORGERIES, SEPARATE, several

pytestmark = pytest.mark.usefixtures("nothing_left")
DOCKERFILE = "FROM debian:12\nWORKDIR /app\nCOPY . .\n"
FILES = {"environment/Dockerfile": DOCKERFILE}


def graded(
    provider: LocalProvider, engine: str, folder: Path, script: str | None, **options: str
) -> tuple[Authored, Verdict]:
    """A script's work on a task, graded; None is the reference."""
    more = {} if engine == "local" else {"isolation": engine}
    found = suite(options={"path": str(folder), **more, **options})
    loaded = found.load(found.ids()[0])
    reference = loaded.solution("reference")
    chosen = reference if script is None else patched(f"#!/bin/bash\n{script}\n".encode(), reference, found.blobs())
    made, _, verdict = grade_solution(loaded, chosen, found.blobs(), provider)
    return made, verdict


def worked(provider: LocalProvider, engine: str, folder: Path, script: str, **options: str) -> Authored:
    """A script's work on a task, not graded."""
    found = suite(options={"path": str(folder), "isolation": engine, **options})
    loaded = found.load(found.ids()[0])
    chosen = patched(f"#!/bin/bash\n{script}\n".encode(), loaded.solution("reference"), found.blobs())
    return attempt_one(loaded, chosen, found.blobs(), provider)


def verdicts(folder: Path, output: Path, engine: str, attempts: int = 1) -> dict[str, list[tuple[str, float | None]]]:
    options = {} if engine == "local" else {"isolation": engine}
    request = RunRequest(
        suite=str(folder),
        output=str(output),
        agents=("oracle", "nop", "given:forger"),
        suite_options=options,
        attempts=attempts,
    )
    run(request, lambda counts: None)
    data = read_run(output)
    found: dict[str, list[tuple[str, float | None]]] = {}
    for verdict in data.verdicts.values():
        found.setdefault(data.trials[verdict.trial].subject_name, []).append((verdict.outcome.value, verdict.score))
    return found


def test_the_same_verdicts_as_in_our_own_sandbox(engine: str, tmp_path: Path) -> None:
    files = {**FILES, "tests/shortcuts/forger.sh": f"#!/bin/bash\n{FORGERIES['a daemon']}\n"}
    folder = task(tmp_path / "one", files=files)
    both = [verdicts(folder, tmp_path / where, where) for where in ("local", engine)]
    assert both[0] == both[1] == {
        "oracle": [("passed", 1.0)], "nop": [("failed", 0.0)], "given:forger": [("failed", 0.0)],
    }  # fmt: skip
    (rung, provenance) = next(
        (v.provenance["rung"], v.provenance) for v in read_run(tmp_path / engine).verdicts.values()
    )
    assert (rung, provenance["network"], provenance["kill_confirmed"]) == ("container", "none", "yes")
    assert provenance["image"].startswith(f"FROM debian:12: built by {engine} ")


ANSWERS = {"a FIFO", "a file it is not", "the answer's reader"}
SCRIPTS = {
    # None of them is in another's way: if one worked, all of them together would.
    "all": "\n".join(f"({script})" for name, script in FORGERIES.items() if name not in ANSWERS),
    "logs that lead elsewhere": "rm -rf /logs; mkdir -p /app/logs/verifier; echo 1 > /app/logs/verifier/reward.txt; "
    "ln -s /app/logs /logs; rm -rf /etc; mkdir /etc",
    "the answer's reader": FORGERIES["the answer's reader"],
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_forged_reward_scores_0(provider: LocalProvider, engine: str, tmp_path: Path, name: str) -> None:
    _, found = graded(provider, engine, task(tmp_path / "one", files=FILES), SCRIPTS[name])
    assert (found.outcome, found.score) == (Outcome.FAILED, 0.0)


def test_what_is_taken_is_what_differs(provider: LocalProvider, engine: str, tmp_path: Path) -> None:
    files = {
        **FILES,
        "environment/a/b": "x", "environment/a/c": "x", "environment/full/x": "1", "environment/keep": "k",
        "environment/over/x": "1", "environment/replaced/x": "1",
        "tests/test.sh": "#!/bin/bash\ncd /app; find . | sort | tr '\\n' ' '; readlink link; cat over/y 'a b'\"'\" big | "
        "sort | uniq -c; [ -x keep ] && echo x; ls /tmp /data; cat /usr/made 2>/dev/null; echo 1 > /logs/verifier/reward.txt",
    }  # fmt: skip
    folder = task(tmp_path / "one", files=files)
    script = (
        "rm a/b; rm -r full; ln -s a link; chmod +x keep; rm -r over; mkdir over; echo new > over/y; mkfifo pipe; "
        'rm -r replaced; echo f > replaced; echo q > "a b\'"; for n in $(seq 2000); do echo line; done > big; '
        "mkdir -p /data/deep; echo d > /data/deep/d; echo t > /tmp/t; echo made > /usr/made; mkdir empty"
    )
    made, found = graded(provider, engine, folder, script)
    assert made.submission is not None
    kinds = {path: entry.kind for path, entry in made.submission.entries.items()}
    over = {"app/over", "app/over/x"} & kinds.keys()  # engines see a folder that was made anew as one or the other
    assert {path: kind for path, kind in kinds.items() if kind != "file"} == {
        "app/a/b": "whiteout", "app/full": "whiteout", "app/link": "symlink", **dict.fromkeys(over, "whiteout"),
    }  # fmt: skip
    assert len(over) == 1
    assert sorted(path for path, kind in kinds.items() if kind == "file") == [
        "app/a b'", "app/big", "app/keep", "app/over/y", "app/replaced", "data/deep/d",
    ]  # fmt: skip
    assert found.evidence.got.splitlines() == [
        ". ./Dockerfile ./a ./a b' ./a/c ./big ./keep ./link ./over ./over/y ./readme.txt ./replaced a",
        "   2000 line", "      1 new", "      1 q", "x", "/data:", "deep", "", "/tmp:",
    ]  # fmt: skip
    assert found.provenance.get("left_out") is None
    made = worked(provider, engine, folder, "echo made > /usr/made", system="taken")
    assert made.submission is not None
    assert "usr/made" in made.submission.entries


def test_many_changed_files(provider: LocalProvider, engine: str, tmp_path: Path) -> None:
    files = {**FILES, **{f"environment/d{n}/f": "x" for n in range(60)}}
    files["tests/test.sh"] = "#!/bin/bash\ncat /app/d*/f | sort | uniq -c; echo 1 > /logs/verifier/reward.txt"
    made, found = graded(
        provider, engine, task(tmp_path / "one", files=files), "for f in d*/f; do echo y > $f; done; rm d7/f"
    )
    assert made.submission is not None
    assert len(made.submission.entries) == 60
    assert found.evidence.got == "     59 y"


def test_memory_and_time(provider: LocalProvider, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    folder = task(tmp_path / "one", more="memory_mb = 64\ncpus = 0.5\n", files=FILES)
    made = worked(provider, engine, folder, "x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}")
    assert made.failure is not None
    assert made.failure.message == "the sandbox ended patch: oom"
    assert list(Path.cwd().iterdir()) == []
    text = (folder / "task.toml").read_text().replace("[agent]\ntimeout_sec = 20", "[agent]\ntimeout_sec = 1.5")
    (folder / "task.toml").write_text(text)
    made, found = graded(provider, engine, folder, "echo 42 > answer.txt; sleep 60")
    assert (made.failure.code if made.failure else "", found.score) == ("agent_timeout", 1.0)


def test_networks(provider: LocalProvider, engine: str, tmp_path: Path) -> None:
    look = "grep -c eth /proc/net/dev; (echo > /dev/tcp/1.1.1.1/53) 2>&1 | grep -o unreachable | sort -u"
    test = f"#!/bin/bash\n{look}\necho 1 > /logs/verifier/reward.txt\n"
    made, found = graded(provider, engine, task(tmp_path / "one", files={**FILES, "tests/test.sh": test}), look)
    assert (made.stdout, found.evidence.got) == ("0\nunreachable\n", "0\nunreachable")


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_the_hosts_that_an_agent_may_reach(provider: LocalProvider, engine: str, tmp_path: Path) -> None:
    text = (task(tmp_path / "one", files=FILES) / "task.toml").read_text()
    toml = text.replace("[agent]\n", '[agent]\nnetwork_mode = "allowlist"\nallowed_hosts = ["model.example"]\n')
    (tmp_path / "one/task.toml").write_text(toml)
    with service(b"42") as one, service(b"43") as other:
        script = (
            (
                "echo $http_proxy; for host in $HOSTS; do exec 3<>/dev/tcp/127.0.0.1/3128; "
                "printf 'GET http://%s/ HTTP/1.1\\r\\n\\r\\n' $host >&3; head -n 1 <&3; done; (: > /dev/tcp/$HOST) 2>&1 | wc -l"
            )
            .replace("$HOSTS", f"{one.host} {other.host}")
            .replace("$HOST", one.host.replace(":", "/"))
        )
        made, _ = graded(provider, engine, tmp_path / "one", script, hosts=one.host)
        assert [line.split(" ", 1)[-1].strip() for line in made.stdout.splitlines()] == [
            "http://127.0.0.1:3128", "200 OK", "403 Forbidden", "2",
        ]  # fmt: skip
        assert (one.visits, other.visits) == (1, 0)


def test_users_variables_and_health(provider: LocalProvider, engine: str, tmp_path: Path) -> None:
    more = '[environment.env]\nCOLOUR = "dark blue"\n[environment.healthcheck]\ninterval_sec = 0.01\n'
    more += 'command = "echo x >> /tmp/tries; test $(wc -l < /tmp/tries) = 2"\n'
    files = {
        "environment/Dockerfile": "FROM debian:12\nENV SHAPE=round\nWORKDIR /app\nCOPY --chown=1000 . .\n",
        "tests/test.sh": "#!/bin/bash\nid -u; ls -n /app/mine /app/new/deep | grep -o '1000 1000'; cat /app/mine\n"
        "echo 1 > /logs/verifier/reward.txt",
    }
    folder = task(tmp_path / "one", more=more, files=files)
    (folder / "task.toml").write_text(
        (folder / "task.toml").read_text().replace("[agent]\n", '[agent]\nuser = "app"\n')
    )
    script = (
        'id -u; echo "$COLOUR $SHAPE $PWD"; echo 42 > /usr/new 2>/dev/null || echo no; : > /logs/agent/x && echo logs'
    )
    made = worked(provider, engine, folder, script)
    assert made.stdout == "1000\ndark blue round /app\nno\nlogs\n"
    toml = (folder / "task.toml").read_text().replace("[verifier]\n", "[verifier]\nuser = 1000\n")
    (folder / "task.toml").write_text(toml)
    dockerfile = files["environment/Dockerfile"].replace("WORKDIR", "RUN mkdir /app && chown 1000:1000 /app\nWORKDIR")
    (folder / "environment/Dockerfile").write_text(dockerfile)
    made, found = graded(provider, engine, folder, "mkdir new; echo 1 > new/deep; echo 42 > mine")
    assert found.evidence.got.splitlines() == ["1000", "1000 1000", "1000 1000", "42"]


def test_a_separate_verifier_sees_artifacts_only(provider: LocalProvider, engine: str, tmp_path: Path) -> None:
    files = {
        **FILES,
        "tests/Dockerfile": "FROM debian:12\nCOPY test.sh /tests/test.sh\nCOPY marker /verifier/\n",
        "tests/marker": "m",
        "tests/test.sh": "#!/bin/bash\nfind /app /verifier /logs/artifacts -type f | sort; echo 1 > /logs/verifier/reward.txt",
        "environment/out/seeded": "x",
    }
    folder = task(tmp_path / "one", files=files)
    text = (folder / "task.toml").read_text()
    head = 'artifacts = [{source = "/app/out", exclude = ["*.log"]}, "one.txt"]\n'
    (folder / "task.toml").write_text(head + text + SEPARATE.partition("[[art")[0])
    script = "mkdir /app/out/in; echo 42 | tee answer.txt out/a out/b.log out/in/c one.txt"
    _, found = graded(provider, engine, folder, script)
    assert found.evidence.got.split() == [
        "/app/one.txt", "/app/out/a", "/app/out/in/c", "/app/out/seeded", "/logs/artifacts/copy", "/verifier/marker",
    ]  # fmt: skip


def test_several_steps(provider: LocalProvider, engine: str, tmp_path: Path) -> None:
    folder = several(tmp_path / "one")
    (folder / "environment/Dockerfile").write_text(DOCKERFILE)
    made, found = graded(provider, engine, folder, None)
    assert (found.outcome, found.score, found.metrics) == (Outcome.PASSED, 1.0, {"reward": 1.0})
    assert " ".join(made.stdout.split()) == (
        "/app: Dockerfile log.txt one one.in readme.txt setup.sh /solution: solve.sh one "
        "/app: Dockerfile log.txt one one.in readme.txt setup.sh two two.in /solution: solve.sh one two"
    )


def test_an_image_that_cannot_be_built(provider: LocalProvider, engine: str, tmp_path: Path) -> None:
    files = {"environment/Dockerfile": "FROM debian:12\nCOPY nowhere /app/\n"}
    with pytest.raises(InfrastructureError, match=rf"{engine} build: .*nowhere.* \[image_build\]"):
        graded(provider, engine, task(tmp_path / "one", files=files), None)


def test_files_of_any_size_and_a_docker_image(provider: LocalProvider, engine: str, tmp_path: Path) -> None:
    big = "x" * 10_000 + "\n"
    files = {
        "environment/big": big, "tests/big": big, "solution/big": big,
        "solution/solve.sh": "cat big /solution/big > /app/out",
        "tests/test.sh": f"{TEST}cat /tests/big /tests/big | cmp - /app/out && echo 1 > /logs/verifier/reward.txt",
    }  # fmt: skip
    folder = task(tmp_path / "one", files=files, more='docker_image = "debian:12"\nworkdir = "/app"\n')
    made, found = graded(provider, engine, folder, None)
    assert found.score == 1.0
    assert sorted(made.submission.entries if made.submission else ()) == ["app/out"]


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_an_agent_program_at_work(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its model is reached from a container without a network."""
    driven = next(one for one in PROGRAMS if one.name == "codex")
    try:
        driven.plugin.there()
    except UsageError as error:
        pytest.skip(f"{error} (scripts/ci-agents does)")
    monkeypatch.setenv("MY_KEY", "sk-canary")
    folder = task(tmp_path / "one", files=FILES)
    (folder / "task.toml").write_text(
        (folder / "task.toml").read_text().replace("timeout_sec = 20", "timeout_sec = 90")
    )
    with ModelServer(commands(driven, ["id -u; echo 42 > /app/answer.txt"])) as server:
        who = Entrant(agent="codex", model=f"{driven.provider}/m", base_url=server.url(driven.wire), key_env="MY_KEY")
        request = RunRequest(
            suite=str(folder), output=str(tmp_path / "run"), entrants=(who,), suite_options={"isolation": engine}
        )
        run(request, lambda counts: None)
    trial, verdict = only(tmp_path / "run")
    assert (trial.failure, verdict.score) == (None, 1.0)
    assert trial.provenance["usage_reported"] == "input=200 output=40"


def test_an_agent_that_needs_a_python_which_the_image_has_not(
    provider: LocalProvider, engine: str, tmp_path: Path
) -> None:
    found = suite(options={"path": str(task(tmp_path / "one", files=FILES)), "isolation": engine})
    there = ready(found.load("toy/answer").steps[0].brief.work, provider, found.blobs())
    sandbox = open_ready(there, provider, found.blobs()).sandbox
    try:
        with pytest.raises(UsageError, match="the task's image has no python3, which is needed to work in it"):
            sandbox.start(["python", "-c", "pass"])
        ended = sandbox.start(["no-such-program"]).finish(20_000)
        assert ended.code in {126, 127}
        assert sandbox.kill()
        assert sandbox.snapshot().entries == {}
    finally:
        sandbox.close()
