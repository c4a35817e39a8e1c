from pathlib import Path

import msgspec
import pytest

from proofyard.core import (
    Artifact,
    Budget,
    GraderSpec,
    ImageStep,
    MemoryBlobs,
    Network,
    Outcome,
    Preparation,
    Reason,
    Task,
    UsageError,
    file_bytes,
)
from proofyard.formats import HarborTask, read_task
from proofyard.formats.harbor import Terms, strip_canary

CLOSED = '[environment]\nnetwork_mode = "no-network"\n'
MINIMAL = 'schema_version = "1.4"\n[environment]\nnetwork_mode = "no-network"\n'


def folder(tmp_path: Path, toml: str = MINIMAL, **files: str) -> Path:
    contents = {"instruction.md": "Do it.\n", "tests/test.sh": "echo\n", "task.toml": toml, **files}
    for name, text in contents.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def read(tmp_path: Path, toml: str = MINIMAL, **files: str) -> HarborTask:
    return read_task(folder(tmp_path, toml, **files), MemoryBlobs())


def test_everything_in_its_place(tmp_path: Path) -> None:
    toml = """
schema_version = "1.4"
source = "here"
artifacts = []
[task]
name = "org/one"
version = "3"
keywords = ["a", "b"]
[metadata]
anything = 1
[agent]
timeout_sec = 12.5
user = "root"
[verifier]
timeout_sec = 30
network_mode = "allowlist"
allowed_hosts = [" Example.ORG. ", "10.0.0.1", "::1"]
[verifier.env]
KEY = "5"
[environment]
network_mode = "no-network"
workdir = "/srv"
memory_mb = 100
storage_mb = 7
gpus = 0
bogus = 1
[environment.env]
BASE = "x"
[solution.env]
S = "1"
"""
    files = {"environment/data/in.txt": "1", "solution/solve.sh": "true\n", "solution/x": "", "tests/data": "secret"}
    path = folder(tmp_path, toml, **files)
    blobs = MemoryBlobs()
    task, unused, notes = read_task(path, blobs, Terms(hosts=("127.0.0.1:8080",)))
    assert isinstance(task, Task)
    assert (task.id, task.suite, task.version, task.tags) == ("org/one", "harbor", "3", ("a", "b"))
    assert task.budget == Budget(wall_s=12)
    assert (unused, notes) == (("agent.user", "environment.bogus", "source"), ())
    (step,) = task.steps
    assert (step.brief.task, step.brief.prompt, step.grader) == ("org/one", "Do it.\n", GraderSpec(kind="command"))
    work, grading = step.brief.work, step.grading
    kept = ("/logs/agent", "/logs/artifacts", "/root", "/srv")
    assert (work.network, work.kept, work.image.base, work.image.workdir) == (Network(), kept, "system", "/srv")
    made, laid = work.image.steps
    assert (made, laid.kind, laid.path) == (ImageStep(kind="folder", path="/srv"), "files", "/srv")
    assert (sorted(laid.tree.entries), work.image.source) == (["data/in.txt"], "machine")
    own = {"PATH": "/opt/packages/bin:/usr/local/bin:/usr/bin:/bin", "HOME": "/root"}
    assert work.image.environment == {**own, "BASE": "x"}
    assert grading.image.environment == {**own, "BASE": "x", "KEY": "5", "PYTHONNOUSERSITE": "1"}
    hosts = (
        "example.org:80",
        "example.org:443",
        "10.0.0.1:80",
        "10.0.0.1:443",
        "[::1]:80",
        "[::1]:443",
        "127.0.0.1:8080",
    )
    assert grading.network == Network(mode="hosts", hosts=hosts)
    assert (work.limits.wall_ms, grading.limits.wall_ms) == (12_500, 30_000)
    assert (work.limits.tree_memory, work.limits.memory, work.limits.disk) == (100 << 20, 400 << 20, 7 << 20)
    assert step.hidden.tests.entries["test.sh"].executable
    assert not step.hidden.tests.entries["data"].executable
    reference = task.solution("reference")
    assert reference is not None
    assert (reference.argv, reference.environment) == (("bash", "/solution/solve.sh"), {"S": "1"})
    assert file_bytes(reference.tree.entries["solve.sh"], blobs) == b"true\n"


def test_defaults(tmp_path: Path) -> None:
    task, unused, notes = read(tmp_path / "some-task")
    assert (task.id, task.version, unused, task.budget) == ("some-task", "", (), Budget())
    assert notes == ("no WORKDIR is set: it is /app",)
    assert task.steps[0].hidden.solutions == ()
    assert (task.steps[0].brief.work.image.workdir, task.steps[0].grading.limits.wall_ms) == ("/app", 600_000)


def test_hidden_parts_are_not_in_the_brief(tmp_path: Path) -> None:
    task = read(tmp_path, MINIMAL, **{"tests/expected": "canary", "solution/solve.sh": "canary"}).task
    assert "canary" not in repr(task.steps[0].brief)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Hello\n", "Hello\n"),
        ("<!-- x CANARY y -->\n\n\nHello\n", "Hello\n"),
        ("# the canary\n  \n<!-- canary -->\nHello\n# canary\n", "Hello\n# canary\n"),
        ("# Canary", ""),
        ("\n# canary\nHello\n", "\n# canary\nHello\n"),
        ("Canary\n", "Canary\n"),
        ("", ""),
    ],
)
def test_canary_lines(text: str, left: str) -> None:
    assert strip_canary(text) == left


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("x = ", "task.toml cannot be read: "),
        ("schema_version = '2.0'", "task.toml: schema_version '2.0' is not known; known: 1.0, 1.1, 1.2, 1.3, 1.4"),
        ("[[steps]]\nname = 'a'", "is no Harbor task: it has no steps/a/instruction.md"),
        (
            CLOSED + "[verifier]\nenvironment_mode = 'separate'",
            "the image of its verifier: tests/Dockerfile is not there",
        ),
        (
            "version = '1.0'",
            "the network of the agent is public (the default where network_mode is not given), which is never",
        ),
        (CLOSED + "[verifier]\nnetwork_mode = 'public'", "the network of the verifier is public"),
        ("[environment]\nos = 'windows'", "needs the operating system windows, which is not supported"),
        ("[environment]\ngpus = 1", "needs a GPU, which is not supported"),
        ("[environment.tpu]\ntype = 'v5e'\ntopology = '2x4'", "needs a TPU, which is not supported"),
        (
            "[environment]\ndocker_image = 'x/y:1'",
            "this machine stands in for debian, ubuntu, python, buildpack-deps only",
        ),
        (
            "[[environment.mcp_servers]]\nname = 'a'\nurl = 'http://a'",
            "needs MCP servers by sse, which is not supported",
        ),
        ("[[artifacts]]\nsource = '/a'\nservice = 'db'", "needs artifacts of another service, which is not supported"),
        (
            "[metadata.proofyard.checks]\na = 'nonsense'\n" + CLOSED,
            "checks.a: 'nonsense' is no reason code; known: budget, ",
        ),
        ("agent = 5", "task.toml: agent: expected `object`, got `int`"),
        ("[agent]\ntimeout_sec = 0", "task.toml: agent.timeout_sec: not a positive number: 0"),
        ("[agent]\ntimeout_sec = true", "task.toml: agent.timeout_sec: expected `float | null`, got `bool`"),
        ("[agent]\ntimeout_sec = inf", "task.toml: agent.timeout_sec: not a positive number: inf"),
        ("[environment]\nmemory_mb = 'x'", "task.toml: environment.memory_mb: expected `int | null`, got `str`"),
        ("[environment]\nenv = 5", "task.toml: environment.env: expected `object`, got `int`"),
        (
            CLOSED + "[verifier.env]\nA = '${HOME}'",
            "verifier.env.A wants ${HOME} of the host; --suite-option env=HOME",
        ),
        ("[environment]\nnetwork_mode = 'open'", "task.toml: environment.network_mode: invalid enum value 'open'"),
        ("[environment]\nallowed_hosts = []", 'environment: allowed_hosts needs network_mode = "allowlist"'),
        ("[environment]\nnetwork_mode = 'allowlist'", 'network_mode "allowlist" needs a list allowed_hosts'),
        (
            "[environment]\nnetwork_mode = 'allowlist'\nallowed_hosts = ['*.example.org']",
            "task.toml: '*.example.org' in allowed_hosts cannot be enforced: name each host",
        ),
        (
            "[environment]\nnetwork_mode = 'allowlist'\nallowed_hosts = ['http://example.org']",
            "environment: 'http://example.org' is no address or network (allowed_hosts)",
        ),
        (
            "[environment]\nnetwork_mode = 'allowlist'\nallowed_hosts = ['10.0.0.0/8']",
            "task.toml: '10.0.0.0/8' in allowed_hosts cannot be enforced: name each host",
        ),
    ],
)
def test_refused(tmp_path: Path, toml: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, toml)
    text = str(caught.value)
    assert message in text and str(tmp_path) in text
    assert "\n" not in text


@pytest.mark.parametrize("missing", ["task.toml", "instruction.md", "tests/test.sh"])
def test_missing_parts(tmp_path: Path, missing: str) -> None:
    (folder(tmp_path) / missing).unlink()
    with pytest.raises(UsageError, match=f"is no Harbor task: it has no {missing}$"):
        read_task(tmp_path, MemoryBlobs())


def test_a_container_group_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"needs a container group \(docker-compose.yaml\), which is not supported$"):
        read(tmp_path, MINIMAL, **{"environment/docker-compose.yaml": ""})


def test_terms(tmp_path: Path) -> None:
    toml = "[environment.env]\nA = '${TOKEN}'\nB = 'x${NO:-y}z'\n"
    terms = Terms(closed=True, variables={"TOKEN": "t"})
    step = read_task(folder(tmp_path, toml), MemoryBlobs(), terms).task.steps[0]
    assert (step.brief.work.network, step.grading.network) == (Network(), Network())
    found = step.brief.work.image.environment
    assert (found["A"], found["B"]) == ("t", "xyz")


def test_a_health_check_and_what_is_collected(tmp_path: Path) -> None:
    toml = MINIMAL + (
        "[environment.healthcheck]\ncommand = 'true'\nretries = 2\ninterval_sec = 0.5\ntimeout_sec = 1\n"
        "[[verifier.collect]]\ncommand = 'echo'\n"
    )
    brief = read(tmp_path, toml).task.steps[0].brief
    assert brief.prepare == (Preparation(command="true", wall_ms=1000, tries=2, pause_ms=500),)
    assert (brief.collect, brief.submits) == (("echo",), ())


def test_solutions_with_what_they_must_come_to(tmp_path: Path) -> None:
    toml = MINIMAL + (
        "[metadata.proofyard.checks]\ntest_store = 'tamper'\n"
        "[metadata.proofyard.shortcuts]\na = 'test_store'\nb = 'regression'\nc = {check = 'x', reason = 'crash'}\nd = 'x'\n"
    )
    files = {f"tests/shortcuts/{name}.sh": name for name in "abcde"}
    files |= {"solution/solve.sh": "true", "solution/help.py": "", "solution/alternatives/other.sh": "o"}
    blobs = MemoryBlobs()
    step = read_task(folder(tmp_path, toml, **files), blobs).task.steps[0]
    known = {one.name: (one.kind, one.expected, one.reason, one.check) for one in step.hidden.solutions}
    assert known == {
        "reference": ("reference", Outcome.PASSED, None, ""),
        "other": ("alternative", Outcome.PASSED, None, ""),
        "a": ("shortcut", Outcome.FAILED, Reason.TAMPER, "test_store"),
        "b": ("shortcut", Outcome.FAILED, Reason.REGRESSION, ""),
        "c": ("shortcut", Outcome.FAILED, Reason.CRASH, "x"),
        "d": ("shortcut", Outcome.FAILED, Reason.WRONG_RESULT, "x"),
        "e": ("shortcut", Outcome.FAILED, None, ""),
    }
    assert step.grader == GraderSpec(kind="command", parameters='{"reasons":{"test_store":"tamper"}}')
    trees = {one.name: one.tree for one in step.hidden.solutions}
    assert sorted(trees["reference"].entries) == ["help.py", "solve.sh"]
    assert sorted(trees["a"].entries) == ["help.py", "reference.sh", "solve.sh"]
    assert file_bytes(trees["a"].entries["solve.sh"], blobs) == b"a"
    assert file_bytes(trees["a"].entries["reference.sh"], blobs) == b"true"
    assert sorted(step.hidden.tests.entries) == ["test.sh"]


def test_a_separate_verifier(tmp_path: Path) -> None:
    toml = CLOSED + (
        "workdir = '/w'\n[verifier]\nenvironment_mode = 'separate'\n[[artifacts]]\nsource = 'out'\nexclude = ['*.log']\n"
    )
    files = {"tests/Dockerfile": "FROM debian\nCOPY . /tests/\n", "tests/shortcuts/a.sh": ""}
    step = read(tmp_path, toml, **files).task.steps[0]
    assert step.brief.submits == (Artifact(source="/logs/artifacts"), Artifact(source="/w/out", exclude=("*.log",)))
    assert step.grader.parameters == '{"baked":true}'
    assert (step.hidden.tests.entries, "/tests" in step.grading.kept, "/w" in step.grading.kept) == ({}, True, True)
    laid = [path for one in step.grading.image.steps for path in one.tree.entries]
    assert sorted(laid) == ["tests/Dockerfile", "tests/test.sh"]


def test_several_steps(tmp_path: Path) -> None:
    toml = CLOSED + (
        "[[steps]]\nname = 'one'\nmin_reward = 0.5\n[steps.agent]\ntimeout_sec = 7\n"
        "[[steps]]\nname = 'two'\nmin_reward = {x = 1}\n[steps.verifier]\ntimeout_sec = 9\n"
    )
    files = {f"steps/{name}/instruction.md": f"Do {name}.\n" for name in ("one", "two")}
    files |= {"steps/two/tests/test.sh": "two", "steps/one/workdir/setup.sh": "", "steps/two/solution/solve.sh": "2"}
    files |= {"solution/solve.sh": "1", "tests/shared": ""}
    blobs = MemoryBlobs()
    (step,) = read_task(folder(tmp_path, toml, **files), blobs).task.steps
    first, (second,) = step.brief, step.brief.then
    assert (first.prompt, second.prompt, second.task) == ("Do one.\n", "Do two.\n", "two")
    assert [one.command for one in first.prepare] == ["bash setup.sh"]
    assert (first.work.limits.wall_ms, second.work.limits.wall_ms) == (7_000, 3_600_000)
    assert sorted(step.hidden.tests.entries) == ["one/shared", "one/test.sh", "two/shared", "two/test.sh"]
    assert file_bytes(step.hidden.tests.entries["two/test.sh"], blobs) == b"two"
    (reference,) = step.hidden.solutions
    assert [file_bytes(one.tree.entries["solve.sh"], blobs) for one in (reference, *reference.then)] == [b"1", b"2"]
    parts = msgspec.json.decode(step.grader.parameters)["parts"]
    assert [(part["name"], part["gates"]) for part in parts] == [("one", {"reward": 0.5}), ("two", {"x": 1.0})]
    assert [part["limits"].get("wall_ms") for part in parts] == [600_000, 9_000]


def test_steps_with_different_networks_are_refused(tmp_path: Path) -> None:
    toml = (
        CLOSED
        + "[[steps]]\nname = 'a'\n[[steps]]\nname = 'b'\n[steps.agent]\nnetwork_mode = 'allowlist'\nallowed_hosts = ['x.org']\n"
    )
    with pytest.raises(UsageError, match="steps with different networks are not supported"):
        read(tmp_path, toml, **{f"steps/{name}/instruction.md": "" for name in "ab"})


@pytest.mark.parametrize(
    "name", ["instruction.md", "environment", "tests", "solution", "task.toml", "environment/Dockerfile"]
)
def test_links_are_not_followed(tmp_path: Path, name: str) -> None:
    task = folder(tmp_path / "task", MINIMAL, **{"environment/Dockerfile": "FROM debian", "solution/solve.sh": ""})
    (task / name).rename(tmp_path / "elsewhere")
    (task / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match=f"{name} is a link, which is not followed$"):
        read_task(task, MemoryBlobs())


def test_links_among_the_shortcuts_are_not_followed(tmp_path: Path) -> None:
    task = folder(tmp_path, MINIMAL, **{"tests/shortcuts/a.sh": ""})
    (task / "tests/shortcuts/b.sh").symlink_to("/etc/hostname")
    with pytest.raises(UsageError, match=r"b.sh is a link, which is not followed$"):
        read_task(task, MemoryBlobs())
