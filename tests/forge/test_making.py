"""Making instances of a small family without a framework: recorded, proved, kept or not, and gone on with."""

import tomllib
from pathlib import Path

import pytest

from proofyard.core import UnknownNameError, UsageError
from proofyard.forge import MakeRequest, families, family_named, make
from proofyard.forge.making import recorded, write

from .products import Products


def asked(tmp_path: Path, **changed: object) -> MakeRequest:
    return MakeRequest(**{"n": 2, "seed": 10, "output": str(tmp_path / "out"), "concurrency": 2, **changed})  # type: ignore[arg-type]


def test_what_is_expected_is_what_the_reference_came_to(tmp_path: Path) -> None:
    family = Products()
    said: list[str] = []
    made = make(family, asked(tmp_path, n=1), said.append)
    folder = tmp_path / "out" / "products-10"
    factor = family.draft(10).params["factor"]
    assert (folder / "tests/expected.json").read_text() == f'["{5 * int(factor)}"]'
    assert said == ["products-10: proved"]
    assert (made.complete, made.dropped, made.instances[0].params) == (True, (), {"factor": factor})
    assert (folder / "solution/solve.sh").stat().st_mode & 0o777 == 0o755
    assert tomllib.loads((folder / "task.toml").read_text())["task"]["name"] == "toy/products-10"
    again = make(family, asked(tmp_path, n=1), said.append)
    assert said[1:] == ["products-10: there already"]
    assert again.instances[0].digest == made.instances[0].digest != ""


def test_what_is_not_proved_is_not_kept(tmp_path: Path) -> None:
    said: list[str] = []
    made = make(Products(weak=True), asked(tmp_path), said.append)
    assert said[0] == "products-10: proved"
    faults = ("shortcut constant: passed, though: the tests reward it", "shortcut constant: scores 1, not 0")
    assert made.instances[1].faults == faults
    assert said[1] == f"products-11: not kept: {'; '.join(faults)}"
    assert [one.name for one in made.dropped] == ["products-11"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["products-10"]


def test_the_reference_may_fail_at_the_open_check_alone(tmp_path: Path) -> None:
    draft = Products().draft(3)
    broken = draft.files | {"solution/solve.sh": "#!/bin/bash\necho 'print(1)' > /app/answer.py\n"}
    write(tmp_path / "task", broken)
    with pytest.raises(ValueError, match="with nothing expected, fails at answers, one, not at answers"):
        recorded(tmp_path / "task", "answers")


def test_without_a_proof_and_unfit(tmp_path: Path) -> None:
    said: list[str] = []
    made = make(Products(), asked(tmp_path, proof="none"), said.append, lambda folder, check: {"answer": 1.0})
    assert said == ["products-10: made, not proved", "products-11: made, not proved"]
    assert (tmp_path / "out/products-11/tests/expected.json").read_text() == '["1"]'

    def unfit(folder: Path, check: str) -> dict[str, float]:
        raise ValueError("all the same")

    lost = make(Products(), asked(tmp_path, seed=20, n=1), said.append, unfit)
    assert lost.dropped[0].faults == ("all the same",)
    assert made.dropped == ()


def test_another_folder_of_that_name_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out/products-10").mkdir(parents=True)
    with pytest.raises(
        UsageError, match="products-10 is there and is no such instance; remove it or choose another folder"
    ):
        make(Products(), asked(tmp_path))
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["products-10"]


def test_families_by_name() -> None:
    assert families() == ["b10", "b3"]
    assert all(family_named(name).name == name for name in families())
    with pytest.raises(UnknownNameError, match="unknown family 'b33'; did you mean b3"):
        family_named("b33")
