"""Classes that no list names, and functions without a way back."""

import unittest
from collections.abc import Iterator

import pytest

from proofyard.graders.unittest_hidden import Hidden, concealed, exchanged, opaque, vanish


@pytest.fixture
def base() -> Iterator[type]:
    yield type("base", (), {})


def test_a_class_that_vanished_is_in_no_list(base: type) -> None:
    made = type("made", (base,), {})
    assert base.__subclasses__() == [made]
    vanish(base)
    assert base.__subclasses__() == []
    assert issubclass(made, base)
    later = type("later", (base,), {})
    assert base.__subclasses__() == [later]
    vanish(base)
    vanish(base)
    assert base.__subclasses__() == []


def test_a_class_without_subclasses_stays_so(base: type) -> None:
    vanish(base)
    assert base.__subclasses__() == []


def test_a_copy_of_test_case_does_what_that_does() -> None:
    case = concealed(unittest.TestCase)
    assert case.__mro__ == (case, Hidden, object)

    class Tests(case):  # type: ignore[misc, valid-type]
        def test_it(self) -> None:
            with self.assertRaises(AssertionError):
                self.assertEqual([1], [2])
            with self.subTest(of=1):
                self.assertTrue(True)

    result = unittest.TestResult()
    Tests("test_it").run(result)
    assert (result.testsRun, result.failures, result.errors) == (1, [], [])
    assert unittest.TestCase not in Tests.__mro__

    class Others(unittest.TestCase):  # the one that was copied is as it was
        __test__ = False

    assert issubclass(Others, unittest.TestCase)


def test_an_opaque_function_shows_nothing() -> None:
    kept = [1]
    made = opaque(lambda *items, add=0: [*kept, *items, add])
    assert made(2, add=3) == [1, 2, 3]
    assert list(made.__globals__) == ["__builtins__"]
    assert made.__closure__ is None
    assert vars(made) == {}


def test_constants_are_exchanged_at_any_depth() -> None:
    text = "def f():\n    class C:\n        def g(self): return (None or 'mark')(4), 'other'\n    return C().g()\n"
    space: dict[str, object] = {}
    exec(exchanged(compile(text, "x", "exec"), "mark", lambda number: number * 2), space)
    found = space["f"]
    assert callable(found)
    assert found() == (8, "other")
