"""One attempt of a known solution and its grading, without a run folder: for authors of tasks."""

from contextlib import ExitStack
from typing import Literal

from msgspec.structs import replace

from proofyard.core import (
    Agent,
    Blobs,
    Brief,
    Finish,
    Meter,
    Move,
    Provider,
    Recorder,
    Sandbox,
    Solution,
    Task,
    Tree,
    Trial,
    Verdict,
)
from proofyard.engine.asking import asked_in_turn, bounded
from proofyard.engine.jobblobs import JobBlobs, PlaceBlobs
from proofyard.engine.opening import open_ready, ready
from proofyard.engine.single import evaluate_one
from proofyard.engine.solving import SolutionAgent
from proofyard.engine.workplace import Workplace
from proofyard.images import below, difference

__all__ = ["Authored", "as_submission", "attempt_one", "grade_solution"]


class Authored(Finish, frozen=True, kw_only=True):
    """How the solution's command ended, and what it printed."""

    stdout: str = ""
    stderr: str = ""


class _Heard:
    """Keeps what a solution printed; there is no limit but the task's own."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def step(self, kind: str, **data: object) -> None:
        """Nothing is kept of steps."""

    def move(self, move: Move) -> None:
        """Nothing is kept of moves."""

    def keep(self, name: str, data: bytes) -> None:
        """Keep the end of what was printed, of all parts."""
        self.kept[name] = (self.kept.get(name, "") + data.decode("utf-8", "replace"))[-4000:]

    def remaining_ms(self) -> int | None:
        """No limit."""
        return None

    def stopped(self) -> bool:
        """Never."""
        return False


class _Files:
    """Hands in files, or none."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    @property
    def needs(self) -> Literal["nothing", "sandbox", "host"]:
        """Nothing."""
        return "nothing"

    def run(self, brief: Brief, sandbox: Sandbox | None, recorder: Recorder, meter: Meter, blobs: Blobs) -> Finish:
        """Hand them in."""
        del brief, sandbox, recorder, meter, blobs
        return Finish(submission=self._tree)


def attempt_one(
    task: Task, solution: Solution | None, blobs: Blobs, provider: Provider, *, unsafe: bool = False
) -> Authored:
    """Do what a solution says (None: nothing at all); `submission` is what it left. `blobs` get its contents.

    Raises:
        UsageError: the solution is files, and the task asks for several things.
        InfrastructureError: the image could not be made, or the sandbox was lost.

    """
    brief = task.steps[0].brief
    agent: Agent = _Files(solution.tree if solution else Tree())
    kept = brief.work.kept
    if solution is not None and solution.argv:
        agent, kept = SolutionAgent(solution), (*kept, solution.place)
    home = JobBlobs({})
    contents = PlaceBlobs(blobs)
    heard = _Heard()
    with ExitStack() as stack:
        place = None
        if agent.needs == "sandbox" or brief.submits:
            spec = replace(brief.work, kept=kept, lowest="none" if unsafe else brief.work.lowest)
            there = ready(bounded(spec, brief), provider, contents)
            opened = open_ready(there, provider, contents)
            stack.callback(opened.sandbox.close)
            place = Workplace(opened, there.spec, brief.work, contents, home)
        finish = asked_in_turn(agent, brief, place, heard, heard, home)
    for sha in home.home:
        blobs.put(home.content[sha])
    return Authored(
        submission=finish.submission,
        spend=finish.spend,
        failure=finish.failure,
        provenance=finish.provenance,
        stdout=heard.kept.get("stdout", ""),
        stderr=heard.kept.get("stderr", ""),
    )


def as_submission(task: Task, folder: Tree, blobs: Blobs, provider: Provider) -> Tree | None:
    """What the working folder as it stood at one moment is as a submission; None where that cannot be said (several steps,
    a container).

    Raises:
        InfrastructureError: the image could not be made.

    """
    brief = task.steps[0].brief
    if brief.then or brief.submits or brief.work.lowest == "container":
        return None
    found = ready(brief.work, provider, PlaceBlobs(blobs)).image
    if found is None:
        return folder
    inside = brief.work.image.workdir.strip("/") + "/"
    base = Tree(entries={path: entry for path, entry in found.tree.entries.items() if path.startswith(inside)})
    return difference(base, below(folder, brief.work.image.workdir))


def grade_solution(
    task: Task, solution: Solution | None, blobs: Blobs, provider: Provider, *, unsafe: bool = False
) -> tuple[Authored, Trial, Verdict]:
    """Attempt a task by a solution (None: by nothing at all) and grade what came of it. Raises as `attempt_one`."""
    made = attempt_one(task, solution, blobs, provider, unsafe=unsafe)
    trial, verdict = evaluate_one(task, made.submission or Tree(), blobs, provider, unsafe=unsafe)
    return made, replace(trial, failure=made.failure), verdict
