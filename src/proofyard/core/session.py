"""Scenarios: what the session grader plays against a submission. Written by suites, read by graders.

A scenario starts from a fresh copy of the submission and an empty state folder, and is a list of sessions (one start of
the program each). A session is a list of rows played in lock-step: one request, one response.

Scenarios travel as JSON (`Hidden.expected`). JSON inside rows may hold placeholders, objects with exactly one key:

- `{"$id": "name"}` a random id, chosen anew per play, the same wherever the name recurs in the scenario. `{"$id": "name",
  "type": "integer"}` is a two-key form; without it ids are strings.
- `{"$var": "name"}` a value bound by an earlier row. In an expected value it must equal the bound value. With
  `"altered": "first"`, `"last"` or `"longer"` beside it: another value that is much like it (see `altered`).
- `{"$any": "string"}` in an expected value: any non-empty string. `{"$any": "message"}`: any string.
- `{"$bind": "name"}` in an expected value: any non-empty string, remembered under the name.

**Worlds.** After a kill in the middle the unacknowledged request may have happened or not. Then `expect` of later rows
has two values: index 0 if it did not happen, index 1 if it did; a row with one value holds in both. The grader keeps the
set of worlds that agree with all seen so far; a scenario fails when none is left. If the kill point never fires, the
response is compared with the row's `expect` (one value) and only world 1 goes on.
"""

from typing import Any, Final, Literal

from proofyard.core.record import Record
from proofyard.core.sandbox import KillPoint

__all__ = ["ALTERATIONS", "AssertionKind", "Row", "Scenario", "Session", "altered"]

ALTERATIONS: Final = ("first", "last", "longer")
"""What `altered` can do to a bound value."""

AssertionKind = Literal[
    "golden",
    "generated",
    "boundary",
    "malformed",
    "atomicity",
    "nesting",
    "conflicts",
    "retry",
    "restart",
    "mid-write",
]
"""What an assertion is there for; counts are shown per kind."""


class Row(Record, frozen=True, kw_only=True):
    """One request and the response wanted.

    send: the request as a JSON value with placeholders, or raw: the bytes of the line (base64) sent as they are.
    expect: one full response envelope per world, empty for a line that gets no response (blank lines). kind: what the
    assertion is there for; None if the row is not counted as one. kill: where the sandbox is killed while this row is
    under way; after a kill the session is over. of: if above 0, a numbered `kill` k means the call at k/of of the calls
    that the program makes for this request in a play without these kills. torn: see `Process.exchange`. unterminated:
    the line is sent without its line feed, then standard input is closed, and the response is what is read to the end;
    the last row of a session only, not with `kill`.
    """

    send: Any = None
    raw: str = ""
    expect: tuple[Any, ...] = ()
    kind: AssertionKind | None = None
    kill: KillPoint | None = None
    of: int = 0
    torn: bool = False
    unterminated: bool = False


class Session(Record, frozen=True, kw_only=True):
    """One start of the program. Unless a row kills it, it ends by end of input: exit code 0, no output after the last row."""

    rows: tuple[Row, ...]


class Scenario(Record, frozen=True, kw_only=True):
    """Sessions on one state folder, and the arguments the program is started with (`--state-dir` in max)."""

    name: str
    sessions: tuple[Session, ...]
    argv: tuple[str, ...] = ()
    public: bool = False


def altered(value: str, way: str) -> str:
    """A bound value with its first or its last character replaced by another letter, or with a `!` after it."""
    if way == "longer":
        return value + "!"
    spot = 0 if way == "first" else len(value) - 1
    return value[:spot] + ("B" if value[spot] == "A" else "A") + value[spot + 1 :]
