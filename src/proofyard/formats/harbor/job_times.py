"""Times of a Harbor job and ours: ISO 8601 of any offset there, UTC to the millisecond and lengths in microseconds here."""

from datetime import UTC, datetime, timedelta

from proofyard.formats.harbor.job_documents import Timing

__all__ = ["earliest", "later", "length_us", "our_time", "phase"]


def phase(started: str, wall_us: int) -> Timing | None:
    """A phase that began then and took so long; None if it is not known when."""
    return Timing(started_at=started, finished_at=later(started, wall_us)) if started else None


def later(started: str, wall_us: int) -> str:
    """The time so many microseconds later."""
    return _text(_moment(started) + timedelta(microseconds=wall_us), "microseconds")


def our_time(text: str | None) -> str:
    """A time as the store writes it; without an offset it is UTC. Raises ValueError if it is none."""
    return _text(_moment(text), "milliseconds") if text else ""


def length_us(timing: Timing | None) -> int:
    """How long a phase took in microseconds; 0 if it has no beginning or no end. Raises ValueError."""
    if timing is None or not timing.started_at or not timing.finished_at:
        return 0
    return max(0, (_moment(timing.finished_at) - _moment(timing.started_at)) // timedelta(microseconds=1))


def earliest(texts: list[str]) -> str:
    """The first of some times, empty if there are none."""
    return min((text for text in texts if text), key=_moment, default="")


def _moment(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def _text(moment: datetime, to: str) -> str:
    return moment.isoformat(timespec=to).replace("+00:00", "Z")
