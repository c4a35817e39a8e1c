"""Whether a grading comes out alike every time: known submissions graded whole five times in a row, and once more while
every core is busy. Outcome, reason, each count of assertions and the place of the first fault must be the same.

`--family SLUG` and `--subset TIER` (repeatable) choose tasks, `--all` grades every known submission of them, not only those
whose outcome hangs on kills, restarts and time.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import NamedTuple

from proofyard.core import Blobs, Solution, Task, Tree
from proofyard.engine import evaluate_one
from proofyard.sandbox import LocalProvider
from proofyard.suites.scratch import ScratchSuite

TIMES = 5
TELLING = (
    "reference",
    "nop",
    "alternative",
    "echo-examples",
    "batch-not-atomic",
    "rewrite-in-place",
    "answer-before-store",
    "keys-stored-apart",
)


class Seen(NamedTuple):
    """What must not differ between two gradings of one submission."""

    outcome: str
    reason: str
    counts: tuple[tuple[str, int, int], ...]
    where: str


def seen(task: Task, tree: Tree, blobs: Blobs, provider: LocalProvider) -> Seen:
    _, verdict = evaluate_one(task, tree, blobs, provider)
    counts = tuple((kind, group.passed, group.total) for kind, group in sorted(verdict.groups.items()))
    return Seen(verdict.outcome.value, str(verdict.reason), counts, verdict.evidence.where)


@contextmanager
def busy() -> Iterator[None]:
    """Keep every core at work."""
    burning = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.wait()


def submissions(task: Task, everything: bool) -> Iterator[Solution]:
    """What is graded of a task: nothing at all, and its known submissions but those that wait for ever."""
    yield Solution(name="nop", kind="sample")
    for solution in task.steps[0].hidden.solutions:
        if not solution.waits and (everything or solution.name in TELLING):
            yield solution


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--family", action="append", default=[])
    parser.add_argument("--subset", action="append", default=[])
    parser.add_argument("--all", action="store_true")
    asked = parser.parse_args()
    families, tiers = asked.family or ["word-frequency"], asked.subset or ["easy", "max"]
    suite = ScratchSuite()
    places = {name: suite.place(name) for name in suite.ids()}
    names = [name for name, place in places.items() if place.family in families and place.subset in tiers]
    jobs = [(suite.load(name), one) for name in names for one in submissions(suite.load(name), asked.all)]
    slots = os.cpu_count() or 1
    provider = LocalProvider(slots=slots)

    def graded(job: tuple[Task, Solution]) -> Seen:
        return seen(job[0], job[1].tree, suite.blobs(), provider)

    try:
        with ThreadPoolExecutor(slots) as pool:
            rounds = [list(pool.map(graded, jobs)) for _ in range(TIMES)]
            with busy():
                rounds.append(list(pool.map(graded, jobs)))
    finally:
        provider.close()
    unlike = 0
    for (task, solution), found in zip(jobs, zip(*rounds, strict=True), strict=True):
        if len(set(found)) > 1:
            unlike += 1
            print(f"{task.id} {solution.name}: {' | '.join(map(str, dict.fromkeys(found)))}")
    print(f"{len(jobs)} submissions of {len(names)} tasks, graded {TIMES} times and once under load: {unlike} differ")
    return 1 if unlike or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
