"""Loads folders that proofyard wrote into the `harbor` package's own models. Runs in Harbor's Python; prints what it found."""

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from harbor.models.job.config import JobConfig
from harbor.models.job.lock import JobLock, TrialLock
from harbor.models.job.result import JobResult, JobStats
from harbor.models.task.task import Task
from harbor.models.trajectories import Trajectory
from harbor.models.trial.config import TrialConfig
from harbor.models.trial.result import TrialResult
from harbor.publisher.packager import Packager
from harbor.utils.pass_at_k import compute_pass_at_k_by_evals
from harbor.utils.trajectory_validator import TrajectoryValidator


def task(folder: Path) -> dict[str, Any]:
    """A task folder: that it is one, its name, its digest."""
    assert Task.is_valid_dir(folder), folder
    found = Task(folder)
    return {
        "name": found.name,
        "digest": "sha256:" + Packager.compute_content_hash(folder)[0],
        "instruction": found.instruction,
    }


def job(folder: Path) -> dict[str, Any]:
    """A job folder: the sums that it states, those that Harbor makes of its trials, and its trajectories' lengths."""
    stated = JobResult.model_validate_json((folder / "result.json").read_text())
    config = JobConfig.model_validate_json((folder / "config.json").read_text())
    trials, lengths = [], {}
    for path in sorted(folder.glob("*/result.json")):
        trial = TrialResult.model_validate_json(path.read_text())
        assert TrialConfig.model_validate_json((path.parent / "config.json").read_text()) == trial.config
        if (path.parent / "lock.json").exists():
            TrialLock.model_validate_json((path.parent / "lock.json").read_text())
        trajectory = path.parent / "agent/trajectory.json"
        if trajectory.exists():
            validator = TrajectoryValidator()
            assert validator.validate(trajectory), validator.errors
            lengths[trial.trial_name] = len(Trajectory.model_validate_json(trajectory.read_text()).steps)
        trials.append(trial)
    if (folder / "lock.json").exists():
        assert len(JobLock.model_validate_json((folder / "lock.json").read_text()).trials) == len(trials)
    made = JobStats.from_trial_results(trials, n_total_trials=stated.n_total_trials)
    return {
        "agents": [agent.name for agent in config.agents],
        "stated": stated.stats.model_dump(mode="json"),
        "made": made.model_dump(mode="json"),
        "pass_at_k": compute_pass_at_k_by_evals(trials),
        "exceptions": {t.trial_name: t.exception_info and t.exception_info.exception_type for t in trials},
        "rewards": {t.trial_name: t.verifier_result and t.verifier_result.rewards for t in trials},
        "lengths": lengths,
    }


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    found = {
        "version": version("harbor"),
        "tasks": {path: task(Path(path)) for path in asked["tasks"]},
        "jobs": {path: job(Path(path)) for path in asked["jobs"]},
    }
    print(json.dumps(found))
