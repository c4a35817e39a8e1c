"""Twins run on real test modules: what holds in the test fails in its twin, for every seed; nothing gives a twin away."""

import ast
import unittest
from typing import Any

import pytest

from proofyard.graders.unittest_change import Sites
from proofyard.graders.unittest_hidden import exchanged
from proofyard.source.twins import Twin, changed_twin, sentinel_twin, twin

SOURCE = '''
import unittest
from unittest.mock import Mock

def helper(case, value):
    case.assertIn(value, [1, 2, 3])

class TestCases(unittest.TestCase):
    """Tests of nothing."""
    def check(self, value):
        self.assertEqual(value, 4)
    def test_equal(self):
        self.assertEqual(2 + 2, 4)
        self.assertEqual([1, 2], [n + 1 for n in (0, 1)])
        self.assertEqual(4.5, 9 / 2)
        self.assertEqual("some text", " ".join(["some", "text"]))
        self.assertAlmostEqual(1 / 3, 0.3333333, places=6)
        self.assertDictEqual({"a": 1}, dict(a=1))
        self.assertSetEqual(set("ab"), {"a", "b"})
        self.assertCountEqual([2, 1], (1, 2))
        self.assertTupleEqual((1,), tuple([1]))
        self.assertEqual(None, {}.get(1))
        self.assertEqual(int, type(3))
        assert 3 == 1 + 2
        assert "a" in "abc"
        self.check(4)
        helper(self, 2)
    def test_truth(self):
        self.assertTrue([1])
        self.assertFalse("")
        self.assertIs(None, None)
        self.assertIsNot([], [])
        self.assertIsNone(None)
        self.assertIsNotNone(1)
        self.assertIn(1, [1])
        self.assertNotIn(2, [1])
        self.assertIsInstance(1, int)
        self.assertNotIsInstance(1, str)
        self.assertGreater(2, 1)
        self.assertLess(1, 2)
        self.assertGreaterEqual(2, 2)
        self.assertLessEqual(2, 2)
        self.assertNotEqual(1, 2)
        self.assertNotAlmostEqual(1, 2)
        self.assertRegex("abc", "b")
        self.assertNotRegex("abc", "d")
    def test_mock(self):
        call = Mock()
        call.assert_not_called()
        call(1, two=2)
        call.assert_called()
        call.assert_called_once()
        call.assert_called_with(1, two=2)
        call.assert_called_once_with(1, two=2)
        call.assert_any_call(1, two=2)
    def test_early(self):
        def inner():
            return 1
        for number in range(3):
            if number == 1:
                return None
        self.fail("not reached")
    def test_only_errors(self):
        with self.assertRaises(KeyError):
            {}[1]
    def test_try(self):
        try:
            return
        finally:
            self.assertTrue(True)
'''
TESTS = ["test_early", "test_equal", "test_mock", "test_only_errors", "test_truth", "test_try"]
SEEDS = ["1", "2", "a", "b", "c"]


def run(text: str, made: Twin | None = None) -> tuple[dict[str, str], Sites]:
    """What each failing test says first, by name."""
    sites = Sites(1 if made is None else len(made.sites))
    space: dict[str, Any] = {"__name__": "somewhere"}
    code = compile(text, "test.py", "exec")
    exec(code if made is None else exchanged(code, made.mark, sites), space)
    suite = unittest.TestLoader().loadTestsFromTestCase(space["TestCases"])
    result = unittest.TestResult()
    suite.run(result)
    said = {}
    for case, trace in (*result.failures, *result.errors):
        said[case.id().rpartition(".")[2]] = trace.partition("AssertionError: ")[2]
    return said, sites


def test_positive_control() -> None:
    assert run(SOURCE)[0] == {}


@pytest.mark.parametrize("seed", SEEDS)
def test_every_sentinel_is_reported_with_its_own_token(seed: str) -> None:
    made = sentinel_twin(SOURCE, seed)
    said, _ = run(made.text)
    assert sorted(said) == sorted(made.tokens) == TESTS
    for name, token in made.tokens.items():
        assert said[name].startswith(token), name
    assert len(set(made.tokens.values())) == len(TESTS)
    assert (made.sites, made.mark) == ({}, "")


@pytest.mark.parametrize("seed", SEEDS)
def test_every_assertion_ends_as_it_must_and_the_test_goes_on(seed: str) -> None:
    made = changed_twin(SOURCE, seed)
    said, sites = run(made.text, made)
    assert said == {}
    labels = {made.sites[told]: tuple(counts) for told, counts in sites.seen.items()}
    assert {counts[1] for counts in labels.values()} == {0}
    assert min(counts[0] for counts in labels.values()) >= 2
    assert len(labels) == len(made.sites) == 40
    assert {label.partition("#")[0] for label in labels} == {
        "helper", "check", "test_equal", "test_truth", "test_mock", "test_try",
    }  # fmt: skip


@pytest.mark.parametrize("seed", SEEDS)
def test_both_at_once(seed: str) -> None:
    made = twin(SOURCE, seed)
    said, sites = run(made.text, made)
    for name, token in made.tokens.items():
        assert said[name].startswith(token), name
    assert all(counts[0] >= 2 and not counts[1] for counts in sites.seen.values())
    assert {made.sites[told] for told in sites.seen} == set(made.sites.values())


def test_a_seed_decides_everything() -> None:
    assert twin(SOURCE, "1") == twin(SOURCE, "1")
    made = [twin(SOURCE, seed) for seed in SEEDS]
    assert len({one.text for one in made}) == len(SEEDS)
    assert len({tuple(one.tokens.values()) for one in made}) == len(SEEDS)
    assert len({tuple(one.sites) for one in made}) == len(SEEDS)
    assert len({one.mark for one in made}) == len(SEEDS)
    assert len({tuple(one.sites.values()) for one in made}) == 1


def test_nothing_gives_a_twin_away() -> None:
    made = twin(SOURCE, "1")
    assert not any(word in made.text for word in ("sentinel", "twin", "token", "changed", "must", "fail_"))
    names = [
        {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)} for text in (SOURCE, made.text)
    ]
    assert names[1] <= names[0]
    assert made.mark not in SOURCE


def test_what_a_test_swallows_is_counted_as_held() -> None:
    """A runner whose assertions do nothing: each holds, those that are changed too."""
    made = changed_twin(SOURCE, "1")
    sites = Sites()
    space: dict[str, Any] = {"__name__": "somewhere"}
    exec(exchanged(compile(made.text, "test.py", "exec"), made.mark, sites), space)
    kind = space["TestCases"]
    kind.assertEqual = kind.assertTrue = lambda *args, **kwargs: None
    kind("test_equal").debug()
    held = {made.sites[told] for told, counts in sites.seen.items() if counts[1]}
    assert {"test_equal#0", "test_equal#1", "check#0"} <= held


def test_several_classes_and_inheritance() -> None:
    text = (
        "class Base(unittest.TestCase):\n    def test_one(self): pass\n"
        "class TestA(Base):\n    def test_two(self): pass\nclass TestB(Base): pass\n"
    )
    made = sentinel_twin(text, "1")
    assert sorted(made.tokens) == ["Base.test_one", "TestA.test_one", "TestA.test_two", "TestB.test_one"]
    assert made.tokens["Base.test_one"] == made.tokens["TestB.test_one"]
    assert made.text.count(".assert") == 2


def test_an_async_test_has_a_sentinel_too() -> None:
    text = (
        "import unittest\nclass TestCases(unittest.IsolatedAsyncioTestCase):\n"
        "    async def test_it(self):\n        self.assertEqual(1, 1)\n"
    )
    made = twin(text, "1")
    said, _ = run(made.text, made)
    assert said["test_it"].startswith(made.tokens["test_it"])
