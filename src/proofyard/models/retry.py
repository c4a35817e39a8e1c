"""How often a call is tried again, and how long it waits before."""

import random

from proofyard.core import Record
from proofyard.models.faults import Fault

__all__ = ["RetryPolicy"]


class RetryPolicy(Record, frozen=True, kw_only=True):
    """Bounds of our retries; the SDKs' own are off. Times in milliseconds.

    attempts: calls in all, the first included. first_ms doubles with each attempt up to cap_ms, and half of it is left to
    chance. A pause the provider asks for is kept to the full; one longer than longest_ms is not waited for: the call
    fails at once, and the trial runs again later.
    """

    attempts: int = 6
    first_ms: int = 1_000
    cap_ms: int = 60_000
    longest_ms: int = 300_000

    def pause_ms(self, attempt: int, fault: Fault, chance: random.Random) -> int | None:
        """Return the pause after attempt number `attempt` (from 1), None if there is no other."""
        if not fault.retry or attempt >= self.attempts:
            return None
        asked = fault.retry_after_ms
        if asked is not None:
            spread = chance.random() * min(1_000, asked // 10)
            return None if asked > self.longest_ms else asked + int(spread)
        full = min(self.cap_ms, self.first_ms << min(attempt - 1, 30))
        return int(full / 2 + chance.random() * full / 2)
