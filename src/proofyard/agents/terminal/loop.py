"""The loop: ask the model, run what it wants, tell it what came of that, until it is done or a limit is reached."""

import json

import msgspec

from proofyard.agents.moves import answer_move, changes, shown_files
from proofyard.agents.plugin import AgentSetup
from proofyard.agents.terminal.protocol import SHELL, Asked, asked_in_text, asked_of_tools, results_of_tools, shown
from proofyard.agents.terminal.servers import Answered, Servers
from proofyard.agents.terminal.watch import Watch
from proofyard.agents.terminal.words import CUT, EMPTY, NOT_THERE, instructions, skills_in_words
from proofyard.core import Blobs, Brief, Finish, Meter, Move, MoveResult, Reason, Recorder, Sandbox, UsageError
from proofyard.models import Answer, BudgetSpent, Message, Request, system, user
from proofyard.sandbox.shell import Ran, Shell

__all__ = ["OBSERVED_MOST", "Loop"]

OBSERVED_MOST = 16_384
"""Bytes of a command's output that the model is shown: its beginning and its end."""
MISTAKES_MOST = 3
"""Answers in a row that cannot be used; the next one ends the attempt."""


class Loop:
    """One attempt at one brief."""

    def __init__(
        self, setup: AgentSetup, brief: Brief, sandbox: Sandbox, recorder: Recorder, meter: Meter, blobs: Blobs
    ) -> None:
        self._setup = setup
        self._brief = brief
        self._recorder = recorder
        self._meter = meter
        self._shell = Shell(sandbox)
        self._watch = Watch(sandbox, brief.work.image.workdir, blobs, setup.max_files, setup.max_bytes)
        self._by_tool = (
            setup.parameters.get("protocol") != "text" and setup.model is not None and setup.model.takes_tools
        )
        if setup.condition.mcp and not self._by_tool:
            raise UsageError("who says commands in text has no tools, and so no servers of them: leave mcp:FILE out")
        self._servers = Servers(sandbox, setup.condition.mcp)
        self._others = frozenset(tool.name for tool in self._servers.tools)
        rules = instructions(self._by_tool) + skills_in_words(setup.condition.skills, blobs)
        self._messages: list[Message] = [system(rules), user(brief.prompt + shown_files(brief.files, blobs))]
        self._moves = 0
        self._mistakes = 0
        self._reminded = False

    def run(self) -> Finish:
        """Work until the end. Raises what the model and the sandbox raise, and BudgetSpent if the run is over."""
        for message in self._messages:
            self._moves += 1
            self._recorder.move(
                Move(n=self._moves, source="system" if message.role == "system" else "user", message=message.text)
            )
        while True:
            try:
                answer = self._ask()
            except BudgetSpent as error:
                if error.of_run:
                    raise
                return self._end("budget", Reason.BUDGET, str(error))
            ended = self._act(answer)
            if ended is not None:
                return ended

    def _ask(self) -> Answer:
        assert self._setup.model is not None
        sampling, k = self._setup.sampling, self._setup.k
        if sampling.seed is not None:
            sampling = msgspec.structs.replace(sampling, seed=sampling.seed + k)
        tools = (SHELL, *self._servers.tools) if self._by_tool else ()
        return self._setup.model.generate(
            Request(messages=tuple(self._messages), tools=tools, sampling=sampling, sample=k)
        )

    def _act(self, answer: Answer) -> Finish | None:
        """Do what an answer asks for; how the attempt ended, if it did."""
        if answer.stop in {"context_window", "refusal"}:
            self._record(answer, [], [])
            reason = Reason.BUDGET if answer.stop == "context_window" else Reason.NO_SUBMISSION
            return self._end(answer.stop, reason)
        asked = asked_of_tools(answer, self._others) if self._by_tool else asked_in_text(answer)
        if answer.truncated:
            asked = [one._replace(problem=CUT) for one in asked] or [Asked(problem=CUT)]
        elif answer.empty:
            asked = [Asked(problem=EMPTY)]
        if not asked:
            return self._done(answer)
        ran = [None if one.problem else self._run(one) for one in asked]
        texts = [one.problem if did is None else shown(did) for one, did in zip(asked, ran, strict=True)]
        self._record(answer, asked, [_result(*row) for row in zip(asked, ran, texts, strict=True)])
        if answer.parts:
            self._messages.append(answer.message)
        self._messages.append(results_of_tools(asked, texts, [did is None for did in ran]))
        self._mistakes = self._mistakes + 1 if all(did is None for did in ran) else 0
        if self._mistakes > MISTAKES_MOST:
            return self._end("mistakes", Reason.TRUNCATED if answer.truncated else Reason.UNPARSABLE)
        return None

    def _run(self, asked: Asked) -> Ran | Answered:
        left = self._meter.remaining_ms()
        wall_ms = asked.timeout_s * 1000 if left is None else max(1, min(asked.timeout_s * 1000, left))
        if asked.tool:
            return self._servers.call(asked.tool, json.loads(asked.arguments), wall_ms)
        return self._shell.run(asked.command, wall_ms, OBSERVED_MOST)

    def _done(self, answer: Answer) -> Finish | None:
        """The model says that it is done; once it is asked again if the file that is wanted is not there."""
        self._record(answer, [], [])
        entry = self._brief.entry
        if not self._reminded and entry and entry not in self._watch.tree.entries:
            self._reminded = True
            self._messages.append(answer.message)
            self._messages.append(user(NOT_THERE.format(entry=entry)))
            return None
        return self._end("done")

    def _record(self, answer: Answer, asked: list[Asked], results: list[MoveResult]) -> None:
        before = self._watch.tree
        snapshot = self._watch.look() if asked else None
        self._moves += 1
        move = answer_move(self._moves, answer, tuple(results), changes(before, self._watch.tree), snapshot)
        if asked and not self._by_tool:
            commands = {"commands": msgspec.json.encode([one.command for one in asked if one.command]).decode()}
            move = msgspec.structs.replace(move, extra={**move.extra, **commands})
        self._recorder.move(move)

    def _end(self, how: str, reason: Reason | None = None, note: str = "") -> Finish:
        self._recorder.step("ended", how=how)
        return Finish(reason=reason, provenance={"end": how} | ({"note": note} if note else {}))


def _result(asked: Asked, ran: Ran | Answered | None, text: str) -> MoveResult:
    if ran is None:
        return MoveResult(call=asked.call, content=text, failed=True)
    if isinstance(ran, Answered):
        return MoveResult(call=asked.call, content=text, failed=ran.failed)
    return MoveResult(call=asked.call, content=text, code=ran.code, elided=ran.elided)
