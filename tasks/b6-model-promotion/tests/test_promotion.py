"""A batch that was never seen is forecast twice; in between, another version is promoted."""

import json
import shutil
from pathlib import Path

import pytest
from entry import Entry

BATCH = Path("/tmp/batch.json")
FORECASTS = [Entry("/app/forecast.py", str(BATCH)) for _ in range(2)]  # before anything is read that they must not see

from store_integrity import faults  # noqa: E402
from zenml.client import Client  # noqa: E402

FIXTURES = Path(__file__).with_name("fixtures")
EXPECTED = json.loads((FIXTURES / "expected.json").read_text("utf-8"))
DAYS = (FIXTURES / "batch.json").read_bytes()
SEEDED = {
    "training-1": {"split": "completed", "train": "completed"},
    "training-2": {"split": "cached", "train": "completed"},
    "training-3": {"split": "cached", "train": "completed"},
    "forecast-tomorrow": {"forecast": "completed"},
}
SECONDS = 120
shutil.rmtree(FIXTURES, ignore_errors=True)


def value(artifact):
    """What an artifact holds, which has to be plain data: nothing that came with it is run."""
    return json.loads(Path(artifact.uri, "data.json").read_text("utf-8"))


def predictions(run, name):
    """The numbers that a run gave out, each by a name."""
    (made,) = run.steps["forecast"].outputs["predictions"]
    return {f"{name}_day{number}": found for number, found in enumerate(value(made), 1)}


def runs_of(client, number):
    """The runs that are recorded as those of a version."""
    version = client.get_model_version("demand", number)
    links = client.list_model_version_pipeline_run_links(model_version_id=version.id, size=500, hydrate=True)
    return {link.pipeline_run.id for link in links.items}


def compare(found, wanted, record_property):
    """Two tables of numbers. Those found are told if they are not what is wanted."""
    if found != pytest.approx(wanted, abs=1e-6):
        for name, number in found.items():
            record_property(name, number)
        raise AssertionError(f"{found}, not {wanted}")


def recorded(client):
    """The numbers that were recorded when work began."""
    found = {}
    for version in client.list_model_versions(model="demand", size=100, hydrate=True).items:
        errors = {name: version.run_metadata[name] for name in ("train_mae", "val_mae")}
        for name, number in {**errors, **value(version.get_artifact("regressor"))}.items():
            found[f"version{version.number}_{name}"] = number
    return {**found, **predictions(client.get_pipeline_run("forecast-tomorrow"), "tomorrow")}


def wanted(*beginnings):
    return {name: number for name, number in EXPECTED.items() if name.startswith(beginnings)}


@pytest.fixture(scope="session")
def client():
    return Client()


@pytest.fixture(scope="session")
def numbers(client):
    """The versions by `val_mae`, the best first."""
    versions = client.list_model_versions(model="demand", size=100, hydrate=True).items
    return [version.number for version in sorted(versions, key=lambda version: version.run_metadata["val_mae"])]


@pytest.fixture(scope="session")
def forecasts(client, numbers):
    """The new runs of both forecasts, with what was said. None are made where the wrong version is in production."""
    if client.get_model_version("demand", "production").number != numbers[0]:
        pytest.skip("the forecast has nothing to follow")
    BATCH.write_bytes(DAYS)
    found = []
    for forecast, number in zip(FORECASTS, (numbers[0], numbers[-1]), strict=True):
        client.get_model_version("demand", number).set_stage("production", force=True)
        before = {run.id for run in client.list_pipeline_runs(size=500).items}
        ended = forecast.run(SECONDS)
        after = [run.id for run in client.list_pipeline_runs(size=500).items if run.id not in before]
        found.append(([client.get_pipeline_run(key) for key in after], ended))
    return found


def only(forecast):
    """The run of a forecast; there has to be one."""
    runs, ended = forecast
    assert [run.pipeline.name for run in runs] == ["demand_forecast"], ended.said
    return runs[0]


def test_what_was_recorded_is_untouched(client, record_property):
    compare(recorded(client), wanted("version", "tomorrow"), record_property)
    seeded = [client.get_pipeline_run(name) for name in SEEDED]
    assert {run.name: {name: step.status.value for name, step in run.steps.items()} for run in seeded} == SEEDED
    assert [fault for run in seeded for fault in faults(client, run)] == []
    assert client.active_stack_model.name == "default"
    assert {stack.name for stack in client.list_stacks().items} == {"default"}


def test_the_best_version_is_in_production(client, numbers):
    assert client.get_model_version("demand", "production").number == numbers[0]


def test_a_forecast_is_by_the_version_in_production(client, numbers, forecasts, record_property):
    run = only(forecasts[0])
    assert run.id in runs_of(client, numbers[0])
    compare(predictions(run, "best"), wanted("best"), record_property)


def test_the_next_forecast_is_a_run_of_the_version_promoted_since(client, numbers, forecasts):
    assert only(forecasts[1]).id in runs_of(client, numbers[-1])


def test_the_next_forecast_is_by_the_version_promoted_since(forecasts, record_property):
    compare(predictions(only(forecasts[1]), "worst"), wanted("worst"), record_property)


def test_the_framework_recorded_it(client, forecasts):
    assert [fault for runs, _ in forecasts for run in runs for fault in faults(client, run)] == []


def test_forecasts_leave_the_record_alone(client, forecasts, record_property):
    compare(recorded(client), wanted("version", "tomorrow"), record_property)
