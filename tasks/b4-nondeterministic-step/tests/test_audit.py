"""Two audits of as many invoices, a number that was never drawn before."""

import json
import shutil
from pathlib import Path

import pytest
from entry import Entry

DRAWN = 23
AUDITS = [Entry("/app/audit.py", str(DRAWN)) for _ in range(2)]  # before anything is read that they must not see

from store_integrity import faults  # noqa: E402
from zenml.client import Client  # noqa: E402

FIXTURES = Path(__file__).with_name("fixtures")
EXPECTED = json.loads((FIXTURES / "expected.json").read_text("utf-8"))
OUTPUTS = {"load_ledger": "invoices", "draw_sample": "sample", "report": "summary"}
SEEDED = {"january": "completed", "february": "cached"}
SECONDS = 120
shutil.rmtree(FIXTURES, ignore_errors=True)


class Audit:
    """What came of one audit: how the program ended, and the runs that it recorded."""

    def __init__(self, program, client):
        before = {run.id for run in client.list_pipeline_runs(size=500).items}
        self.ended = program.run(SECONDS)
        after = [run.id for run in client.list_pipeline_runs(size=500).items if run.id not in before]
        self.runs = [client.get_pipeline_run(key) for key in after]

    @property
    def run(self):
        """Its run; there has to be one."""
        assert len(self.runs) == 1, f"{len(self.runs)} runs were recorded; the program said: {self.ended.said}"
        return self.runs[0]

    def status(self, step):
        return self.run.steps[step].status.value

    def output(self, step):
        return output(self.run, step)


def output(run, step):
    """What a step gave out, which has to be plain data: nothing that came with it is run."""
    (artifact,) = run.steps[step].outputs[OUTPUTS[step]]
    return json.loads(Path(artifact.uri, "data.json").read_text("utf-8"))


def compare(found, name, record_property):
    """Numbers, by the beginning of their names. Those found are told if they are not what is expected."""
    found = {f"{name}_{key}": number for key, number in found.items()}
    if found != {key: number for key, number in EXPECTED.items() if key.startswith(f"{name}_")}:
        for key, number in found.items():
            record_property(key, number)
        raise AssertionError(found)


@pytest.fixture(scope="session")
def client():
    return Client()


@pytest.fixture(scope="session")
def audits(client):
    return [Audit(program, client) for program in AUDITS]


def test_an_audit_records_a_run_as_before(audits):
    for audit in audits:
        assert audit.ended.code == 0, audit.ended
        assert audit.run.pipeline.name == "invoice_audit"
        for name, made in OUTPUTS.items():
            assert set(audit.run.steps[name].outputs) == {made}


def test_the_ledger_comes_from_the_cache(audits):
    assert audits[1].status("load_ledger") == "cached"


def test_the_sample_is_drawn_in_each_run(audits):
    assert [audit.status("draw_sample") for audit in audits] == ["completed"] * 2


def test_samples_differ(audits):
    first, second = ({invoice["number"] for invoice in audit.output("draw_sample")} for audit in audits)
    assert first != second, sorted(first)


def test_the_ledger_is_whole(audits, record_property):
    for audit in audits:
        ledger = audit.output("load_ledger")
        numbers = {"invoices": len(ledger), "cents": sum(invoice["cents"] for invoice in ledger)}
        numbers["check"] = sum(invoice["number"] * invoice["cents"] for invoice in ledger)
        compare(numbers, "ledger", record_property)


def test_samples_are_of_the_ledger(audits):
    for audit in audits:
        sample = audit.output("draw_sample")
        assert len({invoice["number"] for invoice in sample}) == len(sample) == DRAWN
        ledger = audit.output("load_ledger")
        assert all(invoice in ledger for invoice in sample), sample


def test_summaries_are_of_their_own_samples(audits):
    for audit in audits:
        cents = [invoice["cents"] for invoice in audit.output("draw_sample")]
        assert audit.output("report") == {"drawn": len(cents), "cents": sum(cents), "largest": max(cents)}


def test_the_framework_recorded_it(client, audits):
    assert [fault for audit in audits for run in audit.runs for fault in faults(client, run)] == []


def test_what_was_recorded_is_untouched(client, audits, record_property):
    runs = {run.name: run for run in client.list_pipeline_runs(size=500, hydrate=True).items}
    numbers = {}
    for month, status in SEEDED.items():
        run = runs[f"audit-{month}"]
        assert {name: step.status.value for name, step in run.steps.items()} == dict.fromkeys(OUTPUTS, status)
        assert faults(client, run) == []
        numbers[f"{month}_numbers"] = sum(invoice["number"] for invoice in output(run, "draw_sample"))
        numbers.update({f"{month}_{name}": number for name, number in output(run, "report").items()})
    compare(numbers, "audit", record_property)
    assert client.active_stack_model.name == "default"
    assert {stack.name for stack in client.list_stacks().items} == {"default"}
    assert {one.name for one in client.list_pipelines().items} == {"invoice_audit"}
