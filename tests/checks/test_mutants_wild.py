import json
from collections import Counter

import pytest

from proofyard.checks.mutants.wild import CURSOR, Wild
from proofyard.suites.scratch.families import FAMILIES
from proofyard.suites.scratch.tiers import TIERS

FAMILY = FAMILIES["round-robin"]


def lines(tier: str, seed: str, count: int = 2000) -> list[bytes]:
    wild = Wild(TIERS[tier], FAMILY, seed)
    return [wild.line() for _ in range(count)]


def operations(found: list[bytes]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for line in found:
        try:
            request = json.loads(line)
        except ValueError:
            counts["broken"] += 1
            continue
        if isinstance(request, dict) and isinstance(request.get("op"), str):
            counts[request["op"]] += 1
    return counts


def test_a_seed_gives_the_same_lines_and_another_others() -> None:
    assert lines("max", "a", 50) == lines("max", "a", 50)
    assert not set(lines("max", "a", 50)) & set(lines("max", "b", 50))


@pytest.mark.parametrize(
    ("tier", "more"),
    [
        ("easy", set()),
        ("intermediate", {"create", "get", "update", "delete", "list", "evaluate"}),
        ("hard", {"batch", "begin", "commit", "rollback"}),
        ("max", {"history"}),
    ],
)
def test_every_operation_of_a_tier_comes_up_and_none_of_a_higher(tier: str, more: set[str]) -> None:
    counts = operations(lines(tier, "a"))
    assert set(counts) >= {"schedule", "compare", "unknown", "broken", *more}
    assert ("history" in counts) == (tier == "max")
    assert ("batch" in counts) == (tier in {"hard", "max"})
    assert ("create" in counts) == (tier != "easy")


def test_max_asks_with_keys_revisions_limits_and_cursors() -> None:
    text = b"\n".join(lines("max", "a"))
    for name in ("idempotency_key", "if_revision", "revision", "limit", "prefix", CURSOR, CURSOR + "A"):
        assert f'"{name}"'.encode() in text, name


def test_no_line_is_blank() -> None:
    assert all(line.strip(b" \t\r\n") and b"\n" not in line for line in lines("hard", "c", 4000))
