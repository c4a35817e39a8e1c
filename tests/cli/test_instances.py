"""`proofyard instances` on a small family: what it prints, writes and exits with."""

import json
from pathlib import Path

import pytest

from proofyard.forge import family

from ..forge import products
from .tool import verb


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(family._FAMILIES, "products", products.__name__)


def test_made_and_gone_on_with(tmp_path: Path) -> None:
    asked = ("instances", "products", "--seed", "30", "--output", tmp_path / "out")
    done = verb(*asked, "--n", "1")
    assert (done.code, done.out) == (0, f"products-30: proved\n{tmp_path / 'out'}: 1/1 instances of products kept\n")
    done = verb(*asked, "--n", "2", "--no-prove", "--json")
    assert (done.code, done.err) == (0, "products-30: there already\nproducts-31: made, not proved\n")
    report = json.loads(done.out)
    assert report == json.loads((tmp_path / "out/instances.json").read_text())
    assert [(one["name"], one["seed"], one["faults"]) for one in report["instances"]] == [
        ("products-30", 30, []),
        ("products-31", 31, []),
    ]
    assert all(one["digest"].startswith("sha256:") for one in report["instances"])
    assert verb("lint", tmp_path / "out").code == 0


def test_what_is_not_kept_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "FAMILY", products.Products(weak=True))
    done = verb("instances", "products", "--n", "1", "--seed", "31", "--output", tmp_path)
    assert done.code == 1
    assert done.out.splitlines() == [
        "products-31: not kept: shortcut constant: passed, though: the tests reward it; shortcut constant: scores 1, not 0",
        f"{tmp_path}: 0/1 instances of products kept",
    ]


def test_refused_in_one_line(tmp_path: Path) -> None:
    verb("instances", "product", "--seed", "1", "--output", tmp_path).refused(2, "unknown family", "products")
    both = verb("instances", "products", "--seed", "1", "--output", tmp_path, "--full", "--no-prove")
    both.refused(2, "--full and --no-prove")
    (tmp_path / "file").touch()
    verb("instances", "products", "--seed", "1", "--output", tmp_path / "file").refused(2, "cannot write")
