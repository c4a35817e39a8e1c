"""What the engine adds: CPU of a run against CPU of a plain loop that does the same trials with the same durability.

Each trial starts one tiny process, submits two files, and is graded by comparing one of them (agent and grader of the toy
suite in tests/). The plain loop calls the same agent and grader and makes the same records, without plan, ids, executor,
blobs of its own, events and step logs; it appends each trial and each verdict to a file, one fdatasync each. Both sides are
workers of their own, in turn; a worker with one attempt at each task is taken off, so that start-up counts on neither
side. A control burns a CPU second in a trial and must show it. Exit code 1 if the middle ratio is over the gate.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from statistics import median

TOY = Path(__file__).parents[1] / "tests" / "toy"
sys.path.insert(0, str(TOY))

import msgspec  # noqa: E402

from proofyard.agents import AgentSetup  # noqa: E402
from proofyard.core import Given, MemoryBlobs, Submission, Trial  # noqa: E402
from proofyard.engine import RunRequest, run  # noqa: E402
from proofyard.engine.work import BudgetMeter, verdict_of  # noqa: E402
from proofyard.store import now  # noqa: E402

GATE = 1.3
TASKS = 10


class Silent:
    """A recorder that keeps nothing."""

    def step(self, kind: str, **data: object) -> None:
        """Nothing."""

    def keep(self, name: str, data: bytes) -> None:
        """Nothing."""


def engine(folder: Path, attempts: int, do: str) -> None:
    request = RunRequest(suite="toy", output=str(folder / "run"), agents=(f"toy:{do}",), attempts=attempts)
    outcome = run(request, lambda _: None)
    assert outcome.counts.passed == attempts * TASKS, outcome


def loop(folder: Path, attempts: int, do: str) -> None:
    import proofyard_toy

    suite = proofyard_toy.suite()
    tasks = [suite.load(name) for name in suite.ids()]
    grader = proofyard_toy.ToyGrader()
    meter = BudgetMeter((), threading.Event())
    files = [os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND) for name in ("trials", "verdicts")]
    kept: set[str] = set()

    def journal(fd: int, record: msgspec.Struct) -> None:
        os.write(fd, msgspec.json.encode({"schema": 1, "record": record}) + b"\n")
        os.fdatasync(fd)

    for k in range(attempts):
        for task in tasks:
            step = task.steps[0]
            blobs = MemoryBlobs(suite.blobs().content)
            started = now()
            agent = proofyard_toy.toy.make(AgentSetup({"do": do}, folder))
            tree = agent.run(step.brief, None, Silent(), meter, blobs).submission
            document = msgspec.json.encode(tree, order="sorted")
            sha = blobs.put(document)
            for name, content in blobs.content.items():
                if name not in kept:
                    (folder / name).write_bytes(content)
                    kept.add(name)
            name = f"{task.id}-{k}"
            submission = Submission(tree=tree.digest, blob=sha)
            trial = Trial(
                id=name,
                task=task.id,
                subject="s",
                subject_name="toy",
                brief="b",
                k=k,
                submissions=(submission,),
                started=started,
            )
            journal(files[0], trial)
            grade = grader.grade(step, tree, None, Given(), blobs)
            verdict = verdict_of(grade, name, task.id, tree.digest, "g", started=now())
            assert verdict.score == 1.0
            journal(files[1], verdict)


def cpu(side: str, attempts: int, do: str) -> float:
    """CPU seconds of a worker and all its children."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [
            sys.executable,
            __file__,
            "--worker",
            side,
            "--attempts",
            str(attempts),
            "--do",
            do,
            "--folder",
            folder,
        ]
        subprocess.run(command, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def per_trial(side: str, attempts: int, do: str) -> float:
    """CPU seconds a trial, start-up taken off."""
    return (cpu(side, attempts + 1, do) - cpu(side, 1, do)) / (attempts * TASKS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--attempts", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", choices=["engine", "loop"])
    parser.add_argument("--do", default="")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    if options.worker:
        {"engine": engine, "loop": loop}[options.worker](options.folder, options.attempts, options.do)
        return 0
    burn = "import time; e = time.process_time() + 0.1\nwhile time.process_time() < e: pass"
    burn = f"spawn:{sys.executable} -S -E -c exec(bytes.fromhex('{burn.encode().hex()}'))"
    control = cpu("engine", 1, burn) - cpu("engine", 1, "quiet")
    print(f"control: ten trials that burn 0.1 CPU s each show {control:.2f} s")
    assert 0.9 < control < 2.0, "the control does not show: CPU of children is lost"
    tiny = f"spawn:{sys.executable} -S -E -c pass"
    worst = 0.0
    for name, do, gated in (
        ("nothing at all", "quiet", False),
        ("/bin/true", "spawn:/bin/true", False),
        ("python -c pass", tiny, True),
    ):
        pairs = [
            (per_trial("engine", options.attempts, do), per_trial("loop", options.attempts, do))
            for _ in range(options.rounds)
        ]
        ratio = median(ours / plain for ours, plain in pairs)
        ours, plain = (median(side) * 1e3 for side in zip(*pairs, strict=True))
        gate = f"gate {GATE}" if gated else "no gate"
        print(f"{name:>15}: engine {ours:.3f} ms, loop {plain:.3f} ms a trial: {ratio:.2f} ({gate})")
        worst = ratio if gated else worst
    return int(worst > GATE)


if __name__ == "__main__":
    sys.exit(main())
