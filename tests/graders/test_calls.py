"""The differential grader in real sandboxes: honest variants pass, what is made to be taken for an answer does not."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from proofyard.core import (
    Brief,
    Given,
    Grade,
    GraderSpec,
    Group,
    Hidden,
    Image,
    Limits,
    MemoryBlobs,
    Outcome,
    Reason,
    SandboxSpec,
    Step,
    file_bytes,
    tree_of,
)
from proofyard.graders.calls import CallsGrader
from proofyard.graders.calls_truth import TruthCache
from proofyard.sandbox import LocalProvider

from . import hostile_values as hostile

REFERENCE = "def order(items):\n    return sorted(items)\n"
TUPLE = {"$type": "tuple", "items": [2, 1]}
GROUPS = {"base": [[[3, 1, 2]], [[2, 2]]], "plus": [[[9, 8, 7]], [[]], [TUPLE]]}


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider()
    yield local
    local.close()


@pytest.fixture(scope="module")
def grader(tmp_path_factory: pytest.TempPathFactory) -> CallsGrader:
    return CallsGrader(TruthCache(tmp_path_factory.mktemp("truths")))


def step(
    reference: str = REFERENCE,
    groups: Any = None,
    *,
    function: str = "order",
    limits: Limits = Limits(),  # noqa: B008
    **parameters: Any,
) -> Step:
    return Step(
        brief=Brief(task="toy", prompt=""),
        grader=GraderSpec(kind="calls", parameters=json.dumps({"entry_point": function, **parameters})),
        grading=SandboxSpec(limits=limits, image=Image(preload=("typing",))),
        hidden=Hidden(expected=json.dumps({"reference": reference, "groups": groups or GROUPS})),
    )


def grade(provider: LocalProvider, grader: CallsGrader, source: str, asked: Step | None = None) -> Grade:
    blobs = MemoryBlobs()
    tree = tree_of({"solution.py": source}, blobs)
    return grader.grade(asked or step(), tree, lambda spec: provider.open(spec, blobs), Given(), blobs)


def counts(found: Grade) -> dict[str, tuple[int, int]]:
    return {name: (group.passed, group.total) for name, group in found.groups.items()}


@pytest.mark.parametrize(
    "source",
    [
        REFERENCE,
        # what it does to its argument changes no other call
        "def order(items):\n    items = list(items) if type(items) is tuple else items\n    items.sort()\n    return items\n",
        # prints are not answers
        "import sys\ndef order(items):\n    print('{\"value\": 1}'); sys.stderr.write('x'); return sorted(items)\n",
        # decorated, and defined late
        "import functools\norder = functools.wraps(len)(functools.lru_cache()(lambda *a: 0))\n"
        "def order(items, seen=[]):\n    seen.append(1)\n    return sorted(items)\n",
        "import sys\nsys.stdout = None\ndef order(items): return sorted(items)\n",
    ],
)
def test_honest_programs_pass(provider: LocalProvider, grader: CallsGrader, source: str) -> None:
    found = grade(provider, grader, source)
    assert (found.outcome, found.evidence.note) == (Outcome.PASSED, "")
    assert counts(found) == {"base": (2, 2), "plus": (3, 3)}
    assert found.metrics == {"assertions_passed": 5.0, "assertions_total": 5.0}


@pytest.mark.parametrize(
    ("source", "reason", "base", "plus"),
    [
        ("def order(items): return list(items)\n", Reason.WRONG_RESULT, 1, 1),
        ("def order(items): return tuple(sorted(items))\n", Reason.WRONG_RESULT, 0, 0),
        ("def order(items): raise ValueError(items)\n", Reason.WRONG_RESULT, 0, 0),
        ("def order(items):\n    if not items: raise SystemExit(0)\n    return sorted(items)\n", Reason.WRONG_RESULT, 2, 2),
        ("import sys\nsys.exit(0)\n", Reason.CRASH, 0, 0),
        ("def ordr(items): return sorted(items)\n", Reason.MISSING_OPERATION, 0, 0),
        ("def order(items:\n", Reason.IMPORT_ERROR, 0, 0),
        ("import nowhere\n", Reason.IMPORT_ERROR, 0, 0),
        ("import os\ndef order(items): os._exit(0)\n", Reason.CRASH, 0, 0),
        (
            "import os\ndef order(items):\n    if len(items) == 0: os._exit(0)\n    return sorted(items)\n",
            Reason.CRASH,
            2,
            0,
        ),
        ("import atexit, os\natexit.register(os._exit, 3)\ndef order(i): return sorted(i)\n", Reason.CRASH, 2, 3),
        ("import os\ndef order(i): os.kill(os.getpid(), 9)\n", Reason.CRASH, 0, 0),
        (hostile.BARE + "def order(items): return Equal()\n", Reason.WRONG_RESULT, 0, 0),
        (hostile.BARE + "def order(items): return [Equal() for _ in items]\n", Reason.WRONG_RESULT, 0, 1),
        ("KIND = list\n" + hostile.FORGED_CLASS + "def order(i): return Equal()\n", Reason.WRONG_RESULT, 0, 0),
        (hostile.subclass("list", "[0]") + "def order(i): return answer()\n", Reason.WRONG_RESULT, 0, 0),
        # right content in a class of its own is not a list either
        ("class Mine(list): pass\ndef order(items): return Mine(sorted(items))\n", Reason.WRONG_RESULT, 0, 0),
        (
            "def order(items):\n    deep = []\n    for _ in range(100_000): deep = [deep]\n    return deep\n",
            Reason.WRONG_RESULT,
            0,
            0,
        ),
        ("def order(items):\n    me = []\n    me.append(me)\n    return me\n", Reason.WRONG_RESULT, 0, 0),
        ("def order(items): return ['x' * 20_000]\n", Reason.WRONG_RESULT, 0, 0),
        ("def order(items): return [10 ** 5000]\n", Reason.WRONG_RESULT, 0, 0),
        (hostile.EVERY_FD + "def order(items): return answer()\n", Reason.WRONG_RESULT, 0, 0),
        (
            # the encoder replaced: it writes values, and does not know which
            "import __main__\n__main__.encoded = lambda value: True\n"
            "def order(items): return sorted(items)\n",
            Reason.WRONG_RESULT,
            0,
            0,
        ),
        ("import unittest\ndef order(items): raise unittest.SkipTest\n", Reason.WRONG_RESULT, 0, 0),
    ],
)  # fmt: skip
def test_what_does_not_pass(
    provider: LocalProvider, grader: CallsGrader, source: str, reason: Reason, base: int, plus: int
) -> None:
    found = grade(provider, grader, source)
    assert (found.outcome, found.score, found.reason) == (Outcome.FAILED, 0.0, reason), found.evidence
    assert counts(found) == {"base": (base, 2), "plus": (plus, 3)}


def test_what_is_expected_is_in_no_frame_nor_object_of_the_candidate(
    provider: LocalProvider, grader: CallsGrader
) -> None:
    reference = "def order(items):\n    return ['Zq7Wx', *items]\n"
    source = hostile.EVERYTHING + (
        "def order(items):\n    word = ''.join(map(chr, (90, 113, 55, 87, 120)))\n"
        "    return [word, *items] if word in everything() else []\n"
    )
    found = grade(provider, grader, source, step(reference, {"base": [[[1]], [[2]]]}))
    assert (found.outcome, counts(found)) == (Outcome.FAILED, {"base": (0, 2)})


def test_evidence_names_the_call(provider: LocalProvider, grader: CallsGrader) -> None:
    found = grade(provider, grader, "def order(items): return sorted(items) if items else None\n")
    assert counts(found) == {"base": (2, 2), "plus": (2, 3)}
    assert found.evidence.where == "plus, call 2"
    assert (found.evidence.request, found.evidence.expected, found.evidence.got) == (
        '{"args":[[]]}',
        '{"value":[]}',
        '{"value":null}',
    )
    assert found.provenance["failed_plus"] == "2"
    assert "failed_base" not in found.provenance


def test_a_program_over_its_time_is_tried_once_more_alone(provider: LocalProvider, grader: CallsGrader) -> None:
    found = grade(provider, grader, "def order(items):\n    while True: pass\n", step(floor_ms=1000))
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.TIMEOUT)
    assert (found.provenance["retried_alone"], found.provenance["cpu_limit_ms"]) == ("1", "1000")


def test_the_limit_follows_the_reference(provider: LocalProvider, grader: CallsGrader) -> None:
    slow = "import time\ndef order(items):\n    while time.process_time() < 0.5: pass\n    return sorted(items)\n"
    found = grade(provider, grader, slow, step(slow, {"base": [[[1]]]}, floor_ms=1000, factor=8))
    assert found.outcome is Outcome.PASSED
    assert int(found.provenance["reference_cpu_ms"]) >= 500
    assert int(found.provenance["cpu_limit_ms"]) == 8 * int(found.provenance["reference_cpu_ms"])


def test_types_that_json_lacks_go_both_ways(provider: LocalProvider, grader: CallsGrader) -> None:
    reference = (
        "def order(x):\n    assert type(x) in (tuple, set, complex, float)\n    return (x, {1: x}, 10 ** 4000)\n"
    )
    given = [
        TUPLE,
        {"$type": "set", "items": [1, 2]},
        {"$type": "complex", "text": [(1.5).hex(), (-2.0).hex()]},
        {"$type": "float", "text": "inf"},
        {"$type": "float", "text": "nan"},
    ]
    found = grade(provider, grader, reference, step(reference, {"base": [[value] for value in given]}))
    assert (found.outcome, counts(found), found.evidence.note) == (Outcome.PASSED, {"base": (5, 5)}, "")


def test_thousands_of_calls_and_large_values(provider: LocalProvider, grader: CallsGrader) -> None:
    reference = "def order(n):\n    return list(range(n))\n"
    calls = [[n] for n in range(1500)] + [[600_000], [3], [600_000]]
    asked = step(reference, {"base": calls}, limits=Limits(memory=1 << 30))
    assert counts(grade(provider, grader, reference, asked)) == {"base": (1503, 1503)}
    wrong = "def order(n):\n    return list(range(n)) if n != 600_000 else list(range(n))[::-1]\n"
    found = grade(provider, grader, wrong, asked)
    assert (counts(found), found.provenance["failed_base"]) == ({"base": (1501, 1503)}, "1501 1503")


@pytest.mark.parametrize(
    ("reference", "groups", "note"),
    [
        ("def order(items): return 1 // len(items)\n", GROUPS, "call 2 of plus"),
        ("def other(): pass\n", GROUPS, "solution.py has no function order"),
        (REFERENCE, {"base": []}, "the task has no calls"),
    ],
)
def test_a_task_whose_reference_does_not_do_has_no_score(
    provider: LocalProvider, grader: CallsGrader, reference: str, groups: Any, note: str
) -> None:
    found = grade(provider, grader, REFERENCE, step(reference, groups))
    assert (found.outcome, found.score) == (Outcome.INVALID, None)
    assert note in found.evidence.note


def test_a_task_that_cannot_be_read_has_no_score(provider: LocalProvider, grader: CallsGrader) -> None:
    found = grade(provider, grader, REFERENCE, step(unknown=1))
    assert found.outcome is Outcome.INVALID


def test_a_reference_runs_once(provider: LocalProvider, tmp_path: Path) -> None:
    opened: list[str] = []

    def graded() -> Grade:
        blobs = MemoryBlobs()
        tree = tree_of({"solution.py": REFERENCE}, blobs)

        def opening(spec: SandboxSpec) -> Any:
            files = next(mount.tree for mount in spec.mounts if mount.path == spec.image.workdir)
            opened.append(file_bytes(files.entries["solution.py"], blobs).decode())
            return provider.open(spec, blobs)

        return CallsGrader(TruthCache(tmp_path)).grade(step(), tree, opening, Given(), blobs)

    assert [graded().outcome for _ in range(3)] == [Outcome.PASSED] * 3
    assert len(opened) == 4
    assert len(list(tmp_path.iterdir())) == 1


def test_special_cases_are_known_by_task(provider: LocalProvider, grader: CallsGrader) -> None:
    reference = "def order(items):\n    return tuple(set(items))\n"
    other = "def order(items):\n    return sorted(set(items)) * 2\n"
    groups = {"base": [[[3, 1, 1]]]}
    assert grade(provider, grader, other, step(reference, groups)).outcome is Outcome.FAILED
    found = grade(provider, grader, other, step(reference, groups, task="Mbpp/2"))
    assert found.groups == {"base": Group(passed=1, total=1)}


ENDLESS = """
import json, os, sys
def order(items):
    frame = sys._getframe()
    while "request" not in frame.f_locals or "id" not in frame.f_locals["request"]:
        frame = frame.f_back
    value = {"$type": "int", "text": "0x" + "f" * 400_000}
    calls = frame.f_locals["request"]["calls"]
    line = {"id": frame.f_locals["request"]["id"], "results": [{"value": value}] * len(calls)}
    for fd in range(3, 9):
        try:
            if not os.get_inheritable(fd) and os.readlink(f"/proc/self/fd/{fd}").startswith("pipe"):
                os.write(fd, json.dumps(line).encode() + b"\\n")
        except OSError:
            pass
    os._exit(0)
"""


def test_an_answer_that_breaks_the_word_of_the_driver_is_not_counted_with(
    provider: LocalProvider, grader: CallsGrader
) -> None:
    """An integer so long that its powers would take longer than all tests, written past the driver."""
    reference = "def order(items):\n    return -0.5\n"
    asked = step(reference, {"base": [[[1, 2] * 40]]}, task="HumanEval/32", atol=1e-4)
    found = grade(provider, grader, ENDLESS, asked)
    assert (found.outcome, counts(found)) == (Outcome.FAILED, {"base": (0, 1)})
    assert found.evidence.note == "another value"
