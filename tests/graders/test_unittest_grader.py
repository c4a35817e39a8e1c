"""The unittest grader on real sandboxes: verdicts, reasons, limits, the measured truth. Hostile samples: tests/adversarial."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from proofyard.core import Given, Group, Limits, Outcome, Reason, tree_of
from proofyard.graders.outcome import Shortfall
from proofyard.graders.unittest_grader import UnittestGrader, truth_of
from proofyard.graders.unittest_orders import Order, Truth, encoded, read_report
from proofyard.graders.unittest_runs import _FILES
from proofyard.sandbox import LocalProvider
from proofyard.source.unit_tests import read_tests
from tests.adversarial.own_tasks import MEAN, OWN_TASKS, REPORT, TOTALS, WORDS, OwnTask
from tests.adversarial.plain import BLOBS, LIMITS, grade, measured, opener, step_of

WORDS_TRUTH = Truth(tests={"test_four": "ok", "test_spaces": "ok", "test_three": "ok"}, cpu_ms=50)
KINDS = """
import unittest

class TestCases(unittest.TestCase):
    def test_a(self):
        self.assertEqual(task_func(), 1)
    @unittest.skip("not here")
    def test_b(self):
        self.assertEqual(task_func(), 2)
    @unittest.expectedFailure
    def test_c(self):
        self.assertEqual(task_func(), 3)
    def test_d(self):
        self.skipTest("at run time")
"""


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider(slots=2)
    yield local
    local.close()


@pytest.mark.parametrize("name", OWN_TASKS)
def test_right_solutions_pass(provider: LocalProvider, name: str) -> None:
    task = OWN_TASKS[name]
    truth = measured(provider, task)
    found = grade(provider, task.test, task.solution, truth)
    assert (found.outcome, found.score, found.reason) == (Outcome.PASSED, 1.0, None), found
    assert found.groups == {"tests": Group(passed=len(truth.tests), total=len(truth.tests))}
    assert found.provenance["truth"] == "measured"
    assert found.provenance["twins"] == "run"
    assert found.provenance["details"] == "{}"
    assert found.usage.cpu_us > 0


def test_the_truth_that_is_measured(provider: LocalProvider) -> None:
    truth = measured(provider, WORDS)
    assert truth.tests == WORDS_TRUTH.tests
    names = ("test_four", "test_spaces", "test_three")
    assert truth.controls == tuple(sorted([*names, *(f"{name}#0" for name in names)]))
    assert truth.stack == "own"
    assert 1 <= truth.cpu_ms < 5000
    report = measured(provider, REPORT)
    assert set(report.controls) >= {"test_size_is_asked_for#0", "test_size_is_asked_for#1", "test_empty#1"}


WRONG = [
    ("def task_func(text): return text.split()\n", Reason.WRONG_RESULT, "test_four", 1),
    ("def task_func(text): return sorted(text)\n", Reason.WRONG_RESULT, "test_four", 0),
    (
        "def task_func(text):\n    return sorted(text.split()) if len(text) > 7 else sorted(set(text.split()))\n",
        None,
        "",
        3,
    ),
    ("def task_func(text): return sorted(set(text.split(' ')))\n", Reason.WRONG_RESULT, "test_spaces", 2),
    ("def task_func(text): raise KeyError(text)\n", Reason.WRONG_RESULT, "test_four", 0),
    ("def task_func(text)\n    return 1\n", Reason.SYNTAX, "the test", 0),
    ("x = '\\ud800'\ndef task_func(: pass", Reason.SYNTAX, "the test", 0),
    ("import absent_module\ndef task_func(text): return 1\n", Reason.IMPORT_ERROR, "the test", 0),
    ("def task_func(text):\n    import absent_module\n", Reason.IMPORT_ERROR, "test_four", 0),
    ("def other_name(text): return 1\n", Reason.MISSING_OPERATION, "the test", 0),
    ("task_func = 5\n", Reason.MISSING_OPERATION, "the test", 0),
    ("raise RuntimeError('at import')\n", Reason.CRASH, "the test", 0),
    ("import os\nos.abort()\n", Reason.CRASH, "the test", 0),
    ("def task_func(text): return 'x' * (1 << 40)\n", Reason.OOM, "test_four", 0),
    ("def task_func(text): return task_func(text)\n", Reason.WRONG_RESULT, "test_four", 0),
]


@pytest.mark.parametrize(("source", "reason", "where", "passed"), WRONG)
def test_reasons(provider: LocalProvider, source: str, reason: Reason | None, where: str, passed: int) -> None:
    found = grade(provider, WORDS.test, source, WORDS_TRUTH)
    assert (found.reason, found.evidence.where) == (reason, where), found
    assert found.outcome is (Outcome.FAILED if reason else Outcome.PASSED)
    assert found.groups == {"tests": Group(passed=passed, total=3)}


def test_evidence_shows_traceback_output_and_details(provider: LocalProvider) -> None:
    source = "import sys\ndef task_func(text):\n    print('said', text)\n    print('loud', file=sys.stderr)\n    return text\n"
    found = grade(provider, WORDS.test, source, WORDS_TRUTH)
    assert found.evidence.note == "'z y x w' != ['w', 'x', 'y', 'z']"
    assert "self.assertEqual(found, expected)" not in found.evidence.got  # the test's text is not in the sandbox
    assert "AssertionError: 'z y x w' != ['w', 'x', 'y', 'z']" in found.evidence.got
    assert found.evidence.stderr == "loud\nloud\nloud"
    assert found.provenance["stdout"].splitlines() == ["said z y x w", "said   p  q r ", "said c a b a"]
    details = msgspec.json.decode(found.provenance["details"])
    assert sorted(details) == ["test_four", "test_spaces", "test_three"]


def test_time_limits(provider: LocalProvider) -> None:
    spin = "def task_func(text):\n    while True: pass\n"
    found = grade(provider, WORDS.test, spin, WORDS_TRUTH, cpu_floor_ms=1000)
    assert (found.reason, found.evidence.note) == (Reason.TIMEOUT, "over its CPU time (1 s)")
    assert "retried_alone" not in found.provenance
    sleep = "import time\ndef task_func(text): time.sleep(60)\n"
    limits = msgspec.structs.replace(LIMITS, wall_ms=500)
    found = grade(provider, WORDS.test, sleep, WORDS_TRUTH, limits, cpu_floor_ms=500)
    assert (found.reason, found.evidence.note) == (Reason.TIMEOUT, "not ended within 1.5 s, run alone too")
    assert found.provenance["retried_alone"] == "yes"


def test_the_truth_s_time_moves_the_limit(provider: LocalProvider) -> None:
    source = WORDS.solution + "import time\nend = time.process_time() + 1.5\nwhile time.process_time() < end: pass\n"
    assert grade(provider, WORDS.test, source, WORDS_TRUTH, cpu_floor_ms=1000).reason is Reason.TIMEOUT
    slow = msgspec.structs.replace(WORDS_TRUTH, cpu_ms=1600)
    assert grade(provider, WORDS.test, source, slow, cpu_floor_ms=1000, cpu_factor=3).outcome is Outcome.PASSED


def test_skips_and_expected_failures_are_the_truth_s(provider: LocalProvider) -> None:
    one = "def task_func(): return 1\n"
    truth = measured(provider, OwnTask(one, KINDS))
    assert truth.tests == {"test_a": "ok", "test_b": "skip", "test_c": "expected_failure", "test_d": "skip"}
    assert truth.controls == ("test_a", "test_a#0")
    assert grade(provider, KINDS, one, truth).outcome is Outcome.PASSED
    fewer = msgspec.structs.replace(truth, tests={**truth.tests, "test_d": "ok"})
    found = grade(provider, KINDS, one, fewer)
    assert (found.outcome, found.reason, found.evidence.where) == (Outcome.FAILED, Reason.TAMPER, "test_d")


def test_without_a_truth_the_text_says_what_must_run(provider: LocalProvider) -> None:
    found = grade(provider, WORDS.test, WORDS.solution, None)
    assert (found.outcome, found.provenance["truth"]) == (Outcome.PASSED, "none")
    assert grade(provider, WORDS.test, "def task_func(text): return 1\n", None).reason is Reason.WRONG_RESULT
    always = "class A:\n    def __eq__(self, other): return True\nimport collections\n"
    found = grade(provider, WORDS.test, always + "def task_func(text): return A()\n", None)
    assert found.reason is Reason.TAMPER


HIDDEN_ALWAYS = """
class Always:
    def __eq__(self, other): return True
    def __hash__(self): return 1
def task_func(text): return iter([Always()] * len(set(text.split())))
"""


@pytest.mark.parametrize("twins", [True, False])
def test_only_the_twin_finds_what_agrees_with_everything(provider: LocalProvider, twins: bool) -> None:
    test = WORDS.test.replace("task_func(", "list(task_func(").replace('"),', '")),').replace('w")', 'w"))')
    truth = measured(provider, OwnTask(WORDS.solution, test))
    found = grade(provider, test, HIDDEN_ALWAYS, truth, twins=twins)
    assert found.outcome is (Outcome.FAILED if twins else Outcome.PASSED)
    assert found.reason is (Reason.TAMPER if twins else None)
    if twins:
        assert found.evidence.note == "an assertion held that was changed so as to fail, or the other way round"


def test_a_fresh_interpreter_gives_the_same(provider: LocalProvider) -> None:
    truth = measured(provider, TOTALS)
    for source, reason in ((TOTALS.solution, None), ("def task_func(n): return n\n", Reason.WRONG_RESULT)):
        found = grade(provider, TOTALS.test, source, truth, isolation="fresh")
        assert found.reason is reason
        assert found.provenance["rung"] != "zygote"
        assert grade(provider, TOTALS.test, source, truth).provenance["rung"] == "zygote"


SQLITE = OwnTask(
    "def task_func(db):\n    return db.execute('select 41 + 1').fetchone()[0]\n",
    "import sqlite3, unittest\nclass TestCases(unittest.TestCase):\n    def test_it(self):\n"
    "        self.assertEqual(task_func(sqlite3.connect(':memory:')), 42)\n",
)


def test_a_test_that_does_not_bear_two_threads_runs_on_one(provider: LocalProvider) -> None:
    truth = measured(provider, SQLITE)
    assert truth.stack == "shared"
    assert grade(provider, SQLITE.test, SQLITE.solution, truth).outcome is Outcome.PASSED
    walk = "import sys\ndef task_func(db):\n    return sys._getframe(1).f_code.co_consts[-1]\n"
    found = grade(provider, SQLITE.test, walk, truth)
    assert (found.reason, found.evidence.where) == (Reason.TAMPER, "the test")


def test_why_a_truth_cannot_be_measured(provider: LocalProvider) -> None:
    def measure(task: OwnTask, limits: Limits = LIMITS) -> Truth | Shortfall:
        step = step_of(task.test, limits=limits)
        return truth_of(step, tree_of({"solution.py": task.solution}, BLOBS), opener(provider), BLOBS, cpu_ms=1000)

    wrong = measure(OwnTask("def task_func(values): return 0\n", MEAN.test))
    assert isinstance(wrong, Shortfall)
    assert (wrong.reason, wrong.evidence.where) == (Reason.WRONG_RESULT, "test_mean")
    absent = measure(OwnTask("import numpy\n", MEAN.test))
    assert isinstance(absent, Shortfall)
    assert absent.reason is Reason.IMPORT_ERROR
    skipped = measure(OwnTask("def task_func(): return 1\n", KINDS.replace("task_func(), 1", "task_func(), 2")))
    assert isinstance(skipped, Shortfall)
    none = measure(OwnTask("def task_func(): return 1\n", "x = 1\n"))
    assert isinstance(none, Shortfall)
    assert none.reason is Reason.NO_TESTS
    all_skipped = measure(
        OwnTask(
            "def task_func(): return 1\n",
            "import unittest\nclass TestCases(unittest.TestCase):\n    def test_x(self): self.skipTest('x')\n",
        )
    )
    assert isinstance(all_skipped, Shortfall)
    assert (all_skipped.reason, all_skipped.evidence.note) == (Reason.NO_TESTS, "every test is skipped")


def test_tasks_at_fault_are_invalid(provider: LocalProvider) -> None:
    tree = tree_of({"solution.py": WORDS.solution}, BLOBS)

    def graded(step: object) -> Outcome:
        return UnittestGrader().grade(step, tree, opener(provider), Given(), BLOBS).outcome  # type: ignore[arg-type]

    step = step_of(WORDS.test, WORDS_TRUTH)
    assert graded(step_of("def (", WORDS_TRUTH)) is Outcome.INVALID
    assert graded(step_of("x = 1", WORDS_TRUTH)) is Outcome.INVALID
    assert graded(step_of(WORDS.test, Truth(tests={"test_four": "ok"}))) is Outcome.INVALID
    spec = msgspec.structs.replace(step.grader, parameters="{}")
    assert graded(msgspec.structs.replace(step, grader=spec)) is Outcome.INVALID
    for hidden in (
        msgspec.structs.replace(step.hidden, expected="{"),
        msgspec.structs.replace(step.hidden, tests=tree_of({"a.py": ""}, BLOBS)),
    ):
        assert graded(msgspec.structs.replace(step, hidden=hidden)) is Outcome.INVALID


def test_submissions_that_are_not_run(provider: LocalProvider) -> None:
    step = step_of(WORDS.test, WORDS_TRUTH)
    for files, reason in (({}, Reason.NO_SUBMISSION), ({"main.py": ""}, Reason.NO_SUBMISSION)):
        found = UnittestGrader().grade(step, tree_of(files, BLOBS), opener(provider), Given(), BLOBS)
        assert (found.outcome, found.reason) == (Outcome.FAILED, reason)
    found = grade(provider, WORDS.test, "#" * 3000, WORDS_TRUTH, max_bytes=2000)
    assert found.reason is Reason.OUTPUT_LIMIT


def test_the_driver_runs_from_its_sources_for_a_python_of_another_kind(tmp_path: Path) -> None:
    for name, content in _FILES.items():
        (tmp_path / name).write_text(content)
    solution = tmp_path / "solution.py"
    solution.write_text(WORDS.solution)
    key = "ab" * 32
    tests = read_tests(WORDS.test)
    order = Order(
        key=key, path=str(solution), entry_point="task_func", test=WORDS.test, stack="own", seed=0, modules=tests.modules,
        imported=tests.imported, named=tests.attributes, keep_classes=tests.names_classes, mark="", sites=0, measure=False,
        bare=False,
    )  # fmt: skip
    command = [sys.executable, "-E", "-s", "-S", "-B", str(tmp_path / "unittest_stub.py")]
    ended = subprocess.run(command, input=encoded(order), capture_output=True, check=False, timeout=60)
    found = read_report(ended.stdout, key)
    assert found is not None, ended.stderr
    assert found[0].tests is not None
    assert {name: status for name, (status, _, _) in found[0].tests.items()} == WORDS_TRUTH.tests


def test_a_candidate_finds_neither_the_drivers_modules_nor_their_code(provider: LocalProvider) -> None:
    """What was loaded before the fork is as little to be found as what is loaded after it."""
    solution = """
import sys

def walked(code):
    for constant in code.co_consts:
        if isinstance(constant, type(code)):
            yield constant.co_name
            yield from walked(constant)
        elif isinstance(constant, (list, tuple)):
            yield from map(repr, constant)

frame = sys._getframe()
names = []
while frame is not None:
    names += walked(frame.f_code)
    frame = frame.f_back
FOUND = [name for name in sys.modules if "unittest_" in name or name.startswith("proofyard")]
FOUND += [kind.__name__ for base in object.__subclasses__() for kind in type.__subclasses__(base) if base.__name__ == "Hidden"]
FOUND += [path for path in sys.path_importer_cache if path.rstrip("/") == "/workspace/driver"]
FOUND += [name for name in names if "Watch" in name or "vanish" in name]

def task_func():
    return FOUND
"""
    test = "import unittest\nclass TestCases(unittest.TestCase):\n    def test_it(self):\n"
    test += "        self.assertEqual(task_func(), [])\n"
    for isolation in ("fork", "fresh"):
        step = step_of(test, isolation=isolation)
        found = UnittestGrader().grade(
            step, tree_of({"solution.py": solution}, BLOBS), opener(provider), Given(), BLOBS
        )
        assert (found.outcome, found.reason) == (Outcome.PASSED, None), found
