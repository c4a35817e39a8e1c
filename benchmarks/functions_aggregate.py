"""What it costs to turn verdicts into result files and rates, for one, two and five samples of each task.

    python benchmarks/functions_aggregate.py

Synthetic samples, 1,140 tasks: read from a samples file, joined with verdicts, written as BigCodeBench's two files and our
own record, counted into rates overall, per domain and per library. CPU seconds, the best of three, and the ratio to one
sample a task, which is to be at most 6 for five.
"""

import json
import tempfile
import time
from pathlib import Path

from proofyard.cli.evaluate_flags import SampleFlags
from proofyard.cli.evaluate_samples import result_files
from proofyard.cli.pass_rates import pass_rates
from proofyard.core import Evidence, Outcome, Reason, Verdict
from proofyard.formats.judged import Judged
from proofyard.formats.samples import read_samples
from proofyard.suites.functions import FunctionsSuite, bigcodebench

TASKS = 1140
DETAILS = json.dumps({f"test_{n}": "Traceback (most recent call last):\n" * 20 for n in range(3)})


def dataset(folder: Path) -> Path:
    path = folder / "data.jsonl"
    rows = []
    for n in range(TASKS):
        texts = dict.fromkeys(
            ("complete_prompt", "instruct_prompt", "code_prompt", "canonical_solution"), "def f(): pass\n"
        )
        rest = {"test": "import unittest\n", "entry_point": "f", "libs": str(["os", f"library{n % 100}"])}
        rows.append(json.dumps({"task_id": f"BigCodeBench/{n}", **texts, **rest}))
    path.write_text("\n".join(rows) + "\n")
    return path


def samples(folder: Path, each: int) -> Path:
    path = folder / f"samples-{each}.jsonl"
    lines = [
        json.dumps({"task_id": f"BigCodeBench/{n}", "solution": f"def f():\n    return {k}\n" * 40})
        for k in range(each)
        for n in range(TASKS)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def verdict(task: str, k: int) -> Verdict:
    passed = (len(task) + k) % 3 == 0
    return Verdict(
        id=f"{task}-{k}",
        trial=f"{task}-{k}",
        task=task,
        submission="s",
        grader="g",
        outcome=Outcome.PASSED if passed else Outcome.FAILED,
        score=float(passed),
        reason=None if passed else Reason.WRONG_RESULT,
        evidence=Evidence(note="" if passed else "a test failed"),
        provenance={"details": "{}" if passed else DETAILS},
    )


def flags(path: Path) -> SampleFlags:
    return SampleFlags(
        samples=path,
        data="",
        split="complete",
        subset="",
        pass_k=(1, 5, 10),
        output=None,
        output_dir=None,
        output_file=None,
        concurrency=None,
        isolation="fork",
        env="",
        packages="",
        gate="",
        domains="",
        calibrated=False,
        base_only=False,
        test_details=False,
        overwrite=True,
        unsafe=False,
        as_json=False,
    )


def once(suite: FunctionsSuite, path: Path) -> float:
    verdicts = {(task, k): verdict(task, k) for task in suite.ids() for k in range(5)}
    began = time.process_time()
    found = read_samples(path, suite.completed())
    judged = {
        task: [Judged(sample, verdicts[task, sample.k]) for sample in of_task]
        for task, of_task in found.of_task.items()
    }
    files = result_files(suite, found, judged, suite.ids(), flags(path))
    outcomes = {task: [one.verdict.outcome if one.verdict else None for one in of] for task, of in judged.items()}
    rates = pass_rates(suite, suite.ids(), outcomes, (1, 5, 10))
    spent = time.process_time() - began
    assert files
    assert rates[0].samples == found.total
    return spent


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        suite = bigcodebench(options={"data": str(dataset(folder))})
        base = 0.0
        for each in (1, 2, 5):
            path = samples(folder, each)
            spent = min(once(suite, path) for _ in range(3))
            base = base or spent
            print(f"{TASKS * each:>6} samples: {spent:.3f} s CPU, {spent / base:.2f} times that of {TASKS}")


if __name__ == "__main__":
    main()
