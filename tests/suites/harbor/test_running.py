"""Task folders run by the engine: references, nothing, steps, verifiers of their own, limits, and rewards that are forged."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from proofyard.core import InfrastructureError, Outcome, Reason, Rung, Task, UsageError, Verdict, tree_of
from proofyard.engine import RunRequest, evaluate_one, run
from proofyard.engine.authoring import Authored, grade_solution
from proofyard.formats.harbor import patched
from proofyard.sandbox import LocalProvider
from proofyard.store import RunData, read_run
from proofyard.suites.harbor import suite
from tests.skeleton.service import service

from .folders import TEST, task


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider(slots=1)
    yield local
    local.close()


def done(folder: Path, output: Path, *agents: str, attempts: int = 1, **options: str) -> RunData:
    request = RunRequest(
        suite=str(folder), output=str(output), agents=agents, attempts=attempts, suite_options=options, concurrency=1
    )
    run(request, lambda counts: None)
    return read_run(output)


def graded(provider: LocalProvider, folder: Path, script: str | None, **options: str) -> tuple[Authored, Verdict]:
    """A script's work on a task, graded; None is the reference."""
    found = suite(options={"path": str(folder), **options})
    loaded: Task = found.load(found.ids()[0])
    reference = loaded.solution("reference")
    chosen = reference if script is None else patched(f"#!/bin/bash\n{script}\n".encode(), reference, found.blobs())
    made, _, verdict = grade_solution(loaded, chosen, found.blobs(), provider)
    return made, verdict


def verdicts(data: RunData, agent: str) -> list[tuple[Outcome, float | None]]:
    subjects = {trial.id: trial.subject_name for trial in data.trials.values()}
    found = [verdict for verdict in data.verdicts.values() if subjects[verdict.trial] == agent]
    return [(verdict.outcome, verdict.score) for verdict in found]


def test_a_folder_is_a_suite(tmp_path: Path) -> None:
    task(tmp_path / "tasks/one", "toy/one")
    task(tmp_path / "tasks/deep/two", "toy/two")
    data = done(tmp_path / "tasks", tmp_path / "run", "oracle", "nop", attempts=2)
    assert (data.plan.suite, data.plan.tasks) == ("harbor", ("toy/two", "toy/one"))
    assert verdicts(data, "oracle") == [(Outcome.PASSED, 1.0)] * 4
    assert verdicts(data, "nop") == [(Outcome.FAILED, 0.0)] * 4
    assert data.header.suite_options == {"path": str(tmp_path / "tasks")}


def test_a_changed_task_is_another_dataset(tmp_path: Path) -> None:
    done(task(tmp_path / "one"), tmp_path / "run", "oracle")
    (tmp_path / "one/instruction.md").write_text("Another.\n")
    with pytest.raises(UsageError, match="was started with dataset version"):
        done(tmp_path / "one", tmp_path / "run", "oracle")


def test_nothing_is_the_untouched_image(tmp_path: Path) -> None:
    files = {
        "environment/Dockerfile": "FROM debian:12\nWORKDIR /srv/work\nCOPY . .\nRUN mkdir -p /data/empty && seq 3 > made\n",
        "tests/test.sh": "#!/bin/bash\ncd /srv/work; ls -d /data/empty && cat readme.txt made && "
        "echo 1 > /logs/verifier/reward.txt",
    }
    data = done(task(tmp_path / "one", files=files), tmp_path / "run", "nop")
    assert verdicts(data, "nop") == [(Outcome.PASSED, 1.0)]


def test_what_is_removed_stays_removed(provider: LocalProvider, tmp_path: Path) -> None:
    files = {
        "environment/Dockerfile": "FROM debian:12\nWORKDIR /app\nCOPY . .\n",
        "environment/a/b": "x", "environment/link": "x",
        "tests/test.sh": "#!/bin/bash\ncd /app; find . | sort | tr '\\n' ' '; readlink link; [ -x readme.txt ] && echo x\n"
        "echo 1 > /logs/verifier/reward.txt",
    }  # fmt: skip
    folder = task(tmp_path / "one", files=files)
    _, found = graded(
        provider, folder, "rm -r a link; echo y > a; ln -s a link; chmod +x readme.txt; mkfifo pipe; rm Dockerfile"
    )
    assert found.evidence.got == "./ ./a ./link ./readme.txt a\nx".replace("./ ", ". ")


@pytest.mark.parametrize(
    "script", ["sleep 60", "echo 42 > /app/answer.txt; sleep 60", "echo 42 > /app/answer.txt; exit 9"]
)
def test_a_time_out_and_a_bad_exit_are_graded(tmp_path: Path, script: str) -> None:
    folder = task(tmp_path / "one", files={"solution/solve.sh": f"{script}\n"})
    text = (folder / "task.toml").read_text().replace("[agent]\ntimeout_sec = 20", "[agent]\ntimeout_sec = 1.5")
    (folder / "task.toml").write_text(text)
    data = done(folder, tmp_path / "run", "oracle")
    (trial,) = data.trials.values()
    assert trial.failure is not None
    assert trial.failure.code == ("agent_exit" if "exit" in script else "agent_timeout")
    wrote = "answer" in script
    assert verdicts(data, "oracle") == [(Outcome.PASSED, 1.0) if wrote else (Outcome.FAILED, 0.0)]


@pytest.mark.parametrize(
    ("script", "score", "note"),
    [
        ("cd /; rm -rf /srv/work/* /data/empty", 0.0, "the tests gave 0, 1 is needed"),
        (
            "cd /; rm -r /srv/work/deep /data/empty; touch /data/empty; echo 42 > /srv/work/deep",
            0.0,
            "the working folder /srv",
        ),
        (
            "cd /; rm -r /srv/work/deep; ln -s /tests /srv/work/deep",
            0.0,
            "the working folder /srv/work/deep is no folder any",
        ),
        ("rm -r /data/empty; ln -s /tests /data/empty; echo 42 > answer.txt", 1.0, ""),
    ],
)
def test_what_is_in_the_way_is_no_error(
    provider: LocalProvider, tmp_path: Path, script: str, score: float, note: str
) -> None:
    """Who could turn a failed grading into an error would choose which gradings count."""
    files = {
        "environment/Dockerfile": "FROM debian:12\nWORKDIR /srv/work/deep\nRUN mkdir -p /data/empty\n",
        "tests/test.sh": TEST.replace("/app/", "/srv/work/deep/"),
    }
    _, found = graded(provider, task(tmp_path / "one", files=files), script)
    assert (found.score, found.evidence.note[: len(note)]) == (score, note)


def test_changes_outside_are_tampering(tmp_path: Path, provider: LocalProvider) -> None:
    found = suite(options={"path": str(task(tmp_path / "one"))})
    loaded = found.load("toy/answer")
    for path in ("tests/test.sh", "logs/verifier/reward.txt", "usr/bin/cat", "etc/passwd"):
        _, verdict = evaluate_one(loaded, tree_of({path: "echo 1"}, found.blobs()), found.blobs(), provider)
        assert (verdict.score, verdict.reason) == (0.0, Reason.TAMPER)


def test_no_reward_is_an_error_never_0(tmp_path: Path) -> None:
    data = done(task(tmp_path / "one", files={"tests/test.sh": "#!/bin/bash\nexit 1\n"}), tmp_path / "run", "oracle")
    assert verdicts(data, "oracle") == [(Outcome.ERROR, None)]


FORGERIES = {
    "json first": "mkdir -p /logs/verifier; echo '{\"reward\": 1}' > /logs/verifier/reward.json",
    "txt": "mkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt",
    "linked": "ln -s /root /logs/verifier; echo 1 > /root/reward.txt; echo '{\"reward\": 1}' > /root/reward.json",
    "in other logs": "echo 1 > /logs/agent/reward.txt; echo 1 > /logs/artifacts/reward.txt",
    "tests of its own": "mkdir -p /tests; echo 'echo 1 > /logs/verifier/reward.txt' > /tests/test.sh",
    "a daemon": "(setsid bash -c 'while :; do echo 1 > /logs/verifier/reward.txt; echo 1 > /app/beat; done' &) ; sleep 0.2",
    "no hang-up": "nohup bash -c 'sleep 3; echo 1 > /logs/verifier/reward.txt' >/dev/null 2>&1 &",
    "start-up files": "echo 'echo 1 > /logs/verifier/reward.txt; exit' | tee /root/.bashrc /root/.profile /root/.bash_profile",
    "a bash of its own": "mkdir -p /app/bin; printf '#!/bin/sh\\necho 1 > /logs/verifier/reward.txt' > /app/bin/cat; "
    "chmod +x /app/bin/cat; export PATH=/app/bin:$PATH",
    "the system's tools": "cp /app/readme.txt /usr/bin/cat; cp /app/readme.txt /opt/packages/bin/cat",
    "a FIFO": "mkfifo /app/answer.txt",
    "a file it is not": "ln -s /tests/test.sh /app/answer.txt",
    "the answer's reader": "ln -s /logs/verifier/reward.txt /app/answer.txt; echo 42 > /app/answer.txt",
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_reward_scores_0(provider: LocalProvider, tmp_path: Path, name: str) -> None:
    _, found = graded(provider, task(tmp_path / "one"), FORGERIES[name])
    assert (found.outcome, found.score) == (Outcome.FAILED, 0.0)


@pytest.mark.parametrize(
    ("reward", "forged"),
    [("0", '{"reward": 1}'), ("0", '{"reward": 0, "more": 1}'), ("0", "{"), ("nan", '{"reward": 1}')],
)
def test_a_reward_written_beside_that_of_the_tests_scores_at_most_0(
    provider: LocalProvider, tmp_path: Path, reward: str, forged: str
) -> None:
    """The submission is run by the tests, and writes a second file while it is."""
    test = f"#!/bin/bash\nbash /app/run.sh\necho {reward} > /logs/verifier/reward.txt\n"
    folder = task(tmp_path / "one", files={"tests/test.sh": test})
    script = f"echo \"echo '{forged.replace(chr(34), chr(92) + chr(34))}' > /logs/verifier/reward.json\" > /app/run.sh"
    _, found = graded(provider, folder, script)
    assert (found.outcome, found.score) == (Outcome.FAILED, 0.0)
    assert found.reason is (Reason.WRONG_RESULT if "more" in forged else Reason.TAMPER)


def test_start_up_files_of_python_are_not_those_of_the_tests(provider: LocalProvider, tmp_path: Path) -> None:
    test = "#!/bin/bash\necho 0 > /logs/verifier/reward.txt\npython3 -c 'print(6 * 7)'\n"
    code = "import os\nif os.path.isdir('/logs/verifier'): open('/logs/verifier/reward.txt', 'w').write('1')\nprint('here')\n"
    script = (
        "d=/root/.local/lib/python3.$(python3 -c 'import sys; print(sys.version_info[1])')/site-packages; mkdir -p $d\n"
        f"cat > $d/usercustomize.py <<'END'\n{code}END\npython3 -c 'print(1)'"
    )
    made, found = graded(provider, task(tmp_path / "one", files={"tests/test.sh": test}), script)
    assert made.stdout == "here\n1\n"  # the control: it runs where nothing keeps it from it
    assert (found.score, found.evidence.got) == (0.0, "42")


@pytest.mark.parametrize("value", ["nan", "inf", "true", "1e999", '"1"', "[1]", "null"])
def test_only_finite_numbers_are_rewards(provider: LocalProvider, tmp_path: Path, value: str) -> None:
    test = f"#!/bin/bash\necho '{{\"reward\": {value}}}' > /logs/verifier/reward.json\n"
    _, found = graded(provider, task(tmp_path / "one", files={"tests/test.sh": test}), "true")
    assert (found.outcome, found.score) == (Outcome.ERROR, None)
    assert found.failure is not None and found.failure.code == "reward_unreadable"


def test_hidden_parts_are_nowhere_while_it_is_worked_on(provider: LocalProvider, tmp_path: Path) -> None:
    made, _ = graded(
        provider,
        task(tmp_path / "one", files={"tests/canary": "x", "solution/alternatives/other.sh": ""}),
        "ls -d /tests /logs/verifier 2>&1; ls /solution; rm -r /solution/*; "
        "grep -rl 'answer.txt' / --exclude-dir=proc --exclude-dir=usr 2>/dev/null",
    )
    assert made.stdout.splitlines() == [
        "ls: cannot access '/tests': No such file or directory",
        "ls: cannot access '/logs/verifier': No such file or directory",
        "reference.sh",
        "solve.sh",
    ]


def test_memory_and_processor_time_are_bounded(provider: LocalProvider, tmp_path: Path) -> None:
    folder = task(tmp_path / "one", more="memory_mb = 64\ncpus = 0.1\n")
    made, _ = graded(provider, folder, "python3 -c 'x = bytearray(200 << 20)'; echo $?")
    assert made.failure is not None
    assert made.failure.message == "the sandbox ended patch: oom"
    made, _ = graded(provider, folder, "python3 -c 'while True: pass'; echo $?")
    assert made.stdout.strip() in {"137", "152"}  # 0.1 x 20 s of CPU time were used up


def test_the_network_of_each_phase(provider: LocalProvider, tmp_path: Path) -> None:
    look = "cat /proc/net/dev | grep -c eth; (echo > /dev/tcp/1.1.1.1/53) 2>&1 | grep -o unreachable | sort -u"
    test = f"#!/bin/bash\n{look}\necho 1 > /logs/verifier/reward.txt\n"
    made, found = graded(provider, task(tmp_path / "one", files={"tests/test.sh": test}), look)
    assert (made.stdout, found.evidence.got) == ("0\nunreachable\n", "0\nunreachable")
    folder = task(tmp_path / "two", files={"task.toml": "[environment]\n"})
    with pytest.raises(UsageError, match=r"is public .* --suite-option public=no-network runs such tasks without"):
        graded(provider, folder, "true")
    made, _ = graded(provider, folder, look, public="no-network")
    assert made.stdout == "0\nunreachable\n"


def test_the_hosts_that_an_agent_may_reach(provider: LocalProvider, tmp_path: Path) -> None:
    text = (task(tmp_path / "one") / "task.toml").read_text()
    toml = text.replace("[agent]\n", '[agent]\nnetwork_mode = "allowlist"\nallowed_hosts = ["model.example"]\n')
    (tmp_path / "one/task.toml").write_text(toml)
    with service(b"42") as one, service(b"43") as other:
        get = "import urllib.request as u, sys; print(u.urlopen('http://' + sys.argv[1], timeout=5).read())"
        script = f'for host in {one.host} {other.host}; do python3 -c "{get}" $host 2>/dev/null || echo no; done'
        made, _ = graded(provider, tmp_path / "one", script, hosts=one.host)
        assert (made.stdout, one.visits, other.visits) == ("b'42'\nno\n", 1, 0)


def test_a_health_check_that_fails_is_infrastructure(tmp_path: Path) -> None:
    more = '[environment.healthcheck]\ncommand = "test -f /app/never"\nretries = 2\ninterval_sec = 0.01\n'
    data = done(task(tmp_path / "one", more=more), tmp_path / "run", "oracle")
    (trial,) = data.trials.values()
    assert (trial.failure.code if trial.failure else "", trial.submissions, trial.tries) == ("healthcheck", (), 3)
    more = '[environment.healthcheck]\ncommand = "echo x >> /app/tries; test $(wc -l < /app/tries) = 3"\ninterval_sec = 0.01\n'
    data = done(task(tmp_path / "two", more=more), tmp_path / "run2", "oracle")
    assert verdicts(data, "oracle") == [(Outcome.PASSED, 1.0)]


SEPARATE = """\
workdir = "/app"
[[verifier.collect]]
command = "cp /app/answer.txt /logs/artifacts/copy"
[verifier.environment]
network_mode = "no-network"
[[artifacts]]
source = "/app/out"
exclude = ["*.log"]
"""


def test_a_separate_verifier_sees_artifacts_only(provider: LocalProvider, tmp_path: Path) -> None:
    files = {
        "tests/Dockerfile": "FROM debian\nCOPY test.sh /tests/test.sh\nCOPY marker /verifier/\n",
        "tests/marker": "m",
        "tests/test.sh": "#!/bin/bash\nfind /app /verifier /logs/artifacts -type f | sort; echo 1 > /logs/verifier/reward.txt",
    }
    folder = task(tmp_path / "one", files=files)
    text = (folder / "task.toml").read_text()
    (folder / "task.toml").write_text(
        'artifacts = [{source = "/app/out", exclude = ["*.log"]}]\n' + text + SEPARATE.partition("[[art")[0]
    )
    script = "mkdir /app/out /app/out/in; echo 42 | tee answer.txt out/a out/b.log out/in/c"
    _, found = graded(provider, folder, script)
    assert found.evidence.got.split() == ["/app/out/a", "/app/out/in/c", "/logs/artifacts/copy", "/verifier/marker"]
    (folder / "environment/out").mkdir()
    (folder / "environment/out/seeded").write_text("x")
    data = done(folder, tmp_path / "run", "nop")  # it has what was there from the beginning
    (found,) = data.verdicts.values()
    assert found.evidence.got.split() == ["/app/out/seeded", "/verifier/marker"]


STEPS = """\
[[steps]]
name = "one"
min_reward = 1.0
[[steps]]
name = "two"
"""
STEP_TEST = """\
#!/bin/bash
[ "$(cat /app/{n})" = {n} ] && r=1 || r=0
echo $r > /logs/verifier/reward.txt
"""


def several(folder: Path, more: str = STEPS) -> Path:
    texts = {
        "instruction.md": "Do {n}.\n",
        "tests/test.sh": STEP_TEST,
        "workdir/{n}.in": "",
        "workdir/setup.sh": "echo {n} >> log.txt",
        "solution/solve.sh": "echo {n} > /app/{n}; ls /app /solution; cat /app/log.txt",
    }
    files = {
        f"steps/{n}/{path}".replace("{n}", n): text.replace("{n}", n)
        for n in ("one", "two")
        for path, text in texts.items()
    }
    return task(folder, more=more, files=files)


def test_several_steps(provider: LocalProvider, tmp_path: Path) -> None:
    folder = several(tmp_path / "one")
    made, found = graded(provider, folder, None)
    assert (found.outcome, found.score, found.metrics) == (Outcome.PASSED, 1.0, {"reward": 1.0})
    assert " ".join(made.stdout.split()) == (
        "/app: log.txt one one.in readme.txt setup.sh /solution: solve.sh one "
        "/app: log.txt one one.in readme.txt setup.sh two two.in /solution: solve.sh one two"
    )
    assert sorted(found.groups) == ["one", "two"]


def test_a_gate_ends_the_steps(provider: LocalProvider, tmp_path: Path) -> None:
    script = "echo two > /app/two"
    _, found = graded(provider, several(tmp_path / "gated"), script)
    assert (found.outcome, found.score, sorted(found.groups)) == (Outcome.FAILED, 0.0, ["one"])
    _, found = graded(provider, several(tmp_path / "open", STEPS.replace("min_reward = 1.0\n", "")), script)
    assert (found.outcome, found.score, sorted(found.groups)) == (Outcome.FAILED, 0.5, ["one", "two"])
    final = several(tmp_path / "final", STEPS.replace("min_reward = 1.0\n", ""))
    text = (final / "task.toml").read_text()
    (final / "task.toml").write_text('multi_step_reward_strategy = "final"\n' + text)
    _, found = graded(provider, final, script)
    assert (found.outcome, found.score) == (Outcome.PASSED, 1.0)


def test_nothing_done_in_several_steps(tmp_path: Path) -> None:
    data = done(several(tmp_path / "one"), tmp_path / "run", "oracle", "nop")
    assert verdicts(data, "oracle") == [(Outcome.PASSED, 1.0)]
    assert verdicts(data, "nop") == [(Outcome.FAILED, 0.0)]


def test_files_of_a_folder_as_a_submission(tmp_path: Path) -> None:
    (tmp_path / "mine/toy/answer").mkdir(parents=True)
    (tmp_path / "mine/toy/answer/answer.txt").write_text("42\n")
    data = done(task(tmp_path / "one"), tmp_path / "run", f"folder:{tmp_path / 'mine'}")
    assert [verdict.score for verdict in data.verdicts.values()] == [1.0]


def test_an_agent_on_the_host_is_refused(tmp_path: Path) -> None:
    data = done(task(tmp_path / "one"), tmp_path / "run", "command:true")
    (trial,) = data.trials.values()
    assert trial.failure is not None and "has an image, in which its work has to be done" in trial.failure.message


def test_the_same_environment_is_made_once(
    provider: LocalProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    files = {"environment/Dockerfile": "FROM debian\nWORKDIR /app\nRUN cat /proc/sys/kernel/random/uuid > id\n"}
    folder = task(tmp_path / "one", files={**files, "tests/test.sh": TEST + "cat /app/id"})
    first, second = (graded(provider, folder, "cat /app/id")[0].stdout for _ in range(2))
    assert len(first) == 37
    assert first == second
    assert graded(provider, folder, "true")[1].evidence.got == first.strip()


def test_files_of_any_size_travel(tmp_path: Path) -> None:
    big = "x" * 10_000 + "\n"
    files = {
        "environment/big": big,
        "tests/big": big,
        "solution/big": big,
        "solution/solve.sh": "cat /app/big /solution/big > /app/out",
        "tests/test.sh": "#!/bin/bash\ncat /tests/big /tests/big | cmp - /app/out && echo 1 > /logs/verifier/reward.txt",
    }
    data = done(task(tmp_path / "one", files=files), tmp_path / "run", "oracle")
    assert verdicts(data, "oracle") == [(Outcome.PASSED, 1.0)]
    stored = [path for path in (tmp_path / "run/blobs").rglob("*") if path.is_file()]
    assert sum(path.stat().st_size > 5000 for path in stored) == 1  # what was made, and not what was there


@pytest.mark.parametrize("rung", ["landlock", "none"])
def test_no_lower_rung_will_do(tmp_path: Path, rung: Rung) -> None:
    found = suite(options={"path": str(task(tmp_path / "one"))})
    lower = LocalProvider(rung=rung)
    try:
        with pytest.raises(
            InfrastructureError, match=f"a task's image needs a file system of its own, .* this is {rung}"
        ):
            grade_solution(
                found.load("toy/answer"), found.load("toy/answer").solution("reference"), found.blobs(), lower
            )
    finally:
        lower.close()
