"""The family of failed runs: what a seed makes."""

import ast
import csv
import json
import tomllib
from collections import defaultdict
from pathlib import PurePath

import pytest

from proofyard.core import digest_of
from proofyard.forge import Draft
from proofyard.forge.instances.b10 import FAMILY

MANY = [FAMILY.draft(seed) for seed in range(150)]


def names(draft: Draft, below: str) -> list[str]:
    return [PurePath(path).stem for path in draft.files if path.startswith(below)]


def asked(draft: Draft) -> dict[str, object]:
    found: dict[str, object] = json.loads(draft.files["tests/fixtures/asked.json"])
    return found


def test_same_seed_same_bytes() -> None:
    assert [FAMILY.draft(seed) for seed in range(150)] == MANY
    assert len({draft.digest for draft in MANY}) == 150
    assert {seed: digest_of(FAMILY.draft(seed).files)[:16] for seed in (1000, 1001)} == {
        1000: "e8a0cbde8c95f99b",
        1001: "ab9967c276090f0a",
    }


def test_files_are_whole() -> None:
    for draft in MANY:
        for path, text in draft.files.items():
            assert "«" not in text, (draft.name, path)
            if path.endswith(".py"):
                ast.parse(text)
            if path.endswith(".sh"):
                assert text.startswith("#!/bin/bash\n")
                for part in text.split("<<'END'\n")[1:]:
                    ast.parse(part.partition("\nEND\n")[0])


def test_the_record_says_what_was_drawn() -> None:
    draft = FAMILY.draft(1002)
    metadata = tomllib.loads(draft.files["task.toml"])["metadata"]
    ours = metadata["proofyard"]
    assert (metadata["family"], ours["generated_from"]) == ("b10-why-did-it-fail", "b10-why-did-it-fail")
    assert (ours["family"], ours["seed"], ours["params"]) == ("b10", 1002, draft.params)
    assert set(ours["shortcuts"]) == set(names(draft, "tests/shortcuts/"))
    assert set(draft.params) == {"world", "notation", "broken", "tag", "failed"}


def test_scripts_move_with_the_parameters() -> None:
    """What is laxer than the format is right where no broken export shows it; some notations it never reads rightly."""
    found: dict[tuple[str, bool, bool], set[tuple[str, ...]]] = defaultdict(set)
    for draft in MANY:
        always = {"edit_export", "known_amounts", "tamper_store"}
        # Where no row of the night can be read as it stands, to leave those out leaves nothing.
        always |= set() if draft.params["notation"] in {"comma", "currency"} else {"skip_rows"}
        assert set(names(draft, "tests/shortcuts/")) - {"drop_mark", "keep_digits"} == always
        right = set(names(draft, "solution/alternatives/")) - {"tries_and_reverts", "when_read"}
        assert right | (set(names(draft, "tests/shortcuts/")) - always) == {"drop_mark", "keep_digits"}
        breaks = draft.params["broken"].split(", ")
        found[draft.params["notation"], "comma" in breaks, "letter" in breaks].add(tuple(sorted(right)))
    both, mark, none = {("drop_mark", "keep_digits")}, {("drop_mark",)}, {()}
    for comma in (True, False):
        for letter in (True, False):
            assert found["minus_behind", comma, letter] == none
            assert found["parentheses", comma, letter] == mark
            assert found["thousands", comma, letter] == (none if comma else mark if letter else both)
            for notation in ("apostrophe", "currency"):
                assert found[notation, comma, letter] == (mark if comma or letter else both)
    assert found["comma", False, True] == found["comma", False, False] == mark


def test_the_history_has_one_scheduled_failure() -> None:
    for draft in MANY:
        runs = asked(draft)["runs"]
        assert isinstance(runs, list)
        failed = [number for number, run in enumerate(runs) if run["failed_at"]]
        assert len(runs) == 10 and len(failed) == 4
        (night,) = [number for number in failed if runs[number]["tags"]]
        seeded = json.loads(draft.files["environment/seed/runs.json"])
        assert seeded[night] == {"day": draft.params["failed"], "scheduled": True}
        assert any(run["tags"] and not run["failed_at"] for run in runs[night:])
        assert f"run.py {draft.params['failed']}\n" in draft.files["solution/solve.sh"]
        assert f"'{runs[night]['name']}'" in draft.files["tests/shortcuts/tamper_store.sh"]


def test_exports_come_to_what_is_asked() -> None:
    """By a reading of the plain ones that is not the generator's."""
    for draft in MANY:
        module = next(path for path in draft.files if path.endswith("FORMAT.md")).rpartition("/")[0]
        seeded = json.loads(draft.files["environment/seed/runs.json"])
        runs = asked(draft)["runs"]
        assert isinstance(runs, list)
        for run, was in zip(seeded, runs, strict=True):
            text = draft.files.get(f"{module}/{run['day']}.csv")
            if was["failed_at"] or text is None:
                assert was["total"] == 0
                continue
            rows = list(csv.reader(text.splitlines()))
            assert rows[-1] == ["end", str(len(rows) - 2), ""]
            assert was["total"] == sum(int(row[2].replace(".", "")) for row in rows[1:-1])


def test_what_is_expected_is_what_the_reference_came_to() -> None:
    draft = FAMILY.draft(1000)
    unseen = asked(draft)["unseen"]
    assert isinstance(unseen, dict)
    recorded = {"reward": 0.0, **{f"unseen_{name}": float(number) for name, number in unseen.items()}}
    found = FAMILY.expected(draft, recorded)
    assert json.loads(found["tests/fixtures/expected.json"]) == unseen
    assert json.loads(found["tests/fixtures/asked.json"]) == {
        name: value for name, value in asked(draft).items() if name != "unseen"
    }
    with pytest.raises(ValueError, match="something else than the amounts that were drawn"):
        FAMILY.expected(draft, {**recorded, "unseen_total": recorded["unseen_total"] + 1})
    night = {**asked(draft), "night": unseen}
    same = Draft(name="b10-1", seed=1, files={**draft.files, "tests/fixtures/asked.json": json.dumps(night)})
    with pytest.raises(ValueError, match="the unseen day comes to what another day comes to"):
        FAMILY.expected(same, recorded)
