import re
from importlib.resources import files

import msgspec
import pytest

from proofyard.core import UnknownNameError, UsageError
from proofyard.images import Environment, environments, find_environment


def test_pins_are_exact_hashed_and_name_no_index() -> None:
    known = environments()
    assert list(known) == ["bigcodebench", "bigcodebench-small"]
    for environment in known.values():
        entries = re.findall(r"^\S.*(?:\n\s+.*)*", environment.lock, re.MULTILINE)
        assert len(entries) == len(environment.packages)
        assert all(
            re.match(r"[A-Za-z0-9._-]+==\S+( \\)?\n? *", entry) and "--hash=sha256:" in entry for entry in entries
        )
        assert not re.search(r"index-url|find-links|://|^-", environment.lock, re.MULTILINE)


def test_every_lock_holds_what_was_asked_for() -> None:
    for name, environment in environments().items():
        asked = (files("proofyard.images") / "locks" / f"{name}.in").read_text().split()
        pins = dict(line.lower().replace("_", "-").split("==") for line in asked if "==" in line)
        assert len(pins) >= 7
        assert {package: environment.packages.get(package) for package in pins} == pins


def test_the_small_one_is_part_of_the_whole() -> None:
    known = environments()
    whole, small = known["bigcodebench"].packages, known["bigcodebench-small"].packages
    assert {"numpy", "pandas", "matplotlib", "scikit-learn"} <= small.keys()
    assert {name: whole[name] for name in ("numpy", "pandas", "matplotlib", "scikit-learn", "scipy")} == {
        name: small[name] for name in ("numpy", "pandas", "matplotlib", "scikit-learn", "scipy")
    }


def test_the_fingerprint_is_of_the_content() -> None:
    one = Environment(name="one", python="3.11", lock="a==1 --hash=sha256:00\n")
    assert one.packages == {"a": "1"}
    assert msgspec.structs.replace(one, name="two", about="x").fingerprint == one.fingerprint
    assert msgspec.structs.replace(one, lock="a==2 --hash=sha256:00\n").fingerprint != one.fingerprint


def test_another_python_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^environment old is pinned for Python 3\.1, programs run on 3\.\d+"):
        _ = Environment(name="old", python="3.1", lock="").fingerprint


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="did you mean bigcodebench"):
        find_environment("bigcodebnch")
