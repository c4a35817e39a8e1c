"""A recorder and a meter for agents under test."""

import threading
import time
from typing import Any

from proofyard.core import Move


class Notes:
    def __init__(self) -> None:
        self.steps: list[tuple[str, dict[str, Any]]] = []
        self.kept: dict[str, bytes] = {}
        self.moves: list[Move] = []

    def step(self, kind: str, **data: object) -> None:
        self.steps.append((kind, dict(data)))

    def move(self, move: Move) -> None:
        self.moves.append(move)

    def keep(self, name: str, data: bytes) -> None:
        self.kept[name] = data


class Clock:
    def __init__(self, wall_s: float | None = None) -> None:
        self.deadline = None if wall_s is None else time.monotonic() + wall_s
        self.halt = threading.Event()

    def remaining_ms(self) -> int | None:
        return None if self.deadline is None else max(0, int((self.deadline - time.monotonic()) * 1000))

    def stopped(self) -> bool:
        return self.halt.is_set()
