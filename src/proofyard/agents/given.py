"""Agents whose work is there already: `given:NAME` (a solution of the task), `oracle` (its reference), `samples:DIGEST`
(row k of a samples file is attempt k), `nop` (nothing).
"""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from proofyard.agents.plugin import AgentSetup, no_argument
from proofyard.core import Agent, Blobs, Brief, Finish, Meter, Recorder, Sandbox, Tree, UsageError

__all__ = ["given", "nop", "oracle", "samples"]


class _GivenAgent(NamedTuple):
    tree: Tree | None

    @property
    def needs(self) -> Literal["nothing", "sandbox", "host"]:
        return "nothing"

    def run(self, brief: Brief, sandbox: Sandbox | None, recorder: Recorder, meter: Meter, blobs: Blobs) -> Finish:
        del brief, sandbox, recorder, meter, blobs
        return Finish(missing=True) if self.tree is None else Finish(submission=self.tree)


class _Given:
    """`given:NAME`: submits the task's solution of that name; tasks without one are missing."""

    name = "given"
    version = "1"

    def parameters(self, argument: str) -> dict[str, str]:
        if not argument:
            raise UsageError("agent given needs the name of a solution: given:reference")
        return {"solution": argument}

    def solution(self, parameters: Mapping[str, str]) -> str | None:
        return parameters["solution"]

    def make(self, setup: AgentSetup) -> Agent:
        return _GivenAgent(setup.given)


class _Oracle(_Given):
    """`oracle`: submits the task's reference."""

    name = "oracle"

    def parameters(self, argument: str) -> dict[str, str]:
        return no_argument(self.name, argument)

    def solution(self, parameters: Mapping[str, str]) -> str | None:
        del parameters
        return "reference"


class _Samples(_Given):
    """`samples:DIGEST`: attempt k submits the task's solution `sample-<k>`; a task with fewer samples is missing.

    The digest is that of the samples (`SampleFile.digest`), so that two files are two subjects. The suite must have been
    given the samples.
    """

    name = "samples"

    def parameters(self, argument: str) -> dict[str, str]:
        if not argument:
            raise UsageError(
                "agent samples needs the digest of samples; use proofyard evaluate BENCHMARK --samples FILE"
            )
        return {"samples": argument}

    def solution(self, parameters: Mapping[str, str]) -> str | None:
        del parameters
        return "sample-{k}"


class _Nop(_Given):
    """`nop`: submits an empty folder, which every task must fail."""

    name = "nop"

    def parameters(self, argument: str) -> dict[str, str]:
        return no_argument(self.name, argument)

    def solution(self, parameters: Mapping[str, str]) -> str | None:
        del parameters
        return None

    def make(self, setup: AgentSetup) -> Agent:
        del setup
        return _GivenAgent(Tree())


given: Final = _Given()
oracle: Final = _Oracle()
samples: Final = _Samples()
nop: Final = _Nop()
