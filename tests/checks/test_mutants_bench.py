from collections.abc import Iterator

import pytest

from proofyard.checks.mutants.bench import Bench
from proofyard.checks.mutants.ledger import Fate
from proofyard.core import Blobs, Failure, InfrastructureError, Limits, Sandbox, SandboxSpec
from proofyard.sandbox import LocalProvider
from tests.checks.mutant_targets import crashing, few, looping, same, wrong

TASK = "scratch-easy-040-round-robin"


class Watched(LocalProvider):
    """Remembers the limits it was asked for; fails so many times."""

    def __init__(self) -> None:
        super().__init__(slots=1)
        self.limits: list[Limits] = []
        self.failures = 0

    def open(self, spec: SandboxSpec, blobs: Blobs) -> Sandbox:  # type: ignore[override]
        self.limits.append(spec.limits)
        if self.failures:
            self.failures -= 1
            raise InfrastructureError(Failure(code="sandbox_start", message="no sandbox today"))
        return super().open(spec, blobs)


@pytest.fixture
def provider() -> Iterator[Watched]:
    found = Watched()
    yield found
    found.close()


def test_mutants_die_each_for_its_reason_and_what_is_no_mutant_lives(provider: Watched) -> None:
    bench = Bench(provider)
    target = few(wrong(), crashing(), looping(), same())
    bench.prove(target)
    assert [bench.fate(target, mutant) for mutant in target.chosen()] == [
        Fate(id=wrong().digest, reason="wrong_result", task=TASK),
        Fate(id=crashing().digest, reason="crash", task=TASK),
        Fate(id="1" * 16, reason="timeout", task=TASK),
        Fate(id="0" * 16),
    ]
    # The reference is graded under the task's own limits, then, as its mutants, under small ones.
    assert {(limits.cpu_ms, limits.wall_ms) for limits in provider.limits} == {(10_000, 30_000), (2_000, 6_000)}


def test_a_reference_that_does_not_pass_stops_everything(provider: Watched) -> None:
    with pytest.raises(
        InfrastructureError, match=rf"reference of {TASK} does not pass .*: its mutants would say nothing"
    ):
        Bench(provider).prove(few(wrong(), broken=True))


def test_infrastructure_that_fails_is_tried_again_and_never_a_kill(provider: Watched) -> None:
    bench = Bench(provider)
    target = few(same())
    bench.prove(target)
    provider.failures = 1
    assert bench.fate(target, same()) == Fate(id="0" * 16)
    provider.failures = 2
    with pytest.raises(InfrastructureError, match="no sandbox today"):
        bench.fate(target, same())


def test_a_bench_that_was_stopped_grades_nothing(provider: Watched) -> None:
    bench = Bench(provider)
    target = few(same())
    bench.prove(target)
    bench.stop()
    with pytest.raises(InfrastructureError, match="the provider is closed"):
        bench.fate(target, same())


def test_the_digest_names_all_that_decides(provider: Watched) -> None:
    bench = Bench(provider)
    digest = bench.digest(few(wrong(), same()), {})
    assert bench.digest(few(wrong(), same()), {}) == digest
    others = {
        bench.digest(few(wrong()), {}),
        bench.digest(few(wrong(), same(), broken=True), {}),
        bench.digest(few(wrong(), same()), {"0" * 16: "why"}),
    }
    assert len(others | {digest}) == 4
