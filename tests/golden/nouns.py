"""One example of each noun whose id or digest is written into records, and how to print their digests.

Run as a program it prints them as JSON, so that another interpreter can be asked.
"""

import json

from proofyard.core import (
    Brief,
    Budget,
    Entry,
    GraderSpec,
    Hidden,
    Image,
    Limits,
    MemoryBlobs,
    Mount,
    Network,
    Plan,
    Sampling,
    SandboxSpec,
    Solution,
    Step,
    Subject,
    Tree,
    tree_of,
    trial_id,
    verdict_id,
)

TREE = tree_of(
    {"main.py": "print('hi')\n", "data/\u00e9.bin": bytes(range(256)) * 20, "run.sh": "#!/bin/sh\n"},
    MemoryBlobs(),
    executable=("run.sh",),
)
ODD_TREE = Tree(
    entries={
        "gone": Entry(kind="whiteout"),
        "link": Entry(kind="symlink", target="main.py"),
        "main.py": TREE.entries["main.py"],
        "pipe": Entry(kind="special"),
    }
)
SPEC = SandboxSpec(
    image=Image(base="system", environment={"B": "2", "A": "1"}, preload=("json",)),
    mounts=(Mount(path="/workspace/project", tree=TREE), Mount(path="/workspace/data", tree=Tree(), writable=True)),
    kept=("/workspace/state",),
    network=Network(mode="hosts", hosts=("127.0.0.1:8080",)),
    limits=Limits(cpu_ms=4000, pids=8),
    lowest="bubblewrap",
    armed=True,
)
BRIEF = Brief(task="toy-1", prompt="Say \u201chi\u201d.\n", entry="main.py", files=TREE, work=SPEC)
STEP = Step(
    brief=BRIEF,
    grader=GraderSpec(kind="sessions", parameters='{"entry":"main.py"}'),
    grading=SPEC,
    hidden=Hidden(tests=TREE, expected="[1.5]", solutions=(Solution(name="reference", kind="reference", tree=TREE),)),
)
SUBJECT = Subject(
    agent="terminal",
    version="1.2",
    parameters={"b": "2", "a": "1"},
    model="example/model",
    sampling=Sampling(temperature="0.8", max_tokens=512),
    skills=("one",),
    budget=Budget(wall_s=60),
)
COLD = Subject(agent="terminal", model="example/model", sampling=Sampling(temperature="0"))
WARM = Subject(agent="terminal", model="example/model", sampling=Sampling(temperature="0.8"))
PLAN = Plan(suite="toy", version="1", tasks=("toy-1",), subjects=(SUBJECT,))
RECORDS = (TREE.entries["run.sh"], TREE, SPEC, SPEC.image, SPEC.limits, BRIEF, STEP, STEP.grader, SUBJECT, PLAN, COLD)


def digests() -> dict[str, str]:
    """Every id and digest by name."""
    return {
        "tree": TREE.digest,
        "tree odd": ODD_TREE.digest,
        "tree empty": Tree().digest,
        "spec": SPEC.digest,
        "spec default": SandboxSpec().digest,
        "brief": BRIEF.digest,
        "subject": SUBJECT.digest,
        "grader": STEP.grader_digest,
        "plan": PLAN.digest,
        "trial 0": trial_id(BRIEF.digest, SUBJECT, 0),
        "trial 1": trial_id(BRIEF.digest, SUBJECT, 1),
        "trial cold": trial_id(BRIEF.digest, COLD, 0),
        "trial warm": trial_id(BRIEF.digest, WARM, 0),
        "verdict 0": verdict_id("a" * 32, TREE.digest, STEP.grader_digest, 0),
        "verdict 1": verdict_id("a" * 32, TREE.digest, STEP.grader_digest, 1),
    }


if __name__ == "__main__":
    print(json.dumps(digests()))
