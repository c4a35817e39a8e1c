"""`proofyard grade`: one grading of a task folder without an agent, for authors."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from proofyard.cli.common import echo_json, json_option, suite_options, unsafe_option
from proofyard.cli.isolation import isolated, isolation_option
from proofyard.core import Outcome, Solution, Task, UsageError

if TYPE_CHECKING:
    from proofyard.core import Blobs, Verdict
    from proofyard.engine.authoring import Authored

__all__ = ["command"]

EXIT = {Outcome.PASSED: 0, Outcome.FAILED: 1, Outcome.INVALID: 3, Outcome.ERROR: 3}
_LINES_MOST = 20
_path = click.Path(path_type=Path)


@click.command(name="grade")
@click.argument("folder", type=_path)
@click.option("--patch", type=_path, default=None, help="A shell script that does the work.")
@click.option(
    "--solution", type=_path, default=None, help="A folder: with a solve.sh, or files laid where work is done."
)
@click.option("--known", "name", default="", help="A solution of the task itself: an alternative, a shortcut.")
@click.option("--untouched", is_flag=True, help="Nothing is done at all.")
@suite_options
@isolation_option
@unsafe_option
@json_option
def command(
    folder: Path,
    patch: Path | None,
    solution: Path | None,
    name: str,
    untouched: bool,
    options: dict[str, str],
    isolation: str,
    unsafe: bool,
    as_json: bool,
) -> int:
    """Grade the task in FOLDER by its reference, or by what else is named. Exit code 0 passed, 1 failed, 3 no result."""
    from proofyard.engine.authoring import grade_solution
    from proofyard.sandbox import LocalProvider
    from proofyard.suites.harbor import suite

    if sum((patch is not None, solution is not None, bool(name), untouched)) > 1:
        raise UsageError("--patch, --solution, --known and --untouched: give one of them")
    options = isolated("harbor", options, isolation, unsafe=unsafe)
    found = suite(options={**options, "path": str(folder)})
    ids = found.ids()
    if len(ids) > 1:
        raise UsageError(f"{folder} holds {len(ids)} tasks: name the folder of one")
    task, blobs = found.load(ids[0]), found.blobs()
    chosen = None if untouched else _solution(task, patch, solution, name, blobs)
    provider = LocalProvider(unsafe=unsafe)
    try:
        made, trial, verdict = grade_solution(task, chosen, blobs, provider, unsafe=unsafe)
    finally:
        provider.close()
    if as_json:
        echo_json({"trial": trial, "verdict": verdict, "stdout": made.stdout, "stderr": made.stderr})
    else:
        click.echo(_shown(task.id, made, verdict))
    return EXIT[verdict.outcome]


def _solution(task: Task, patch: Path | None, solution: Path | None, name: str, blobs: "Blobs") -> Solution:
    from proofyard.agents import read_tree
    from proofyard.formats.harbor import patched

    reference = task.solution("reference")
    if patch is not None:
        try:
            return patched(patch.read_bytes(), reference, blobs)
        except OSError as error:
            raise UsageError(f"cannot read {patch}: {error.strerror}") from None
    if solution is not None:
        tree = read_tree(solution, blobs)
        if "solve.sh" in tree.entries:
            return Solution(name="solution", kind="sample", tree=tree, argv=("bash", "/solution/solve.sh"))
        return Solution(name="solution", kind="sample", tree=tree)
    found = task.solution(name or "reference")
    if found is None:
        known = ", ".join(one.name for one in task.steps[0].hidden.solutions) or "none"
        raise UsageError(f"{task.id} has no solution {name or 'reference'!r}; it has: {known}")
    return found


def _shown(name: str, made: "Authored", verdict: "Verdict") -> str:
    from proofyard.reports import explain

    rewards = " ".join(f"{key}={value:g}" for key, value in verdict.metrics.items())
    lines = [f"{name}: {'no score' if verdict.score is None else f'score {verdict.score:g}'}  {rewards}".rstrip()]
    if made.failure is not None:
        lines.append(f"the solution: {made.failure.message}")
    lines.append(explain(verdict))
    if "failed_checks" in verdict.provenance:
        lines.append(f"failed checks: {verdict.provenance['failed_checks']}")
    if verdict.outcome is not Outcome.PASSED and (made.stdout or made.stderr):
        printed = (made.stdout + made.stderr).splitlines()
        cut = len(printed) > _LINES_MOST
        lines.append(f"the solution printed{f' (the last {_LINES_MOST} lines; --json has more)' if cut else ''}:")
        lines += [f"    {line}" for line in printed[-_LINES_MOST:]]
    lines.append(
        f"place: {verdict.provenance.get('rung', 'none opened')}; {verdict.provenance.get('image', '')}".rstrip("; ")
    )
    return "\n".join(lines)
