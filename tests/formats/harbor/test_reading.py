from pathlib import Path

import pytest

from proofyard.core import Budget, GraderSpec, MemoryBlobs, Network, Task, UsageError, file_bytes
from proofyard.formats import HarborTask, read_task
from proofyard.formats.harbor import strip_canary

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
    task, unused = read_task(path, blobs, ["127.0.0.1:8080"])
    assert isinstance(task, Task)
    assert (task.id, task.suite, task.version, task.tags) == ("org/one", "harbor", "3", ("a", "b"))
    assert task.budget == Budget(wall_s=12)
    assert unused == ("agent.user", "artifacts", "environment.bogus", "solution.env", "source")
    (step,) = task.steps
    assert (step.brief.task, step.brief.prompt, step.grader) == ("org/one", "Do it.\n", GraderSpec(kind="command"))
    assert sorted(step.brief.files.entries) == ["data/in.txt"]
    work, grading = step.brief.work, step.grading
    assert (work.network, work.kept, work.image.base, work.image.workdir) == (Network(), ("/srv",), "system", "/srv")
    assert work.image.environment == {"BASE": "x"}
    assert grading.image.environment == {"BASE": "x", "KEY": "5"}
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
    assert (work.limits.memory, work.limits.disk) == (100 << 20, 7 << 20)
    assert step.hidden.tests.entries["test.sh"].executable
    assert not step.hidden.tests.entries["data"].executable
    reference = task.solution("reference")
    assert reference is not None
    assert reference.argv == ("bash", "/solution/solve.sh")
    assert file_bytes(reference.tree.entries["solve.sh"], blobs) == b"true\n"


def test_defaults(tmp_path: Path) -> None:
    task, unused = read(tmp_path / "some-task")
    assert (task.id, task.version, unused, task.budget) == ("some-task", "", (), Budget())
    assert task.steps[0].hidden.solutions == ()
    assert (task.steps[0].brief.work.image.workdir, task.steps[0].grading.limits.wall_ms) == ("/app", 600_000)
    assert read(tmp_path / "open", 'version = "1.0"\n').task.steps[0].grading.network == Network(mode="public")


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
        ("[[steps]]\nname = 'a'", "needs several steps, which is not supported"),
        ("[verifier]\nenvironment_mode = 'separate'", "needs a separate verifier, which is not supported"),
        ("[verifier.environment]\nos = 'linux'", "needs a separate verifier, which is not supported"),
        ("[environment]\nos = 'windows'", "needs the operating system windows, which is not supported"),
        ("[environment]\ngpus = 1", "needs a GPU, which is not supported"),
        ("[environment.tpu]\ntype = 'v5e'\ntopology = '2x4'", "needs a TPU, which is not supported"),
        ("[environment]\ndocker_image = 'x/y:1'", "needs the image x/y:1, which is not supported"),
        ("[environment.healthcheck]\ncommand = 'true'", "needs a health check, which is not supported"),
        (
            "[[environment.mcp_servers]]\nname = 'a'\nurl = 'http://a'",
            "needs MCP servers, which is not supported",
        ),
        ("agent = 5", "task.toml: agent: expected `object`, got `int`"),
        ("[agent]\ntimeout_sec = 0", "task.toml: agent.timeout_sec: not a positive number: 0"),
        ("[agent]\ntimeout_sec = true", "task.toml: agent.timeout_sec: expected `float | null`, got `bool`"),
        ("[agent]\ntimeout_sec = inf", "task.toml: agent.timeout_sec: not a positive number: inf"),
        ("[environment]\nmemory_mb = 'x'", "task.toml: environment.memory_mb: expected `int | null`, got `str`"),
        ("[environment]\nenv = 5", "task.toml: environment.env: expected `object`, got `int`"),
        ("[verifier.env]\nA = '${HOME}'", "verifier.env.A wants a variable of the host, which is not supported"),
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


@pytest.mark.parametrize(
    ("file", "message"),
    [("Dockerfile", "an image built from environment/Dockerfile"), ("docker-compose.yaml", "a container group")],
)
def test_images_are_not_built_yet(tmp_path: Path, file: str, message: str) -> None:
    with pytest.raises(UsageError, match=f"needs {message}, which is not supported$"):
        read(tmp_path, MINIMAL, **{f"environment/{file}": "FROM scratch\n"})
