"""Tasks: what is asked (`Brief`), how it is graded (`Step`), and what is known to pass or fail (`Solution`)."""

from typing import Literal

import msgspec

from proofyard.core.reasons import Outcome, Reason
from proofyard.core.record import Record, digest_of, sha256
from proofyard.core.sandbox import SandboxSpec
from proofyard.core.tree import Tree

__all__ = [
    "Artifact",
    "Brief",
    "Budget",
    "Example",
    "GraderSpec",
    "Hidden",
    "Preparation",
    "Server",
    "Solution",
    "SolutionKind",
    "Step",
    "Task",
]

SolutionKind = Literal["reference", "alternative", "shortcut", "mutant", "sample"]


class Budget(Record, frozen=True, kw_only=True):
    """What an attempt may use; None is no limit. Wall in seconds, cost in micro-dollars."""

    wall_s: int | None = None
    steps: int | None = None
    tokens: int | None = None
    cost_micro_usd: int | None = None


class Example(Record, frozen=True, kw_only=True):
    """A public worked example: input lines and output lines."""

    name: str
    input: str
    output: str


class Preparation(Record, frozen=True, kw_only=True):
    """A shell command that must succeed before work begins. Times in milliseconds.

    tries: how often it is run at most, `pause_ms` apart. grace_ms: failures before this time do not count as tries.
    """

    command: str
    wall_ms: int = 30_000
    tries: int = 1
    pause_ms: int = 0
    grace_ms: int = 0


class Artifact(Record, frozen=True, kw_only=True):
    """A file or folder (absolute path) that is taken from where an agent worked. exclude: patterns of names to leave out."""

    source: str
    exclude: tuple[str, ...] = ()


class Server(Record, frozen=True, kw_only=True):
    """A tool server (MCP) which the task gives the agent, started inside its sandbox."""

    name: str
    command: str
    args: tuple[str, ...] = ()


class Brief(Record, frozen=True, kw_only=True):
    """All that an agent gets of a task.

    task: the task's id, so that briefs of two tasks never share a trial id. files: laid into the workspace before work
    starts. entry: the file or function wanted. work: the sandbox an agent works in.

    prepare: done before work starts. collect: shell commands, done when it has ended. submits: if there are any, these are
    the submission, whole, not what differs from the image. then: what is asked next, in the same sandbox; of those `task`
    is the step's name. servers: tool servers the task brings. skills: the folder inside that holds the task's skills.
    """

    task: str
    prompt: str
    entry: str = ""
    files: Tree = Tree()
    examples: tuple[Example, ...] = ()
    work: SandboxSpec = SandboxSpec()
    prepare: tuple[Preparation, ...] = ()
    collect: tuple[str, ...] = ()
    submits: tuple[Artifact, ...] = ()
    servers: tuple[Server, ...] = ()
    skills: str = ""
    then: tuple["Brief", ...] = ()


class GraderSpec(Record, frozen=True, kw_only=True):
    """Which grader, and its parameters (JSON text of the grader's own form)."""

    kind: str
    parameters: str = "{}"


class Solution(Record, frozen=True, kw_only=True):
    """A known submission and what must come of it. `tree` is the submission, or `argv` a command that makes it.

    With `argv`, `tree` is laid at `place` while the command runs, with `environment`. then: the same for what is asked next
    (see `Brief`). check: the check that must stop it, "" for any. waits: it waits for ever by design, so that a check may
    grade it under a shorter wall clock.
    """

    name: str
    kind: SolutionKind
    tree: Tree = Tree()
    argv: tuple[str, ...] = ()
    expected: Outcome = Outcome.PASSED
    reason: Reason | None = None
    waits: bool = False
    place: str = "/solution"
    environment: dict[str, str] = msgspec.field(default_factory=dict)
    then: tuple["Solution", ...] = ()
    check: str = ""


class Hidden(Record, frozen=True, kw_only=True):
    """What no agent may reach: tests (laid into the grading sandbox), expected outputs (never in any sandbox), solutions.

    expected: UTF-8 text of the grader's own form (for sessions: a JSON array of `Scenario`).
    """

    tests: Tree = Tree()
    expected: str = ""
    solutions: tuple[Solution, ...] = ()


class Step(Record, frozen=True, kw_only=True):
    """One piece of work and its grading."""

    brief: Brief
    grader: GraderSpec
    grading: SandboxSpec = SandboxSpec()
    hidden: Hidden = Hidden()

    @property
    def grader_digest(self) -> str:
        """SHA-256 naming all that decides a verdict: grader, parameters, sandbox, tests and expected outputs."""
        return digest_of(
            {
                "kind": self.grader.kind,
                "parameters": self.grader.parameters,
                "grading": self.grading,
                "tests": self.hidden.tests.digest,
                "expected": sha256(self.hidden.expected.encode()),
            }
        )


class Task(Record, frozen=True, kw_only=True):
    """One task of a suite. `version` is the version of the dataset it came from."""

    id: str
    suite: str
    version: str
    steps: tuple[Step, ...]
    family: str = ""
    category: str = ""
    subset: str = ""
    tags: tuple[str, ...] = ()
    split: str = "test"
    budget: Budget = Budget()

    def solution(self, name: str) -> Solution | None:
        """The solution of that name in the first step, None if there is none."""
        return next((s for s in self.steps[0].hidden.solutions if s.name == name), None)
