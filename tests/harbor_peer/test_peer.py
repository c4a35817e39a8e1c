"""What we write is read by the `harbor` package itself, in two versions; and its own runs come to our rewards."""

import json
from pathlib import Path
from typing import Any

import pytest

from proofyard.core import Evidence, Failure, Outcome
from proofyard.formats.harbor import content_digest, read_config, write_job
from proofyard.store import read_run
from proofyard.suites.harbor.skeleton import write_skeleton
from tests.cli.tool import tool
from tests.cli.trajectories import make_run
from tests.formats.harbor.jobs import SKILLED, SUBJECT, attempt, head

from .image import lay_out
from .peers import ROOT, VERSIONS, Peer, peer

OURS = sorted(path.parent for path in (ROOT / "tasks").glob("*/task.toml"))
REAL = "b3-stale-cache"


@pytest.fixture(params=VERSIONS)
def harbor(request: pytest.FixtureRequest) -> Peer:
    return peer(request.param)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new task as `proofyard new task` makes it."""
    folder = tmp_path_factory.mktemp("tasks") / "fresh"
    write_skeleton(folder, "toy/fresh")
    return folder


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory, fresh: Path) -> list[Path]:
    """Jobs of ours: of task folders with and without reward, of an agent with a trajectory, of all ways to end."""
    top = tmp_path_factory.mktemp("jobs")
    assert tool("run", fresh, "--agent", "oracle", "--agent", "nop", "--attempts", "5", "--output", top / "a").code == 1
    make_run(top / "b")
    for name in ("a", "b"):
        assert tool("export", "harbor", top / name, "--output", top / "jobs").code == 0
    missing = Failure(code="reward_missing", message="none")
    several = [
        attempt(0, 1.0),
        attempt(1, 0.0, failure=Failure(code="agent_timeout", message="late")),
        attempt(2, failure=Failure(code="sandbox_lost", message="gone")),
        attempt(3, outcome=Outcome.ERROR, verdict_failure=missing),
        attempt(4, outcome=Outcome.INVALID, evidence=Evidence(note="no test.sh"), metrics={}),
        attempt(5),
        attempt(0, 0.5, subject=SKILLED),
    ]
    write_job(top / "jobs/c", head(SUBJECT, SKILLED, attempts=6), several)
    return [top / "jobs" / name for name in ("a", "b", "c")]


def test_task_folders(harbor: Peer, fresh: Path) -> None:
    folders = [fresh, *OURS]
    found = harbor.load(tasks=folders)["tasks"]
    for folder in folders:
        said = found[str(folder)]
        assert said["digest"] == content_digest(folder)
        config = read_config(folder / "task.toml").config
        assert config.task is not None
        assert said["name"] == config.task.name
        assert said["instruction"]


def test_job_folders_and_trajectories(harbor: Peer, exported: list[Path]) -> None:
    loaded = harbor.load(jobs=exported)
    folders, agent, several = (loaded["jobs"][str(path)] for path in exported)
    for one in (folders, agent, several):
        stated, made = one["stated"], one["made"]
        for name in ("n_completed_trials", "n_errored_trials", "n_input_tokens", "n_cache_tokens", "n_output_tokens"):
            assert stated[name] == made[name], name
        assert stated["cost_usd"] == pytest.approx(made["cost_usd"])
        assert set(stated["evals"]) == set(made["evals"])
        for key, evals in made["evals"].items():
            told = stated["evals"][key]
            assert by_name(told["reward_stats"]) == by_name(evals["reward_stats"])
            assert by_name({"": told["exception_stats"]}) == by_name({"": evals["exception_stats"]})
            assert told["n_errors"] == evals["n_errors"]
            if loaded["version"] != "0.22.0":  # which counts what has no reward as 0
                assert told["n_trials"] == evals["n_trials"]
                assert told["pass_at_k"] == one["pass_at_k"].get(key, {})
    assert folders["pass_at_k"]["oracle__adhoc"] == {"2": 1.0, "4": 1.0, "5": 1.0}
    assert list(agent["lengths"].values()) == [3]
    assert list(several["lengths"].values()) == [2] * 7
    rewards = [value["reward"] for value in several["rewards"].values() if value is not None]
    assert sorted(rewards) == [0.0, 0.5, 1.0]
    assert sorted(str(kind) for kind in several["exceptions"].values()) == [
        "AgentTimeoutError", "None", "None", "None", "RewardFileNotFoundError", "SandboxLostError", "TaskInvalidError",
    ]  # fmt: skip


def by_name(stats: dict[str, dict[str, list[str]]]) -> dict[str, dict[str, list[str]]]:
    """The same with names sorted: the order in which trials are added up is no matter."""
    return {key: {value: sorted(names) for value, names in found.items()} for key, found in stats.items()}


def test_its_own_runs_come_to_our_rewards(harbor: Peer, fresh: Path, exported: list[Path], tmp_path: Path) -> None:
    agents = [{"name": "oracle"}, {"name": "nop"}]
    job = harbor.run(
        tmp_path, "theirs", lay_out(fresh, tmp_path / "image"), agents=agents, tasks=[{"path": str(fresh)}]
    )
    assert tool("import", "harbor", job, "--output", tmp_path / "run").code == 0
    imported, ours = read_run(tmp_path / "run"), read_run(exported[0].parents[1] / "a")

    def scores(data: Any) -> set[tuple[str, str, float | None]]:
        agents = {subject.digest: subject.agent for subject in data.plan.subjects}
        return {(v.task, agents[data.trials[v.trial].subject], v.score) for v in data.verdicts.values()}

    assert scores(imported) == scores(ours) == {("toy/fresh", "oracle", 1.0), ("toy/fresh", "nop", 0.0)}
    result = json.loads(next(job.glob("*/result.json")).read_text())
    rung = {verdict.provenance["rung"] for verdict in imported.verdicts.values()}
    assert rung == {f"harbor:{result['config']['environment']['import_path']}"} == {"harbor:bubble:Bubble"}


def test_its_own_run_of_a_task_of_ours(tmp_path: Path) -> None:
    """The newest version alone: a process that imports the task's framework is dear."""
    harbor = peer(VERSIONS[-1])
    task = ROOT / "tasks" / REAL
    job = harbor.run(tmp_path, "theirs", lay_out(task, tmp_path / "image"), tasks=[{"path": str(task)}])
    (result,) = [json.loads(path.read_text()) for path in job.glob("*/result.json")]
    assert result["exception_info"] is None
    ours = json.loads(tool("grade", task, "--json").out)["verdict"]
    assert (ours["score"], result["verifier_result"]["rewards"]) == (1.0, ours["metrics"])
