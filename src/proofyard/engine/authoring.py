"""One attempt of a known solution and its grading, without a run folder: for authors of tasks."""

from contextlib import ExitStack

from msgspec.structs import replace

from proofyard.core import Blobs, Finish, Move, Provider, Solution, Task, Tree, Trial, UsageError, Verdict
from proofyard.engine.asking import asked_in_turn
from proofyard.engine.jobblobs import JobBlobs, PlaceBlobs
from proofyard.engine.opening import open_ready, ready
from proofyard.engine.single import evaluate_one
from proofyard.engine.solving import SolutionAgent
from proofyard.engine.workplace import Workplace
from proofyard.images import below

__all__ = ["Authored", "attempt_one", "grade_solution"]


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


def attempt_one(task: Task, solution: Solution, blobs: Blobs, provider: Provider, *, unsafe: bool = False) -> Authored:
    """Run a solution that is a command; `submission` is what it left. `blobs` get its contents.

    Raises:
        InfrastructureError: the image could not be made, or the sandbox was lost.

    """
    brief = task.steps[0].brief
    home = JobBlobs({})
    contents = PlaceBlobs(blobs)
    spec = replace(brief.work, kept=(*brief.work.kept, solution.place), lowest="none" if unsafe else brief.work.lowest)
    there = ready(spec, provider, contents)
    heard = _Heard()
    with ExitStack() as stack:
        opened = open_ready(there, provider, contents)
        stack.callback(opened.sandbox.close)
        place = Workplace(opened, there.spec, brief.work, contents, home)
        finish = asked_in_turn(SolutionAgent(solution), brief, place, heard, heard, home)
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


def grade_solution(
    task: Task, solution: Solution | None, blobs: Blobs, provider: Provider, *, unsafe: bool = False
) -> tuple[Authored, Trial, Verdict]:
    """Attempt a task by a solution (None: by nothing at all) and grade what came of it.

    Raises:
        UsageError: the solution is files, and the task asks for several things.
        InfrastructureError: see `attempt_one`.

    """
    if solution is None:
        made = Authored(submission=Tree())
    elif solution.argv:
        made = attempt_one(task, solution, blobs, provider, unsafe=unsafe)
    else:
        brief = task.steps[0].brief
        if brief.then:
            raise UsageError("files are no solution of a task that asks for several things, one after the other")
        tree = below(solution.tree, brief.work.image.workdir) if brief.work.image.source else solution.tree
        made = Authored(submission=tree)
    trial, verdict = evaluate_one(task, made.submission or Tree(), blobs, provider, unsafe=unsafe)
    return made, replace(trial, failure=made.failure), verdict
