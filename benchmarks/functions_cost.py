"""What grading a BigCodeBench sample costs in CPU, against the barest thing that runs its tests: a fork of a warm process with
no sandbox, no report that could be believed and no guard at all.

python benchmarks/functions_cost.py --packages FOLDER [--data FILE] [--samples 50] [--rounds 3]

The samples are canonical solutions that pass here, spread over the dataset. `ours` is the whole grader (host, runner, warm
process, sandbox, driver); CPU is that of the whole process tree, the one preload taken off; verdicts must be the same.
Only CPU is judged, wall is reported.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from measuring import Kinds, cpu

from proofyard.core import (
    Brief,
    Given,
    GraderSpec,
    Hidden,
    Image,
    Limits,
    MemoryBlobs,
    Outcome,
    SandboxSpec,
    Step,
    tree_of,
)
from proofyard.graders.unittest_grader import UnittestGrader, truth_of
from proofyard.graders.unittest_orders import Truth
from proofyard.sandbox import LocalProvider
from proofyard.sandbox.machine import interpreter
from proofyard.source.unit_tests import read_tests

GATE = 1.3
STRIDE = 619
HEAVY = ("numpy", "numpy.random", "pandas", "matplotlib.pyplot", "scipy.stats", "sklearn.linear_model", "seaborn")
LIGHT = ("json", "re", "random", "csv", "collections", "datetime", "unittest", "unittest.mock")
QUIET = {"MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
LIMITS = Limits(wall_ms=60_000, memory=8 << 30, tree_memory=4 << 30, pids=64, output=4 << 20)
BARE = """
import importlib, json, os, sys, tempfile, types, unittest
work = json.load(open(sys.argv[1]))
for name in work["preload"]: importlib.import_module(name)
passed = 0
for solution, test in work["samples"][:1] + work["samples"][: int(sys.argv[2])] * int(sys.argv[3]):
    pid = os.fork()
    if pid == 0:
        os.chdir(tempfile.mkdtemp())
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1); os.dup2(1, 2)
        module = types.ModuleType("__test__"); sys.modules["__test__"] = module
        exec(compile(solution + "\\n" + test, "__test__.py", "exec"), vars(module))
        result = unittest.TestResult()
        unittest.TestLoader().loadTestsFromTestCase(module.TestCases).run(result)
        os._exit(1 if result.failures or result.errors else 0)
    passed += os.waitpid(pid, 0)[1] == 0
assert passed == 1 + min(len(work["samples"]), int(sys.argv[2])) * int(sys.argv[3]), passed
"""


def step_of(test: str, expected: str, preload: tuple[str, ...], twins: bool) -> tuple[Step, MemoryBlobs]:
    blobs = MemoryBlobs()
    image = Image(preload=preload, packages=os.environ.get("BENCH_PACKAGES", ""), environment=QUIET)
    step = Step(
        brief=Brief(task="task", prompt=""),
        grader=GraderSpec(kind="unittest", parameters=json.dumps({"entry_point": "task_func", "twins": twins})),
        grading=SandboxSpec(image=image, limits=LIMITS),
        hidden=Hidden(tests=tree_of({"test.py": test}, blobs), expected=expected),
    )
    return step, blobs


def ours(count: int, twins: bool, passes: int = 1) -> None:
    """Grade the first samples as the product does, `passes` times."""
    work = json.loads(Path(os.environ["BENCH_WORK"]).read_text())
    provider = LocalProvider(slots=1)
    chosen = list(zip(work["samples"], work["truths"], strict=True))
    # The first once more, in every worker: it has the one preload.
    for (solution, test), truth in chosen[:1] + chosen[:count] * passes:
        read_tests.cache_clear()  # as if each were of another task
        step, blobs = step_of(test, json.dumps(truth), tuple(work["preload"]), twins)
        tree = tree_of({"solution.py": solution}, blobs)
        found = UnittestGrader().grade(step, tree, lambda spec, blobs=blobs: provider.open(spec, blobs), Given(), blobs)
        assert found.outcome is Outcome.PASSED, found
    provider.close()


def bare(count: int, passes: int = 1) -> None:
    """Fork, execute, run unittest, exit."""
    env = {**QUIET, "PYTHONPATH": os.environ.get("BENCH_PACKAGES", ""), "HOME": "/tmp"}
    work = os.environ["BENCH_WORK"]
    subprocess.run(
        [interpreter().path, "-s", "-S", "-B", "-c", BARE, work, str(count), str(passes)], env=env, check=True
    )


KINDS: Kinds = {
    "bare": lambda count, _, __: bare(count),
    "ours": lambda count, _, __: ours(count, twins=False),
    "ours with twins": lambda count, _, __: ours(count, twins=True),
}


def chosen(path: Path, wanted: int, preload: tuple[str, ...], most_ms: int = 5000) -> dict[str, Any]:
    """Canonical solutions that pass, spread over the dataset, with their truths; those over `most_ms` of CPU left out."""
    with gzip.open(path) as lines:
        rows = [json.loads(line) for line in lines]
    provider = LocalProvider(slots=1)
    samples, truths, ids = [], [], []
    # A stride that shares no factor with the number of tasks: however many are taken, they are spread over all.
    for row in (rows[place * STRIDE % len(rows)] for place in range(len(rows))):
        solution = row["complete_prompt"] + row["canonical_solution"]
        step, blobs = step_of(row["test"], "", preload, twins=False)
        tree = tree_of({"solution.py": solution}, blobs)
        truth = truth_of(step, tree, lambda spec, blobs=blobs: provider.open(spec, blobs), blobs, cpu_ms=5000)
        if isinstance(truth, Truth) and truth.stack == "own" and truth.cpu_ms <= most_ms:
            samples.append([solution, row["test"]])
            truths.append(msgspec.to_builtins(truth))
            ids.append(row["task_id"])
        if len(samples) == wanted:
            break
    provider.close()
    return {"samples": samples, "truths": truths, "ids": ids, "preload": list(preload)}


def report(count: int, rounds: int) -> int:
    costs: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for _ in range(rounds):
        for kind in KINDS:
            start = time.monotonic()
            costs[kind].append((cpu(kind, count, 0) - cpu(kind, 0, 0)) / count)
            print(
                f"{kind}: {costs[kind][-1] * 1000:.1f} ms CPU a sample, {time.monotonic() - start:.1f} s wall in all",
                flush=True,
            )
    base = median(costs["bare"])
    ratios = {kind: median(value) / base for kind, value in costs.items()}
    good = ratios["ours"] <= GATE
    print(", ".join(f"{kind} {ratio:.2f}" for kind, ratio in ratios.items()))
    print(f"ours without twins / bare fork: {ratios['ours']:.2f} (at most {GATE}): {'ok' if good else 'FAILED'}")
    return 0 if good else 1


def main() -> int:
    if "--worker" in sys.argv:
        kind, count, _, __ = sys.argv[sys.argv.index("--worker") + 1 :]
        KINDS[kind](int(count), 0, "")
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--packages", default="", help="site-packages of an environment; without it, standard library only"
    )
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PROOFYARD_DATA") or "../shared/data"))
    parser.add_argument("--samples", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    os.environ["BENCH_PACKAGES"] = options.packages
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "work.json")
        preload = (*LIGHT, *HEAVY) if options.packages else LIGHT
        work = chosen(options.data / "BigCodeBench-v0.1.4.jsonl.gz", options.samples, preload)
        print(f"{len(work['samples'])} canonical solutions: {' '.join(work['ids'])}")
        path.write_text(json.dumps(work))
        os.environ["BENCH_WORK"] = str(path)
        return report(len(work["samples"]), options.rounds)


if __name__ == "__main__":
    sys.exit(main())
