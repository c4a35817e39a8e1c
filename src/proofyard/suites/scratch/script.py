"""Writing scenarios: each request is carried out by the program at once, and its response becomes what is expected.

A `Stage` collects the scenarios of one task; a `Script` writes one scenario. A row is counted as an assertion (it gets a
kind) only if no earlier row of the task has the same state, operation, arguments and expected response.
"""

import base64
import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from msgspec.structs import replace

from proofyard.core import AssertionKind, KillPoint, Row, Scenario, Session, altered
from proofyard.suites.scratch.cases import Cases, cases_of
from proofyard.suites.scratch.family import Family
from proofyard.suites.scratch.machine import Machine, canonical
from proofyard.suites.scratch.program.store import Tables
from proofyard.suites.scratch.tiers import Tier

__all__ = ["Cut", "Script", "Stage", "resolved"]

_STATELESS = frozenset({"bad_json", "bad_request", "unknown_op", "invalid_args"})
_PAGED = frozenset({"list", "history"})


class Cut(NamedTuple):
    """A kill in the middle of a request: at `point`/`of` of its calls, `torn` if a write is to be done by half."""

    point: int
    of: int
    torn: bool = False


class Stage:
    """The scenarios of one task, in the order in which they are graded."""

    def __init__(self, tier: Tier, family: Family, seed: int) -> None:
        self.tier = tier
        self.family = family
        self.cases: Cases = cases_of(family, seed)
        self.documents: list[dict[str, Any]] = [{"op": op, "args": args} for op, args in self.cases.valid]
        self._seen: set[bytes] = set()
        self._scripts: list[Script] = []

    def script(self, name: str, *, public: bool = False) -> "Script":
        """Open a new scenario."""
        script = Script(self, name, public)
        self._scripts.append(script)
        return script

    def first_time(self, *facts: object) -> bool:
        """Whether these facts were never given before."""
        digest = sha256(canonical(facts)).digest()
        if digest in self._seen:
            return False
        self._seen.add(digest)
        return True

    def scenarios(self) -> tuple[Scenario, ...]:
        """All scenarios written so far."""
        return tuple(script.scenario() for script in self._scripts)


class Script:
    """One scenario under way. `kind` is what following rows are there for; change it as the scenario goes on."""

    def __init__(self, stage: Stage, name: str, public: bool) -> None:
        self.stage = stage
        self.kind: AssertionKind = "generated"
        self._name = name
        self._public = public
        self._sessions: list[Session] = []
        self._rows: list[Row] = []
        self._asked = 0
        self._worlds = [Machine(stage.tier, stage.family)]
        self._bound: list[dict[str, str]] = [{}]

    def scenario(self) -> Scenario:
        """The scenario; the session under way ends by end of input."""
        sessions = (*self._sessions, Session(rows=tuple(self._rows)))
        return Scenario(name=self._name, sessions=sessions, argv=self.stage.tier.argv, public=self._public)

    def ask(
        self,
        op: str,
        args: Mapping[str, Any] | None = None,
        *,
        id: Any = None,  # noqa: A002 - the name it has in a request
        bind: str = "",
        extra: Mapping[str, Any] | None = None,
        kill: KillPoint | Cut | None = None,
        unterminated: bool = False,
    ) -> None:
        """Send a request.

        args: None leaves them out. id: literal, or a placeholder if None. bind: remember `next_cursor` of the result
        under this name (`{"$var": name}` in later arguments). extra: further keys of the envelope.
        unterminated: as the last line of the session, without its line feed; then another session starts on the
        same state.
        """
        self._asked += 1
        identity = self._placeholder() if id is None else id
        send = {"id": identity, "op": op, **({} if args is None else {"args": dict(args)}), **(extra or {})}
        lines = [
            json.dumps(resolved({**send, "id": 0} if id is None else send, bound)).encode() for bound in self._bound
        ]
        cut = kill if isinstance(kill, Cut) else None
        before = self._states()
        disk = self._worlds[0].disk.tables
        responses = [world.respond(line) for world, line in zip(self._worlds, lines, strict=True)]
        expect = [self._expected(n, response, op, bind) for n, response in enumerate(responses)]
        counted = self._is_new(
            before, {**send, "id": id}, responses[-1], [*expect, unterminated, bool(cut and cut.torn)]
        )
        if id is None:
            expect = [{**envelope, "id": identity} for envelope in expect]
        row = Row(send=send, expect=_merged(expect), kind=self.kind if counted else None, unterminated=unterminated)
        self._add(_killed(row, kill))
        self._after(kill, disk)
        if unterminated:
            self.restart()

    def check(self, *requests: tuple[str, Mapping[str, Any]]) -> None:
        """Send requests that are one assertion together, e.g. a list and a get of everything: the last row carries it."""
        start = len(self._rows)
        for op, args in requests:
            self.ask(op, args)
        *earlier, last = self._rows[start:]
        counted = any(row.kind is not None for row in (*earlier, last))
        self._rows[start:] = [
            *(replace(row, kind=None) for row in earlier),
            replace(last, kind=self.kind if counted else None),
        ]

    def raw(self, line: bytes, *, unterminated: bool = False) -> None:
        """Send a line as it is; a blank one gets no response. A line feed is added unless `unterminated` (as for `ask`)."""
        text = base64.b64encode(line).decode()
        if not line.strip(b" \t\r\n"):
            expect: list[dict[str, Any]] = []
            counted = self.stage.first_time("blank", text, unterminated)
        else:
            before = self._states()
            responses = [world.respond(line) for world in self._worlds]
            expect = [self._expected(n, response, "", "") for n, response in enumerate(responses)]
            counted = self._is_new(before, text, responses[-1], [*expect, unterminated])
        kind = self.kind if counted else None
        self._add(Row(raw=text, expect=_merged(expect), kind=kind, unterminated=unterminated))
        if unterminated:
            self.restart()

    def restart(self) -> None:
        """End the session by end of input and start another on the same state."""
        self._end_session()
        for world in self._worlds:
            world.start()
        self._join_worlds()

    def restart_hard(self) -> None:
        """Where there is a state folder, kill at the response of a last request and start again; else a plain restart."""
        if self.stage.tier.durable:
            self.ask("list", {"limit": 1}, kill="response")
        else:
            self.restart()

    def _placeholder(self) -> dict[str, str]:
        name = {"$id": f"r{self._asked}"}
        return {**name, "type": "integer"} if self._asked % 3 == 0 else name

    def _add(self, row: Row) -> None:
        self._rows.append(row)

    def _end_session(self) -> None:
        self._sessions.append(Session(rows=tuple(self._rows)))
        self._rows = []

    def _after(self, kill: KillPoint | Cut | None, disk: Tables | None) -> None:
        """Go on in the worlds there are after a request that was killed at `kill`; `disk` is the state before it."""
        if kill is None:
            self._join_worlds()
            return
        self._end_session()
        if kill != "response":
            if len(self._worlds) != 1:
                raise ValueError(f"{self._name}: a kill in the middle while an earlier one is still open")
            undone = Machine(self.stage.tier, self.stage.family, disk)
            self._worlds.insert(0, undone)
            self._bound.insert(0, dict(self._bound[0]))
        for world in self._worlds:
            world.start()
        self._join_worlds()

    def _states(self) -> list[bytes]:
        return [world.state() for world in self._worlds]

    def _join_worlds(self) -> None:
        """Two worlds that no request can tell apart are one."""
        if len(self._worlds) == 2 and len(set(self._states())) == 1 and self._bound[0] == self._bound[1]:
            del self._worlds[0], self._bound[0]

    def _expected(self, world: int, response: dict[str, Any], op: str, bind: str) -> dict[str, Any]:
        if not response["ok"]:
            return {**response, "error": {**response["error"], "message": {"$any": "message"}}}
        result = response["result"]
        if op in _PAGED and isinstance(result.get("next_cursor"), str):
            if bind:
                self._bound[world][bind] = result["next_cursor"]
            result = {**result, "next_cursor": {"$bind": bind} if bind else {"$any": "string"}}
        elif bind:
            raise ValueError(f"{self._name}: no cursor to bind as {bind!r}")
        return {**response, "result": result}

    def _is_new(self, before: list[bytes], request: object, response: dict[str, Any], expect: list[Any]) -> bool:
        """Whether the row counts. What depends on no state is compared without it."""
        stateless = not response["ok"] and response["error"]["code"] in _STATELESS
        if isinstance(request, dict) and request["op"] in self.stage.family.program.OPERATIONS:
            stateless = True
        return self.stage.first_time(() if stateless else before, request, expect)


def _killed(row: Row, kill: KillPoint | Cut | None) -> Row:
    if isinstance(kill, Cut):
        return replace(row, kill=kill.point, of=kill.of, torn=kill.torn)
    return replace(row, kill=kill)


def _merged(expect: list[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """One value if all worlds expect the same, else one each."""
    return tuple(expect[:1] if all(value == expect[0] for value in expect) else expect)


def resolved(value: Any, bound: Mapping[str, str]) -> Any:
    """The value with bound values in the places of `{"$var": name}`."""
    if not bound:
        return value
    if isinstance(value, dict):
        if set(value) == {"$var"}:
            return bound[value["$var"]]
        if set(value) == {"$var", "altered"}:
            return altered(bound[value["$var"]], value["altered"])
        return {key: resolved(item, bound) for key, item in value.items()}
    return [resolved(item, bound) for item in value] if isinstance(value, list) else value
