"""events.jsonl: at which of the ten steps of the main job a run and each of its trials is.

Events may be lost, and nothing is ever decided by them.
"""

import contextlib
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

__all__ = ["STEPS", "Event", "append_event", "now", "read_events"]

STEPS: Final = {
    1: "request",
    2: "load",
    3: "plan",
    4: "owed",
    5: "open",
    6: "agent",
    7: "snapshot",
    8: "grade",
    9: "journal",
    10: "report",
}
"""The steps of the main job; each is logged as it begins."""


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event: when (UTC), which step, of which trial, and what else there is to say."""

    at: str
    step: int
    name: str
    trial: str = ""
    note: str = ""


def now() -> str:
    """The time in UTC, ISO 8601 with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def append_event(run: Path, step: int, trial: str = "", note: str = "") -> None:
    """Append an event to a run's events.jsonl, whole lines also from several threads; a failure to do so is no failure."""
    line = msgspec.json.encode(Event(now(), step, STEPS[step], trial, note)) + b"\n"
    with contextlib.suppress(OSError):
        fd = os.open(run / "events.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            os.write(fd, line)
        finally:
            os.close(fd)


def read_events(run: Path) -> list[Event]:
    """Return the events of a run; lines that cannot be read are passed over."""
    events = []
    try:
        lines = (run / "events.jsonl").read_bytes().splitlines()
    except OSError:
        return []
    for line in lines:
        with contextlib.suppress(msgspec.MsgspecError):
            events.append(msgspec.json.decode(line, type=Event))
    return events
