"""How often and how long."""

import random

from proofyard.models import RetryPolicy
from proofyard.models.faults import Fault

AGAIN = Fault("model_server_error", "x", retry=True)


def test_pauses_double_up_to_the_cap_and_half_is_chance() -> None:
    policy = RetryPolicy(attempts=20)
    for attempt, full in enumerate([1, 2, 4, 8, 16, 32, 60, 60, 60], 1):
        found = [policy.pause_ms(attempt, AGAIN, random.Random(seed)) or 0 for seed in range(50)]
        assert full * 500 <= min(found) < max(found) <= full * 1000
    assert policy.pause_ms(19, AGAIN, random.Random(1)) is not None


def test_attempts_are_bounded() -> None:
    policy = RetryPolicy(attempts=3)
    chance = random.Random(1)
    assert [policy.pause_ms(n, AGAIN, chance) is None for n in (1, 2, 3, 4)] == [False, False, True, True]
    assert policy.pause_ms(1, Fault("model_auth", "x"), chance) is None
    assert RetryPolicy(attempts=1).pause_ms(1, AGAIN, chance) is None


def test_a_pause_asked_for_is_never_shortened() -> None:
    policy = RetryPolicy(longest_ms=10_000)
    for asked in (0, 1, 2_000, 10_000):
        for seed in range(20):
            pause = policy.pause_ms(1, AGAIN._replace(retry_after_ms=asked), random.Random(seed))
            assert pause is not None
            assert asked <= pause <= asked * 1.1
    assert policy.pause_ms(1, AGAIN._replace(retry_after_ms=10_001), random.Random(1)) is None
