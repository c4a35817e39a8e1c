"""Four nights with files that the job never saw: what is executed, what comes from the cache, and what the rating is."""

import json
import shutil
from pathlib import Path

import pytest
from entry import Entry

JOBS = [Entry("/app/run.py") for _ in range(4)]  # before anything is read that the job must not see

from store_integrity import faults  # noqa: E402
from zenml.client import Client  # noqa: E402

FIXTURES = Path(__file__).with_name("fixtures")
DATA = Path("/app/data")
STEPS = ("load_levels", "fit_swing", "rate")
NIGHTS = (("levels-a.csv", "limits-a.json"), ("levels-b.csv", "limits-a.json"),
          ("levels-a.csv", "limits-b.json"), ("levels-a.csv", "limits-a.json"))  # fmt: skip
SECONDS = 120

FILES = {path.name: path.read_bytes() for path in FIXTURES.iterdir()}
EXPECTED = json.loads(FILES["expected.json"])
SEEDED = {"night-monday": "completed", "night-tuesday": "cached", "night-wednesday": "cached"}
shutil.rmtree(FIXTURES, ignore_errors=True)


class Night:
    """What came of one night: how the job ended, and the runs that it recorded."""

    def __init__(self, job, client, number):
        levels, limits = NIGHTS[number]
        for name, content in (("levels.csv", FILES[levels]), ("limits.json", FILES[limits])):
            (DATA / name).unlink(missing_ok=True)
            (DATA / name).write_bytes(content)
        before = {run.id for run in client.list_pipeline_runs(size=200).items}
        self.ended = job.run(SECONDS)
        self.runs = [run for run in client.list_pipeline_runs(size=200, hydrate=True).items if run.id not in before]

    @property
    def run(self):
        """Its run; there has to be one."""
        assert len(self.runs) == 1, f"{len(self.runs)} runs were recorded; the job said: {self.ended.said}"
        return self.runs[0]

    @property
    def statuses(self):
        """The status of each step."""
        return tuple(str(self.run.steps[name].status.value) for name in STEPS)

    @property
    def rating(self):
        """The rating that it recorded, read as plain data: to load an artifact runs the code that it names."""
        (made,) = self.run.steps["rate"].outputs["rating"]
        return json.loads(Path(made.uri, "data.json").read_text("utf-8"))


@pytest.fixture(scope="session")
def client():
    return Client()


@pytest.fixture(scope="session")
def nights(client):
    return [Night(job, client, number) for number, job in enumerate(JOBS)]


def test_the_job_runs(nights):
    for night in nights:
        assert night.ended.code == 0, night.ended
        assert night.run.pipeline.name == "river_rating"
        assert set(night.run.steps) == set(STEPS)
        for name, output in zip(STEPS, ("levels", "swing", "rating"), strict=True):
            assert set(night.run.steps[name].outputs) == {output}


def test_new_levels_execute_all(nights):
    assert [night.statuses for night in nights[:2]] == [("completed",) * 3] * 2, [night.statuses for night in nights]


def test_new_limits_execute_the_rating_alone(nights):
    assert nights[2].statuses == ("cached", "cached", "completed"), nights[2].statuses


def test_what_was_seen_is_cached(nights):
    assert nights[3].statuses == ("cached",) * 3, nights[3].statuses


def test_ratings(nights, record_property):
    for number, night in enumerate(nights, 1):
        for name, value in night.rating.items():
            record_property(f"night{number}_{name}", value)
    ratings = [night.rating for night in nights]
    assert ratings == EXPECTED, ratings


def test_the_framework_recorded_it(client, nights):
    assert [fault for night in nights for run in night.runs for fault in faults(client, run)] == []


def test_what_was_recorded_is_untouched(client, nights):
    runs = {run.name: run for run in client.list_pipeline_runs(size=1000, hydrate=True).items}
    for name, status in SEEDED.items():
        assert [step.status.value for step in runs[name].steps.values()] == [status] * len(STEPS)
        assert faults(client, runs[name]) == []
    assert client.active_stack_model.name == "default"
    assert {stack.name for stack in client.list_stacks().items} == {"default"}
    assert "river_rating" in {one.name for one in client.list_pipelines(size=1000).items}
