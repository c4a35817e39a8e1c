"""Instances of the stale-cache family: the same bytes, whole files, and scripts on the side that they belong to."""

import ast
import json
import tomllib
from collections import defaultdict
from math import fsum
from pathlib import PurePath

import pytest

from proofyard.core import digest_of
from proofyard.forge import Draft, family_named

FAMILY = family_named("b3")
MANY = [FAMILY.draft(seed) for seed in range(120)]


def names(draft: Draft, below: str) -> list[str]:
    return [PurePath(path).stem for path in draft.files if path.startswith(below)]


def test_same_seed_same_bytes() -> None:
    assert [FAMILY.draft(seed) for seed in range(120)] == MANY
    assert len({draft.digest for draft in MANY}) == 120
    shortened = {
        name: digest_of(FAMILY.draft(seed).files)[:16] for name, seed in (("b3-1000", 1000), ("b3-1002", 1002))
    }
    assert shortened == {"b3-1000": "b8e317467be90c7c", "b3-1002": "58dd7533cf3f02af"}


def test_files_are_whole() -> None:
    for draft in MANY:
        for path, text in draft.files.items():
            assert "«" not in text, (draft.name, path)
            if path.endswith(".py"):
                ast.parse(text)
            if path.endswith(".sh"):
                assert text.startswith("#!/bin/bash\n")
                for part in text.split("<<'END'\n")[1:]:
                    if not part.startswith("    "):  # what is appended to another file is no program of its own
                        ast.parse(part.partition("\nEND\n")[0])


def test_the_record_says_what_was_drawn() -> None:
    draft = FAMILY.draft(1002)
    metadata = tomllib.loads(draft.files["task.toml"])["metadata"]
    assert metadata["family"] == "b3-stale-cache"
    ours = metadata["proofyard"]
    assert (ours["generated_from"], ours["family"], ours["seed"]) == ("b3-stale-cache", "b3", 1002)
    assert ours["params"] == draft.params
    assert set(ours["shortcuts"]) == set(names(draft, "tests/shortcuts/"))
    assert set(draft.params) == {"world", "steps", "fit", "dear", "cached", "nights"}


def test_scripts_move_with_the_parameters() -> None:
    """Keying on times is right where the step in the middle alone has to be cached; one key for all where the last is."""
    found: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for draft in MANY:
        nights = json.loads(draft.files["tests/fixtures/nights.json"])
        place = [*nights["outputs"]].index(draft.params["dear"]) - len(nights["outputs"])
        which = "all" if draft.params["cached"] == "all" else {-1: "last", -2: "middle"}.get(place, "reader")
        found[which].add(tuple(sorted(names(draft, "solution/alternatives/"))))
        assert {"caching_off", "first_file_only", "tamper_store"} <= set(names(draft, "tests/shortcuts/"))
        both = [*names(draft, "solution/alternatives/"), *names(draft, "tests/shortcuts/")]
        assert sorted(both) == sorted(
            ["caching_off", "contents", "digests", "first_file_only", "modification_time", "one_key", "tamper_store"]
        )
    assert found == {
        "all": {("contents", "digests")},
        "reader": {("contents", "digests")},
        "middle": {("contents", "digests", "modification_time")},
        "last": {("contents", "digests", "one_key")},
    }


def test_each_night_asks_what_its_files_mean() -> None:
    draft = next(one for one in MANY if one.params["steps"] == "4" and one.params["cached"] == "all")
    nights = json.loads(draft.files["tests/fixtures/nights.json"])["nights"]
    statuses = [[*night["steps"].values()] for night in nights]
    assert statuses == [
        ["completed"] * 4,
        ["completed"] * 4,
        ["cached", "cached", "cached", "completed"],
        ["cached", "completed", "completed", "completed"],
        ["cached"] * 4,
    ]
    files = [night["files"] for night in nights]
    assert files[0] == files[4] and len({json.dumps(one) for one in files}) == 4


def recorded(draft: Draft) -> dict[str, float]:
    """Numbers as the tests would record them: the sum of all digits in a night's files, for each figure."""
    nights = json.loads(draft.files["tests/fixtures/nights.json"])["nights"]
    return {
        f"night{number}_{name}": fsum(
            ord(c) for file in night["files"].values() for c in draft.files[f"tests/fixtures/{file}"]
        )
        for number, night in enumerate(nights, 1)
        for name in ("over", "far_over", "room", "figure")
    }


def test_what_is_expected_is_distinct() -> None:
    draft = FAMILY.draft(1000)
    found = recorded(draft)
    (written,) = FAMILY.expected(draft, found).items()
    assert written[0] == "tests/fixtures/expected.json"
    rows = json.loads(written[1])
    assert [row["room"] for row in rows] == [found[f"night{number}_room"] for number in (1, 2, 3, 4)]
    assert rows[0] == rows[3] and rows[0] != rows[1] != rows[2] != rows[0]
    same = dict.fromkeys(found, 1.0)
    with pytest.raises(ValueError, match="two nights with different files have the same result"):
        FAMILY.expected(draft, same)
