from pathlib import Path

import pytest

from proofyard.checks.mutants import targets
from proofyard.checks.mutants.targets import MOST, family_targets, service_targets
from proofyard.core import UnknownNameError
from proofyard.source import mutate


def test_a_family_is_graded_by_its_easy_task() -> None:
    (target,) = family_targets(["round-robin"])
    assert (target.name, target.kind, target.path) == ("round-robin", "family", "program/families/round_robin.py")
    assert [str(task) for task in target.tasks] == ["scratch-easy-040-round-robin"]


def test_an_unknown_family_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean round-robin"):
        family_targets(["round-robbin"])


def test_of_many_mutants_the_same_are_chosen_each_time() -> None:
    (target,) = family_targets(["round-robin"])
    every, chosen = target.mutants(), target.chosen()
    assert len(every) > MOST == len(chosen)
    limit = sorted(mutant.digest for mutant in every)[MOST]
    assert [m.digest for m in chosen] == [m.digest for m in every if m.digest < limit]


def test_names_of_arguments_are_only_declared_by_a_family() -> None:
    (target,) = family_targets(["round-robin"])
    text = target.files(target.tasks[0])[target.path]
    declared = {m.digest for m in mutate(text)} - {m.digest for m in target.mutants()}
    assert len(declared) == 6


def test_files_of_the_service_are_tried_on_the_tiers_that_hold_them_from_the_lowest() -> None:
    found = {target.name: [str(task) for task in target.tasks] for target in service_targets()}
    assert list(found) == [
        "errors.py",
        "operation.py",
        "arguments.py",
        "envelope.py",
        "serve.py",
        "document.py",
        "documents.py",
        "store.py",
        "revisions.py",
        "files.py",
        "paging.py",
        "durable.py",
    ]
    tiers = [f"scratch-{tier}-001-word-frequency" for tier in ("easy", "intermediate", "hard", "max")]
    assert found["envelope.py"] == tiers
    assert found["documents.py"] == tiers[1:2]
    assert found["store.py"] == tiers[2:]
    assert found["durable.py"] == tiers[3:]
    assert found["arguments.py"][0] == tiers[0]
    assert found["arguments.py"][-3:] == tiers[1:]


def test_every_reader_of_arguments_is_used_by_a_task_that_tests_it() -> None:
    (target,) = [target for target in service_targets() if target.name == "arguments.py"]
    used = "".join(
        text for task in target.tasks for path, text in target.files(task).items() if path != "program/arguments.py"
    )
    names = [
        "integer",
        "string",
        "anything",
        "boolean",
        "enum",
        "array",
        "structure",
        "mapping",
        "optional",
        "required",
    ]
    assert [name for name in names if name not in used] == []


def test_digests_are_made_once_for_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (target,) = family_targets(["round-robin"])
    digests = target.digests()
    assert digests == tuple(mutant.digest for mutant in target.chosen())
    (path,) = (path for path in tmp_path.rglob("*") if path.is_file())
    monkeypatch.setattr(targets, "mutate", None)
    targets._mutants.cache_clear()
    assert target.digests() == digests
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(TypeError):
        target.digests()
    assert len({targets._named(text, kind) for text in ("a", "b") for kind in ("family", "service")}) == 4
    monkeypatch.setattr(targets, "MOST", 4)
    with pytest.raises(TypeError):
        target.digests()


def test_digests_that_cannot_be_kept_are_made_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/dev/null")
    (target,) = family_targets(["round-robin"])
    assert target.digests() == target.digests() == tuple(mutant.digest for mutant in target.chosen())
