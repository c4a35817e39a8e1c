"""One scenario played against one submission in one sandbox: sessions in lock-step, kills, restarts, comparison."""

import base64
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, NamedTuple, NoReturn

from msgspec.structs import replace

from proofyard.core import (
    AssertionKind,
    BadJSON,
    Ended,
    Evidence,
    Failure,
    InfrastructureError,
    KillPoint,
    Limits,
    Process,
    Reason,
    Reply,
    Row,
    Sandbox,
    Scenario,
    Session,
    dumps,
    loads,
)
from proofyard.graders import blame, wording
from proofyard.graders.envelope import match
from proofyard.graders.outcome import Shortfall
from proofyard.graders.placeholders import NOTHING, UnboundError, Values, illustrated

__all__ = ["Calls", "Played", "kinds", "measure", "measured", "play"]

Calls = dict[tuple[int, int], int]
"""Session and row (from 1) -> how many state-changing calls the program made for that request."""

_NEVER: Final = 1_000_000
"""A kill point past every call: nothing is killed, but calls are counted."""

_AFTERMATH_MS: Final = 500
"""How long a program that has failed already is given to say why on standard error."""


class Played(NamedTuple):
    """What came of a scenario: assertions passed per kind, the first shortfall, whether the wall clock ended it."""

    passed: Counter[AssertionKind]
    shortfall: Shortfall | None
    timed_out: bool


class _Over(Exception):  # noqa: N818 - not an error: the scenario cannot go on
    """The program died or hung: nothing after this counts as passed."""


def kinds(scenario: Scenario) -> Counter[AssertionKind]:
    """How many assertions of each kind a scenario has."""
    return Counter(row.kind for session in scenario.sessions for row in session.rows if row.kind is not None)


def measured(scenario: Scenario) -> bool:
    """Whether the calls of a scenario's requests must be counted before it can be played."""
    return any(row.of > 0 for session in scenario.sessions for row in session.rows)


def measure(scenario: Scenario, sandbox: Sandbox, entry: str, limits: Limits, seed: str) -> Calls:
    """Play a scenario without the kills whose place depends on the number of calls, and count these calls.

    After such a request the session is over, as if it had been killed. Whatever fails ends no more than this: a program
    that dies or hangs leaves the counts made so far.

    Raises:
        InfrastructureError: as for `play`.

    """
    counting = _Play(scenario, sandbox, entry, limits, Values(seed), None)
    counting.run()
    return counting.calls


def play(
    scenario: Scenario,
    sandbox: Sandbox,
    entry: str,
    limits: Limits,
    seed: str,
    calls: Calls | None = None,
    *,
    first_fault: bool = False,
) -> Played:
    """Play all sessions of a scenario in a sandbox that holds the submission and an empty state.

    calls: what `measure` counted, where it had to. first_fault: end at the first thing that goes wrong.

    A response that differs is counted and the play goes on; a program that dies or hangs ends it. Assertions which a
    fired kill point made impossible count as passed, so that the total is the same for every submission.

    Raises:
        InfrastructureError: the sandbox was lost, or a kill was not confirmed.

    """
    return _Play(scenario, sandbox, entry, limits, Values(seed), calls or {}, first_fault=first_fault).run()


class _Play:
    def __init__(
        self,
        scenario: Scenario,
        sandbox: Sandbox,
        entry: str,
        limits: Limits,
        values: Values,
        known: Calls | None,
        *,
        first_fault: bool = False,
    ) -> None:
        self._scenario = scenario
        self._sandbox = sandbox
        self._argv = ["python", entry, *scenario.argv]
        self._limits = limits
        self._values = values
        self._known = known  # None: this is a play that counts calls
        self._first_fault = first_fault
        self.calls: Calls = {}
        self._worlds = {1}
        self._killed = ""  # how the session before ended: "response", "middle" or ""
        self._cut = ""  # where it was killed in the middle
        self._number = 1
        self._passed: Counter[AssertionKind] = Counter()
        self._last: AssertionKind | None = None  # the assertion passed last in this session
        self._tainted = False  # a row that is not counted itself failed: the next assertion fails with it
        self._shortfall: Shortfall | None = None
        self._timed_out = False

    def run(self) -> Played:
        """Play everything."""
        try:
            for number, session in enumerate(self._scenario.sessions, 1):
                if number > 1 and not self._sandbox.kill():
                    raise InfrastructureError(
                        Failure(
                            code="kill_unconfirmed", message="a process outlived its kill; its state was thrown away"
                        )
                    )
                self._session(number, session)
        except _Over:
            pass
        return Played(self._passed, self._shortfall, self._timed_out)

    def _session(self, number: int, session: Session) -> None:
        self._number = number
        which = "the session before" if self._killed == "middle" else "an earlier session"
        self._after = f"; {which} was {self._cut}" if self._cut else ""
        self._process: Process = self._sandbox.start(self._argv)
        self._deadline = time.monotonic() + self._limits.wall_ms / 1000
        self._started = False
        self._fresh = False
        self._last = None
        self._tainted = False
        self._quiet: list[Row] = []
        self._ended: Ended | None = None
        for index, row in enumerate(session.rows):
            self._at = (number, index + 1)
            self._where = f"scenario {self._scenario.name}, session {number}, row {index + 1}"
            if row.kind is not None:
                self._where += f" ({row.kind})"
            if self._row(row, _owner(session.rows, index)):
                self._settle_quiet()
                for skipped in session.rows[index + 1 :]:
                    self._count(skipped, ok=True)
                return
        ended = self._ended or self._process.finish(self._remaining_ms())
        self._where = f"scenario {self._scenario.name}, end of session {number}"
        self._end(ended)

    def _row(self, row: Row, kind: AssertionKind | None) -> bool:
        """Play one row; True if its kill point fired and the session is over."""
        try:
            self._request = self._line(row)
        except UnboundError as error:
            note = f"the request needs {error}, which no earlier response gave"
            self._fail(blame.of_mismatch(kind, [{}], {}, restarted=self._number > 1), note)
            self._count(row, ok=False)
            return False
        if not row.expect:
            self._process.send(self._request + (b"" if row.unterminated else b"\n"))
            self._quiet.append(row)
            return False
        if row.unterminated:
            self._unterminated(row, kind)
            return False
        kill = self._kill_point(row)
        reply = self._process.exchange(self._request, self._remaining_ms(), kill, torn=row.torn)
        if reply.killed and reply.line is None and row.kill != "response":
            self._worlds = {0, 1}
            self._killed = "middle"
            self._cut = f"killed at state-changing call {kill} of {self._named(row)}"
            self._count(row, ok=True)
            return True
        self._take(row, kind, reply)
        if isinstance(row.kill, int):
            self._worlds = {1}
        if kill == _NEVER:
            self.calls[self._at] = reply.calls
            self._killed = "response"
            return True
        if reply.killed:
            self._killed = "response"
        elif row.kill == "response":
            raise InfrastructureError(
                Failure(code="kill_unconfirmed", message="the sandbox did not kill the program inside its response")
            )
        return reply.killed

    def _kill_point(self, row: Row) -> KillPoint | None:
        """Where this row is killed; its share of the calls counted, or the number as it is where none were."""
        if row.of == 0 or not isinstance(row.kill, int):
            return row.kill
        if self._known is None:
            return _NEVER
        counted = self._known.get(self._at, 0)
        return max(1, -(-row.kill * counted // row.of)) if counted else row.kill

    def _unterminated(self, row: Row, kind: AssertionKind | None) -> None:
        """Play a last line without its line feed: the response is what is read up to the end."""
        self._process.send(self._request)
        ended = self._process.finish(self._remaining_ms())
        line, _, rest = ended.stdout.partition(b"\n")
        ok = False
        if ended.stdout:
            self._started = True
            ok = self._compare(row, kind, line)
            self._quiet.clear()
        else:
            reason, note = blame.of_end(ended, self._limits) or (Reason.WRONG_RESULT, "no response")
            note += "; the last line of the input, a request, has no line feed"
            self._fail(reason, note, expected=self._expected(row), stderr=ended.stderr)
        self._count(row, ok=ok)
        self._ended = replace(ended, stdout=rest)

    def _line(self, row: Row) -> bytes:
        if row.raw or (row.send is None and not row.expect):  # the empty line is neither
            return base64.b64decode(row.raw)
        return dumps(self._values.request(row.send))

    def _take(self, row: Row, kind: AssertionKind | None, reply: Reply) -> None:
        """Judge what came of a request that wants a response."""
        if reply.line is None or (reply.fault is not None and reply.fault != "killed"):
            self._hard(reply, row)
        self._started = True
        ok = self._compare(row, kind, reply.line)
        self._quiet.clear()
        self._count(row, ok=ok)

    def _compare(self, row: Row, kind: AssertionKind | None, line: bytes) -> bool:
        """Compare a response in each world that is still possible; keep the worlds it agrees with."""
        expected = self._expected(row)
        try:
            got = loads(line, max_bytes=self._limits.line)
        except BadJSON as error:
            note = f"the response is not strict JSON: {error}"
            self._fail(Reason.WRONG_RESULT, note, expected=expected, got=wording.shown(line))
            return False
        agreeing, first = set(), None
        for world, wanted in expected.items():
            found: dict[str, str] = {}
            mismatch = match(wanted, got, partial(self._values.match, found=found))
            if mismatch is None:
                agreeing.add(world)
                self._values.bind(found)
            first = first or mismatch
        if first is None or agreeing or first.path not in {"$", "$.id"}:
            self._settle_quiet()
        if agreeing:
            self._worlds = agreeing
        elif first is not None:
            reason = blame.of_mismatch(kind, list(expected.values()), got, restarted=self._number > 1)
            first = first._replace(expected=illustrated(first.expected, first.got))
            self._fail(reason, wording.difference(first), expected=expected, came=got, got=wording.shown(line))
        return bool(agreeing)

    def _expected(self, row: Row) -> dict[int, Any]:
        """The envelope wanted in each world that is still possible."""
        if len(row.expect) == 1:
            wanted = self._values.expected(row.expect[0])
            return dict.fromkeys(sorted(self._worlds), wanted)
        return {world: self._values.expected(row.expect[world]) for world in sorted(self._worlds)}

    def _end(self, ended: Ended) -> None:
        """Look at how the program took the end of its input."""
        self._killed = ""
        if self._shortfall is not None and self._fresh:
            evidence = replace(self._shortfall.evidence, stderr=wording.stderr_tail(ended.stderr))
            self._shortfall = self._shortfall._replace(evidence=evidence)
        wrong = blame.of_end(ended, self._limits)
        if wrong is None:
            self._settle_quiet()
            if self._tainted:
                self._uncount()
            return
        self._request = b""
        cost = "; a wrong end costs the session its last row" if self._last is not None else ""
        self._fail(wrong[0], wrong[1] + cost, got=wording.quoted(ended.stdout), stderr=ended.stderr)
        self._uncount()
        if ended.fault is not None:
            self._timed_out = ended.fault == "timeout"
            raise _Over

    def _hard(self, reply: Reply, row: Row) -> NoReturn:
        """The program gave no response that counts."""
        known = blame.of_fault(reply.fault, self._limits) if reply.fault is not None else None
        ended = self._aftermath()
        if known is None:
            known = blame.of_death(ended, started=self._started, killed=self._killed, limits=self._limits)
        self._timed_out = reply.fault == "timeout"
        got = wording.shown(reply.line) if reply.line is not None else wording.quoted(ended.stdout)
        self._fail(known[0], known[1], expected=self._expected(row), got=got, stderr=ended.stderr)
        raise _Over

    def _aftermath(self) -> Ended:
        return self._process.finish(_AFTERMATH_MS)

    def _settle_quiet(self) -> None:
        """Lines that want no response got none: what came next was the response to the next line, or the end."""
        for kind in (row.kind for row in self._quiet if row.kind is not None):
            self._passed[kind] += 1
            self._last = kind
        self._quiet.clear()

    def _count(self, row: Row, *, ok: bool) -> None:
        if row.kind is None:
            self._tainted = self._tainted or not ok
            return
        if ok and not self._tainted:
            self._passed[row.kind] += 1
            self._last = row.kind
        self._tainted = False

    def _uncount(self) -> None:
        """Take back the assertion passed last: what followed it was wrong."""
        if self._last is not None:
            self._passed[self._last] -= 1
            self._last = None

    def _fail(
        self,
        reason: Reason,
        note: str,
        *,
        expected: dict[int, Any] | None = None,
        came: Any = NOTHING,
        got: str = "",
        stderr: bytes = b"",
    ) -> None:
        if self._shortfall is not None:
            return
        if self._quiet:
            note += "; the line before was blank and wants no response"
        note += self._after
        evidence = Evidence(
            where=self._where,
            request=wording.shown(self._request),
            expected=wording.either([illustrated(value, came) for value in expected.values()]) if expected else "",
            got=got,
            stderr=wording.stderr_tail(stderr),
            note=note,
        )
        self._shortfall = Shortfall(reason, evidence)
        self._fresh = True
        if self._first_fault:
            raise _Over

    def _named(self, row: Row) -> str:
        """A request as notes on later sessions name it."""
        op = row.send.get("op") if isinstance(row.send, dict) else None
        torn = ", with half of it written if it was a write" if row.torn else ""
        return f"request {op} ({self._where.partition(', ')[2]}){torn}"

    def _remaining_ms(self) -> int:
        return max(1, int((self._deadline - time.monotonic()) * 1000))


def _owner(rows: Sequence[Row], index: int) -> AssertionKind | None:
    """What a row is there for: its own kind, else that of the next assertion, else of the one before."""
    after = (row.kind for row in rows[index:])
    before = (row.kind for row in reversed(rows[:index]))
    return next((kind for kind in (*after, *before) if kind is not None), None)
