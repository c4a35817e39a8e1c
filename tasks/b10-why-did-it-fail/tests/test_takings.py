"""Three days that the job never saw: one with sales of all sizes, and two whose exports are broken."""

import json
import shutil
from hashlib import sha256
from pathlib import Path

import pytest
from entry import Entry

DAYS = {"2026-04-11": "grouped.csv", "2026-04-12": "comma.csv", "2026-04-13": "cut.csv"}
JOB = Entry("/app/run.py", *DAYS)  # before anything is read that the job must not see

from store_integrity import faults  # noqa: E402
from zenml.client import Client  # noqa: E402

FIXTURES = Path(__file__).with_name("fixtures")
EXPORTS = Path("/app/exports")
SECONDS = 120

FILES = {path.name: path.read_bytes() for path in FIXTURES.iterdir()}
EXPECTED = json.loads(FILES["expected.json"])
DIGESTS = json.loads(FILES["digests.json"])
shutil.rmtree(FIXTURES, ignore_errors=True)

STEPS = ("read_export", "to_cents", "add_up")
SCHEDULED = {1, 2, 4, 6, 8, 9, 11}
FAILED_AT = {3: "to_cents", 7: "read_export", 8: "to_cents", 10: "read_export", 12: "to_cents"}
SEEDED = {f"takings-{number}" for number in range(1, 13)}


def ids_of(client):
    """All runs, the oldest first."""
    return [run.id for run in client.list_pipeline_runs(size=1000, sort_by="asc:created").items]


def value(run):
    """What a run recorded as the takings, nothing if it has none. It has to be plain data: nothing that came with it is run."""
    made = run.steps["add_up"].outputs.get("takings", []) if "add_up" in run.steps else []
    return json.loads(Path(made[0].uri, "data.json").read_text("utf-8")) if made else {}


@pytest.fixture(scope="session")
def client():
    return Client()


@pytest.fixture(scope="session")
def recorded(client):
    """The runs that there are when work is over, the oldest first."""
    return [client.get_pipeline_run(key) for key in ids_of(client)]


@pytest.fixture(scope="session")
def nights(client, recorded):
    """The runs of the three days; there has to be one a day."""
    for day, file in DAYS.items():
        (EXPORTS / f"{day}.csv").unlink(missing_ok=True)
        (EXPORTS / f"{day}.csv").write_bytes(FILES[file])
    ended = JOB.run(SECONDS)
    before = {run.id for run in recorded}
    runs = [client.get_pipeline_run(key) for key in ids_of(client) if key not in before]
    assert [run.pipeline.name for run in runs] == ["takings"] * len(DAYS), ended
    return runs


def test_the_takings_of_an_unseen_day(nights, record_property):
    assert nights[0].status == "completed"
    assert set(nights[0].steps) == set(STEPS)
    found = value(nights[0])
    for name, number in found.items():
        record_property(f"unseen_{name}", number)
    assert found == EXPECTED["unseen"], found


def test_broken_exports_still_fail(nights):
    assert [run.status.value for run in nights[1:]] == ["failed"] * 2


def test_the_night_is_made_up_for(client, recorded, record_property):
    """There is a completed run among those that were added whose takings are those of the night."""
    added = [run for run in recorded if run.name not in SEEDED and run.pipeline.name == "takings"]
    found = [value(run) for run in added if faults(client, run) == []]
    for name, number in (found or [{}])[-1].items():
        record_property(f"night_{name}", number)
    assert EXPECTED["night"] in found, found


def test_the_framework_recorded_it(client, nights, recorded):
    assert [fault for run in recorded + nights if run.status == "completed" for fault in faults(client, run)] == []


def test_what_was_recorded_is_untouched(client, recorded, record_property):
    runs = {run.name: run for run in recorded if run.name in SEEDED}
    assert set(runs) == SEEDED
    totals = {str(number): value(runs[f"takings-{number}"]).get("total", 0) for number in range(1, 13)}
    for number, total in totals.items():
        record_property(f"run_{number}", total)
    assert totals == EXPECTED["runs"], totals
    for number in range(1, 13):
        run = runs[f"takings-{number}"]
        failed_at = FAILED_AT.get(number)
        found = {name: step.status.value for name, step in run.steps.items()}
        names = STEPS[: STEPS.index(failed_at) + 1] if failed_at else STEPS
        assert found == {name: "failed" if name == failed_at else "completed" for name in names}, (number, found)
        assert run.status == ("failed" if failed_at else "completed")
        assert {tag.name for tag in run.tags} == ({"scheduled"} if number in SCHEDULED else set())
        if failed_at:
            assert run.steps[failed_at].exception_info.traceback
    assert client.active_stack_model.name == "default"
    assert {stack.name for stack in client.list_stacks().items} == {"default"}
    assert "takings" in {one.name for one in client.list_pipelines(size=1000).items}


def test_the_exports_are_untouched():
    found = {path.name: sha256(path.read_bytes()).hexdigest() for path in EXPORTS.glob("*.csv")}
    assert {name: found.get(name) for name in DIGESTS} == DIGESTS
