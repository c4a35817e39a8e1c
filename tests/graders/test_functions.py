"""The function grader against candidates that try to pass without the right answer; the skeleton has the plain cases."""

from collections.abc import Iterator

import msgspec
import pytest

from proofyard.core import (
    Brief,
    Given,
    Grade,
    GraderSpec,
    Group,
    Hidden,
    Limits,
    MemoryBlobs,
    Outcome,
    Reason,
    SandboxSpec,
    Step,
    tree_of,
)
from proofyard.graders import Call, FunctionParameters, FunctionsGrader, Wanted
from proofyard.sandbox import LocalProvider

STEP = Step(
    brief=Brief(task="toy", prompt=""),
    grader=GraderSpec(
        kind="functions",
        parameters=msgspec.json.encode(
            FunctionParameters(function="add", calls=tuple(Call(args=(n, n)) for n in (1, 20, 300)))
        ).decode(),
    ),
    grading=SandboxSpec(limits=Limits(wall_ms=30_000, cpu_ms=1500)),
    hidden=Hidden(expected=msgspec.json.encode([Wanted(value=2 * n) for n in (1, 20, 300)]).decode()),
)


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider()
    yield local
    local.close()


def grade(provider: LocalProvider, source: str, step: Step = STEP) -> Grade:
    blobs = MemoryBlobs()
    tree = tree_of({"solution.py": source}, blobs)
    return FunctionsGrader().grade(step, tree, lambda spec: provider.open(spec, blobs), Given(), blobs)


def test_positive_control(provider: LocalProvider) -> None:
    found = grade(provider, "def add(a, b): return a + b\n")
    assert (found.outcome, found.groups) == (Outcome.PASSED, {"calls": Group(passed=3, total=3)})


@pytest.mark.parametrize(
    ("source", "reason", "passed"),
    [
        # an object equal to everything is no integer
        (
            "class E(int):\n    __eq__ = lambda s, o: True\n    __hash__ = None\ndef add(a, b): return E(0)\n",
            "wrong_result",
            0,
        ),
        # the frames above hold the arguments, and nothing of what is expected
        (
            "import sys\ndef add(a, b):\n    f, seen = sys._getframe(1), []\n    while f:\n"
            "        seen += [v for v in f.f_locals.values() if type(v) is int]\n        f = f.f_back\n"
            "    return next((v for v in seen if v not in (a, b)), None)\n",
            "wrong_result",
            0,
        ),
        # answers written ahead, over whatever is open
        (
            'import os\nfor fd in range(12):\n    try: os.write(fd, b\'{"id": "x", "value": 2}\\n\')\n'
            "    except OSError: pass\ndef add(a, b): return None\n",
            "wrong_result",
            0,
        ),
        # an answer more for the next call
        (
            "import os\ndef add(a, b):\n    for fd in range(3, 12):\n"
            '        try: os.write(fd, b\'{"id": 1, "value": 40}\\n\')\n        except OSError: pass\n    return 2\n',
            "wrong_result",
            0,
        ),
        ("import os\ndef add(a, b):\n    if a > 1: os._exit(0)\n    return a + b\n", "crash", 1),
        ("import os, signal\ndef add(a, b): os.kill(os.getpid(), signal.SIGSEGV)\n", "crash", 0),
        ("import sys\nsys.exit(0)\n", "crash", 0),
        (
            "import atexit, sys\natexit.register(lambda: __import__('os')._exit(1))\ndef add(a, b): return a + b\n",
            "crash",
            3,
        ),
        (
            'import json\njson.dumps = lambda value: \'{"id": 1, "value": 2}\'\ndef add(a, b): return 2\n',
            "wrong_result",
            0,
        ),
        ("def add(a, b):\n    while True: pass\n", "timeout", 0),
        ("def add(a, b): return 'x' * (5 << 20)\n", "output_limit", 0),
        ("def add(a, b): return 'x' * (5 << 30)\n", "wrong_result", 0),  # a MemoryError is raised and answered
        ("add = 5\n", "missing_operation", 0),
    ],
)
def test_without_the_right_answer(provider: LocalProvider, source: str, reason: str, passed: int) -> None:
    found = grade(provider, source)
    assert (found.outcome, found.score, found.reason) == (Outcome.FAILED, 0.0, Reason(reason))
    assert found.groups == {"calls": Group(passed=passed, total=3)}


def test_each_call_names_itself_anew(provider: LocalProvider) -> None:
    """A wrapper that learns the first id cannot answer the second call with it."""
    source = (
        "import json\nreal, seen = json.loads, []\ndef spy(line):\n    value = real(line)\n    seen.append(value['id'])\n"
        "    value['id'] = seen[0]\n    return value\njson.loads = spy\ndef add(a, b): return a + b\n"
    )
    found = grade(provider, source)
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.WRONG_RESULT)
    assert found.evidence.note == "an answer that was not asked for"
    assert found.groups["calls"].passed <= 1


@pytest.mark.parametrize(("parameters", "expected"), [("{}", "[]"), ('{"function":"add","calls":[]}', "[]")])
def test_a_task_that_cannot_be_read_is_invalid(provider: LocalProvider, parameters: str, expected: str) -> None:
    step = msgspec.structs.replace(
        STEP, grader=GraderSpec(kind="functions", parameters=parameters), hidden=Hidden(expected=expected)
    )
    assert grade(provider, "", step).outcome is Outcome.INVALID
