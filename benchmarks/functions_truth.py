"""Whether the datasets' own solutions pass in the sandbox: prints n of n for each dataset, and every one that does not.

python benchmarks/functions_truth.py [humaneval humanevalplus mbpp mbppplus] [--every N] [--data FOLDER]
"""

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from proofyard.core import Given, Grade, Grader, Outcome, Suite
from proofyard.engine.grading import grade_tree
from proofyard.engine.opening import opener
from proofyard.engine.plugins import grader_of
from proofyard.sandbox import LocalProvider
from proofyard.suites.functions import humaneval, humanevalplus, mbpp, mbppplus

FILES = {
    humaneval: "HumanEval.jsonl.gz",
    humanevalplus: "HumanEvalPlus.jsonl.gz",
    mbpp: "sanitized-mbpp.json.gz",
    mbppplus: "MbppPlus.jsonl.gz",
}


def graded(suite: Suite, task_id: str, provider: LocalProvider, graders: dict[str, Grader]) -> Grade:
    """Grade a task's own solution."""
    step = suite.load(task_id).steps[0]
    grader = graders.setdefault(step.grader.kind, grader_of(step.grader.kind))
    tree = next(solution.tree for solution in step.hidden.solutions if solution.kind == "reference")
    return grade_tree(step, tree, grader, opener(lambda: provider, suite.blobs(), unsafe=False), Given(), suite.blobs())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="*", default=[suite.__name__ for suite in FILES])
    parser.add_argument("--every", type=int, default=1, help="only every N-th task")
    parser.add_argument("--data", type=Path, default=os.environ.get("PROOFYARD_DATA") or "../shared/data")
    options = parser.parse_args()
    graders: dict[str, Grader] = {}
    missed = 0
    provider = LocalProvider()
    for make, file in FILES.items():
        if make.__name__ not in options.datasets:
            continue
        suite = make(options={"data": str(Path(options.data, file))})
        ids = suite.ids()[:: options.every]
        started, cpu = time.monotonic(), 0
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            grades = list(pool.map(lambda task_id, of=suite: graded(of, task_id, provider, graders), ids))
        for task_id, grade in zip(ids, grades, strict=True):
            cpu += grade.usage.cpu_us
            if grade.outcome is not Outcome.PASSED:
                missed += 1
                why = grade.failure.message if grade.failure else f"{grade.evidence.where}: {grade.evidence.note}"
                print(f"  {task_id}: {grade.outcome} {grade.reason or ''} {why[:300]}")
        passed = sum(grade.outcome is Outcome.PASSED for grade in grades)
        groups = {name for grade in grades for name in grade.groups}
        sums = {name: sum(g.groups[name].total for g in grades if name in g.groups) for name in sorted(groups)}
        seconds = time.monotonic() - started
        print(f"{suite.name}: {passed} of {len(ids)}; {sums}; {cpu / 1e6:.1f} s CPU in sandboxes, {seconds:.1f} s")
    provider.close()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
