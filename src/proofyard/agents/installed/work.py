"""One attempt of an installed program: started in the sandbox, read while it works, its end told apart."""

from typing import Any, Final, Literal, NamedTuple

import msgspec

from proofyard.agents.ending import failure_of
from proofyard.agents.installed.cli import HOME, Cli, Reader, Report, Start
from proofyard.agents.installed.log import Log
from proofyard.agents.plugin import AgentSetup
from proofyard.core import Blobs, Brief, Ended, Failure, Finish, Meter, Process, Reason, Recorder, Sandbox, tree_of
from proofyard.models import Client, RetryPolicy

__all__ = ["Work", "listened", "reported"]

_PROMPT: Final = ".prompt"
_KEPT_MOST: Final = 32 << 20
_END_MS: Final = 20_000
_SAID_MOST: Final = 300
_ODD: Final = (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)
"""What comes of output that is not the program's own: what it runs can write there too, and must not end the attempt by it."""


class Work(NamedTuple):
    """The agent for one attempt."""

    cli: Cli
    setup: AgentSetup

    @property
    def needs(self) -> Literal["nothing", "sandbox", "host"]:
        """It works in a sandbox."""
        return "sandbox"

    def run(self, brief: Brief, sandbox: Sandbox | None, recorder: Recorder, meter: Meter, blobs: Blobs) -> Finish:
        """Work on a brief."""
        assert sandbox is not None
        job = self.cli.job(self.setup, brief.prompt, _retries(self.setup), brief.work.image)
        start = self.cli.start(job)
        self._lay(start, brief, sandbox, blobs)
        log = Log(self.setup, brief, sandbox, recorder, blobs)
        recorder.step("program", name=self.cli.name, version=self.cli.pinned, argv=list(start.argv))
        argv, env = list(start.argv), {"HOME": HOME, "SHELL": "/bin/bash", **start.env}
        if argv[0] != "python":
            # They read the prompt from their input, to its end.
            argv = ["/bin/sh", "-c", 'exec "$@" <"$0"', f"{HOME}/{_PROMPT}", *argv]
            env |= {} if job.brings_packages else {"PYTHONPATH": ""}
        process = sandbox.start(argv, env=env)
        reader = self.cli.reader(log)
        left = meter.remaining_ms()
        wall_ms = brief.work.limits.wall_ms if left is None else left
        ended, lines, odd = listened(process, reader, meter, wall_ms)
        log.finish()
        report = reported(reader)
        recorder.step("ended", code=ended.code, signal=ended.signal, fault=ended.fault, said=report.failure)
        recorder.keep("stdout", lines)
        recorder.keep("stderr", ended.stderr)
        return Finish(
            failure=self._failure(ended, report),
            reason=Reason.BUDGET if report.spent_out else None,
            provenance=self._facts(report) | ({"unreadable_lines": str(odd)} if odd else {}),
        )

    def _lay(self, start: Start, brief: Brief, sandbox: Sandbox, blobs: Blobs) -> None:
        sandbox.put(tree_of({_PROMPT: brief.prompt, **start.files}, blobs), HOME)
        for path, tree in start.trees.items():
            sandbox.put(tree, f"{HOME}/{path}")
        for name, tree in self.setup.condition.skills.items():
            sandbox.put(tree, f"{HOME}/{self.cli.skills}/{name}")

    def _failure(self, ended: Ended, report: Report) -> Failure | None:
        """Why the attempt is not one that ended well; None also for a limit of its own that was used up."""
        name = self.cli.name
        if ended.fault is None and report.spent_out:
            return None
        if ended.fault is None and report.failure:
            return Failure(code="agent_exit", message=f"{name}: {' '.join(report.failure.split())[:_SAID_MOST]}")
        return failure_of(ended, name)

    def _facts(self, report: Report) -> dict[str, str]:
        """What is kept of the program, and whether it counts what it used as the gateway does."""
        assert self.setup.model is not None
        spend = self.setup.model.spend()
        metered = f"input={spend.input_tokens} output={spend.output_tokens}"
        facts = {name: value[:_SAID_MOST] for name, value in report.facts.items()}
        facts["program"] = f"{self.cli.name} {self.cli.pinned}"
        if report.used is None:
            facts["usage_reported"] = "none"
        else:
            said = f"input={report.used.input} output={report.used.output}"
            same = (spend.input_tokens, spend.output_tokens) == report.used
            facts["usage_reported"] = said if same else f"{said}; the gateway counted {metered}"
        dropped = self.cli.dropped(self.setup.sampling)
        return facts | ({"dropped": dropped} if dropped else {})


def listened(process: Process, reader: Reader, meter: Meter, wall_ms: int) -> tuple[Ended, bytes, int]:
    """Read to the end; how it ended, what it said (the first of it, if that is much), how many lines could not be read."""
    kept = bytearray()
    odd = 0
    while True:
        left = meter.remaining_ms()
        reply = process.receive(max(1, wall_ms if left is None else left))
        if reply.line is None:
            break
        if len(kept) + len(reply.line) < _KEPT_MOST:
            kept += reply.line + b"\n"
        event = _event(reply.line)
        if event is not None:
            try:
                reader.event(event)
            except _ODD:
                odd += 1
    ended = process.finish(_END_MS)
    return ended, bytes(kept) + ended.stdout, odd


def reported(reader: Reader) -> Report:
    """What the program said of its end, as far as that can be read."""
    try:
        return reader.report()
    except _ODD as error:
        return Report(facts={"report": f"unreadable: {type(error).__name__}"})


def _event(line: bytes) -> dict[str, Any] | None:
    """A line as a JSON object; other lines are words for people."""
    try:
        value = msgspec.json.decode(line)
    except (msgspec.MsgspecError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _retries(setup: AgentSetup) -> int:
    """How often a call is made again for one answer: as often as the models of this run do."""
    model = setup.model.model if setup.model is not None else None
    policy = model.retry if isinstance(model, Client) else RetryPolicy()
    return policy.attempts - 1
