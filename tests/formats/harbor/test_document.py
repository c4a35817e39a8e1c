"""`task.toml`: every key, deprecated ones, unknown ones, and the way back."""

import tomllib
from pathlib import Path

import pytest

from proofyard.core import UsageError
from proofyard.formats.harbor import TaskFile, config_text, read_config
from proofyard.formats.harbor.config import Artifact, Collect, Healthcheck, McpServer, Tpu

FULL = """\
schema_version = "1.4"
source = "here"
multi_step_reward_strategy = "final"
artifacts = ["/app/out", { source = "/var/log/x", destination = "x", exclude = ["*.tmp"] }]
odd = 1

[task]
name = "org/one"
version = "3"
description = 'say "hi" \\ there'
keywords = ["a"]

[[task.authors]]
name = "A"
email = "a@example.org"

[metadata]
difficulty = "hard"
when = 2024-05-01
"a key" = { x = 1.5, y = [true, false] }

[agent]
timeout_sec = 12
user = 1000
network_mode = "allowlist"
allowed_hosts = ["example.org", "*.example.org", "10.0.0.0/8", "::1"]

[verifier]
timeout_sec = 30.0
user = "root"
environment_mode = "separate"

[verifier.env]
A = "1"

[verifier.environment]
cpus = 1.5
later = true

[[verifier.collect]]
command = "dump"

[environment]
network_mode = "no-network"
cpus = 2
memory_mb = 100
gpu_types = ["H100"]

[environment.tpu]
type = "v5e"
topology = "2x2x1"

[environment.healthcheck]
command = "true"
retries = 9

[[environment.mcp_servers]]
name = "m"
transport = "http"
url = "http://m"

[environment.mcp_servers.headers]
Authorization = "Bearer ${TOKEN}"

[solution.env]
S = "1"

[[steps]]
name = "first"
min_reward = 0.5

[steps.verifier]
environment_mode = "shared"

[[steps]]
name = "second"
artifacts = ["/x"]
zzz = 1

[steps.min_reward]
style = 1
"""


def read(tmp_path: Path, text: str) -> TaskFile:
    path = tmp_path / "task.toml"
    path.write_text(text)
    return read_config(path)


def test_every_key(tmp_path: Path) -> None:
    config, _, unknown, deprecated = read(tmp_path, FULL)
    assert unknown == ("odd", "steps[1].zzz", "verifier.environment.later")
    assert deprecated == ()
    assert config.artifacts == ("/app/out", Artifact(source="/var/log/x", destination="x", exclude=("*.tmp",)))
    assert (config.agent.timeout_sec, config.agent.user) == (12.0, 1000)
    assert config.verifier.collect == (Collect(command="dump"),)
    assert config.environment.tpu == Tpu(type="v5e", topology="2x2x1")
    assert config.environment.healthcheck == Healthcheck(command="true", retries=9)
    headers = {"Authorization": "Bearer ${TOKEN}"}
    assert config.environment.mcp_servers == (
        McpServer(name="m", transport="streamable-http", url="http://m", headers=headers),
    )
    assert [step.min_reward for step in config.steps] == [0.5, {"style": 1.0}]
    assert [config.separate(step) for step in (None, *config.steps)] == [True, False, True]


def test_what_is_written_is_what_was_read_and_unknown_keys_stay(tmp_path: Path) -> None:
    first = read(tmp_path, FULL)
    again = read(tmp_path, first.text)
    assert again == first
    assert tomllib.loads(first.text)["odd"] == 1
    assert tomllib.loads(config_text(first.config))["task"]["description"] == 'say "hi" \\ there'
    assert read(tmp_path, config_text(first.config)).config == first.config


def test_deprecated_keys_are_put_right_and_named(tmp_path: Path) -> None:
    text = 'version = "1.0"\n[environment]\nallow_internet = false\nmemory = "2G"\nstorage = "512M"\n'
    text += "[verifier.environment]\nallow_internet = true\n"
    config, document, unknown, deprecated = read(tmp_path, text)
    assert (config.schema_version, document["schema_version"], unknown) == ("1.0", "1.4", ())
    assert (config.environment.network_mode, config.environment.memory_mb, config.environment.storage_mb) == (
        "no-network",
        2048,
        512,
    )
    assert config.verifier.environment is not None and config.verifier.environment.network_mode == "public"
    assert deprecated == (
        "version is schema_version now",
        "environment.allow_internet is network_mode now",
        "environment.memory is memory_mb now",
        "environment.storage is storage_mb now",
        "verifier.environment.allow_internet is network_mode now",
    )
    said = read(tmp_path, "[environment]\nallow_internet = true\nnetwork_mode = 'no-network'\n")
    assert said.config.environment.network_mode == "no-network"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[environment]\nmemory = '2G'\nmemory_mb = 1", "environment.memory and environment.memory_mb say different"),
        ("[environment]\nmemory = '2 pounds'", "environment.memory: '2 pounds' is no size"),
        ("[environment]\nallow_internet = 1", "environment.allow_internet: expected `bool`"),
        ("[task]\nname = 'one'", "task.name: 'one' is not of the form org/name"),
        ("[task]\nname = 'a/b..c'", "task.name: 'a/b..c' is not of the form org/name"),
        ("[verifier]\nenvironment_mode = 'shared'\n[verifier.environment]", "exclude each other"),
        ("artifacts = ['/a/../b']", "artifacts: '/a/../b': a path with .."),
        ("artifacts = [{source = '/a', destination = '/b'}]", "'/b' is no relative path"),
        ("artifacts = [{source = '/a', destination = 'manifest.json'}]", "manifest.json is taken"),
        ("artifacts = [{source = 'a', service = 'db'}]", "'a' of service db is no absolute path"),
        ("[[environment.mcp_servers]]\nname = 'm'", "mcp_servers.m: a server by sse needs a url"),
        ("[[environment.mcp_servers]]\nname = 'm'\ntransport = 'stdio'", "a stdio server needs a command"),
        (
            "[[environment.mcp_servers]]\nname = 'm'\nurl = 'http://m'\nheaders = {K = '${A:-b}'}",
            "a header takes ${VAR} without a default",
        ),
        ("[[steps]]\nname = 'a'\n[[steps]]\nname = 'A'", "steps: two steps are named 'A'"),
        ("[[steps]]\nname = '../a'", "steps: '../a' is no name of a folder"),
        ("[[steps]]\nname = 'a'\nmin_reward = nan", "steps.a.min_reward: not a finite number"),
        ("[environment]\nworkdir = 'app'", "environment.workdir: 'app' is no absolute path"),
        ("[environment.tpu]\ntype = 'v'\ntopology = '2'", "environment.tpu.topology: '2' is not of the form 2x4"),
        ("[verifier]\nallowed_hosts = ['a']", 'verifier: allowed_hosts needs network_mode = "allowlist"'),
        ("[environment.healthcheck]\ninterval_sec = 1", "missing required field `command`"),
    ],
)
def test_rules(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value) and "\n" not in str(caught.value)
