"""Templates: every marker is filled, also those in what is filled in; one that is left is an error."""

import pytest

from proofyard.forge.filling import fill, template, templates


def test_markers_are_filled_also_in_what_is_filled_in() -> None:
    assert fill("a «X» b «Y»", {"X": "1 «Y»", "Y": "2"}) == "a 1 2 b 2"


@pytest.mark.parametrize(
    ("text", "values", "said"),
    [
        ("«X» «Z»", {"X": "1"}, "nothing to fill in for «Z»"),
        ("«X»", {"X": "«Y»"}, "nothing to fill in for «Y»"),
        ("« X»", {"X": "1"}, "a marker is left"),
        ("«X»", {"X": "1 »"}, "a marker is left"),
        ("«X»", {"X": "«X»"}, "a marker is left"),
    ],
)
def test_what_is_left_is_an_error(text: str, values: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        fill(text, values)


def test_templates_by_their_paths() -> None:
    assert templates("shared") == (
        "environment/Dockerfile",
        "tests/entry.py",
        "tests/reward.py",
        "tests/store_integrity.py",
        "tests/test.sh",
    )
    assert template("shared/tests/test.sh").startswith("#!/bin/bash\n")
