"""What grading a BigCodeBench sample costs in CPU, against the benchmark's own evaluator on the same samples.

python benchmarks/functions_upstream.py --packages FOLDER [--data FOLDER] [--samples 50] [--rounds 3] [--most MS]

The samples are canonical solutions that pass here, spread over the dataset (its task 363, which the evaluator never ends, is
left out), of which the tests take at most `--most` milliseconds of CPU here. The longer they take, the more of the cost on
either side is the tests' own work: 250 takes 72 % of the dataset, 300 77 %, 500 88 %, 5000 nearly all.

`upstream` is `bigcodebench.evaluate --execution local --parallel 1 --no_gt` of the pinned release, with our
interpreter and libraries; it is installed into the cache folder without the parts that serve models. `bare` forks a warm
process and runs the tests, with no sandbox and no grading. CPU is that of the whole process tree, the cost of one sample taken
off on all sides (start-up, preload); all must pass every sample. Wall (start-up and all) is reported.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from functions_cost import QUIET, bare, chosen, ours
from measuring import Kinds, cpu

from proofyard.core.cache import cache_folder
from proofyard.formats.rows import read_big_code
from proofyard.sandbox.machine import interpreter
from proofyard.suites.functions.preload import by_frequency

GATES = {"ours": 6.5, "ours with twins": 2.5}
"""How many times less CPU than `upstream`, at least."""
BARE_GATE = 1.3
"""How many times the CPU of `bare`, at most."""
PASSES = 3
"""Where a sample takes little, each is graded so often, so that the noise of the cost that is taken off matters less."""
RELEASE = "bigcodebench==0.2.5"
NEEDS = (
    *("appdirs==1.4.4", "fire==0.7.1", "tempdir==0.7.1", "wget==3.2", "gradio-client==1.4.0", "e2b==1.0.5"),
    *(
        "datasets==2.19.0",
        "pyarrow==16.1.0",
        "transformers==4.41.0",
        "tree-sitter==0.22.3",
        "tree-sitter-python==0.21.0",
    ),
    *("pqdm==0.2.0", "bounded-pool-executor==0.0.3", "rich==13.9.4"),
)
"""What it imports when it evaluates; these releases take the libraries of the environment."""
NEVER_ENDS = "BigCodeBench/363"


def installed(packages: Path) -> Path:
    """The evaluator's folder, made if it is not there: nothing in it stands before what the environment has."""
    place = cache_folder() / "benchmarks" / RELEASE.replace("==", "-")
    if not (place / "done").exists():
        having = [
            f"{line.split('==')[0]}=={line.split('==')[1].split()[0]}"
            for line in (packages.parent / "requirements.txt").read_text().splitlines()
            if "==" in line and not line.startswith((" ", "#"))
        ]
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as limits:
            limits.write("\n".join(having))
            limits.flush()
            install = ["uv", "pip", "install", "--quiet", "--python", sys.executable, "--target", str(place)]
            subprocess.run([*install, "--constraint", limits.name, *NEEDS], check=True)
            subprocess.run([*install, "--no-deps", RELEASE], check=True)
        (place / "done").touch()
    return place


def upstream(count: int) -> None:
    """Have the benchmark's own evaluator grade the first samples."""
    work = json.loads(Path(os.environ["BENCH_WORK"]).read_text())
    ids = work["ids"][:count]
    with tempfile.TemporaryDirectory() as folder:
        samples = Path(folder, "samples.jsonl")
        lines = [
            json.dumps({"task_id": name, "solution": sample[0], "_identifier": name})
            for name, sample in zip(ids, work["samples"], strict=False)
        ]
        samples.write_text("\n".join(lines) + "\n")
        env = {
            **QUIET,
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "PYTHONPATH": os.pathsep.join((os.environ["BENCH_PACKAGES"], os.environ["BENCH_UPSTREAM"])),
            "BIGCODEBENCH_OVERRIDE_PATH": os.environ["BENCH_DATA"],
        }
        words = ["--split", "complete", "--subset", "full", "--samples", str(samples), "--execution", "local"]
        words += ["--parallel", "1", "--no_gt", "--selective_evaluate", ",".join(ids), "--pass_k", "1,5"]
        command = [interpreter().path, "-s", "-S", "-B", "-c", "from bigcodebench.evaluate import main; main()", *words]
        done = subprocess.run(command, env=env, cwd=folder, check=False, capture_output=True, text=True)
        results = samples.with_name("samples_eval_results.json")
        if done.returncode or not results.exists():
            raise SystemExit(f"the evaluator failed: {done.stderr[-2000:]}")
        found = json.loads(results.read_text())["eval"]
        failed = {name: rows[0] for name, rows in found.items() if rows[0]["status"] != "pass"}
        assert not failed, failed
        assert sorted(found) == sorted(ids)


KINDS: Kinds = {
    "upstream": lambda count, _, __: upstream(count + 1),
    "bare": lambda count, _, __: bare(count, PASSES),
    "ours": lambda count, _, __: ours(count, twins=False, passes=PASSES),
    "ours with twins": lambda count, _, __: ours(count, twins=True, passes=PASSES),
}


def report(count: int, rounds: int) -> int:
    """Measure and compare; the exit code."""
    costs: dict[str, list[float]] = {kind: [] for kind in KINDS}
    for _ in range(rounds):
        for kind in KINDS:
            graded = count if kind == "upstream" else count * PASSES
            start = time.monotonic()
            costs[kind].append((cpu(kind, count, 0) - cpu(kind, 0, 0)) / graded)
            wall = (time.monotonic() - start) / graded
            print(f"{kind}: {costs[kind][-1] * 1000:.1f} ms CPU a sample, {wall * 1000:.0f} ms wall", flush=True)
    base = median(costs["upstream"])
    code = 0
    for kind, gate in GATES.items():
        ratio = base / median(costs[kind])
        code = code if ratio >= gate else 1
        print(f"upstream / {kind}: {ratio:.2f} (at least {gate}): {'ok' if ratio >= gate else 'FAILED'}")
    ratio = median(costs["ours"]) / median(costs["bare"])
    print(f"ours / bare: {ratio:.2f} (at most {BARE_GATE}): {'ok' if ratio <= BARE_GATE else 'FAILED'}")
    return code if ratio <= BARE_GATE else 1


def main() -> int:
    """The command line."""
    if "--worker" in sys.argv:
        kind, count, _, __ = sys.argv[sys.argv.index("--worker") + 1 :]
        KINDS[kind](int(count), 0, "")
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", type=Path, required=True, help="site-packages of the bigcodebench environment")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PROOFYARD_DATA") or "../shared/data"))
    parser.add_argument("--samples", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--most", type=int, default=300, metavar="MS", help="CPU of a task's tests, at most")
    options = parser.parse_args()
    data = (options.data / "BigCodeBench-v0.1.4.jsonl.gz").resolve()
    os.environ["BENCH_PACKAGES"], os.environ["BENCH_DATA"] = str(options.packages), str(data)
    os.environ["BENCH_UPSTREAM"] = str(installed(options.packages))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "work.json")
        preload = by_frequency(read_big_code(data), str(options.packages))  # as the product does
        work: dict[str, Any] = chosen(data, options.samples + 1, preload, options.most)
        assert NEVER_ENDS not in work["ids"]
        print(f"{len(work['samples'])} canonical solutions: {' '.join(work['ids'])}")
        path.write_text(json.dumps(work))
        os.environ["BENCH_WORK"] = str(path)
        return report(len(work["samples"]) - 1, options.rounds)


if __name__ == "__main__":
    sys.exit(main())
