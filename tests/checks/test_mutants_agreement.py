from collections.abc import Iterator
from dataclasses import replace

import pytest

from proofyard.checks.mutants.agreement import Agreement, agree, excuses
from proofyard.checks.mutants.targets import Target, service_targets
from proofyard.sandbox import LocalProvider
from tests.checks.mutant_targets import few, same, wrong


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    found = LocalProvider(slots=3)
    yield found
    found.close()


def service(name: str) -> Target:
    return next(target for target in service_targets() if target.name == name)


def test_what_does_the_same_agrees_and_what_does_not_is_shown(provider: LocalProvider) -> None:
    found = agree(few(), [same(), wrong()], provider, requests=60)
    assert found["0" * 16] == Agreement(60, "")
    agreed, differs = found[wrong().digest]
    assert agreed < 60
    assert '"op": "' in differs
    assert ', "switches": 0}}, not ' in differs


def test_the_service_is_asked_for_documents_over_restarts(provider: LocalProvider) -> None:
    target = service("durable.py")
    lost = next(m for m in target.mutants() if m.before.startswith("self._file.save(") and m.after == "pass")
    other = replace(lost, digest="0" * 16, text=target.files(target.tasks[-1])[target.path])
    found = agree(target, [lost, other], provider, requests=800)
    assert found["0" * 16] == Agreement(800, "")
    assert found[lost.digest].differs != ""


def test_cursors_of_another_form_are_no_difference(provider: LocalProvider) -> None:
    target = service("paging.py")
    text = target.files(target.tasks[-1])[target.path]
    assert text.count("%08x") == 1
    swapped = replace(target.mutants()[0], digest="0" * 16, text=text.replace("%08x", "%08X"))
    assert agree(target, [swapped], provider, requests=300) == {"0" * 16: Agreement(300, "")}


def test_the_reviewed_list_names_mutants_that_are_there() -> None:
    targets = {target.name: target for target in service_targets()}
    for name, listed in excuses().items():
        assert name in targets, "of families list none: drop what is superfluous from the reference instead"
        assert set(listed) <= {mutant.digest for mutant in targets[name].chosen()}, name
        assert all(reason.strip() for reason in listed.values())
