import ast

import pytest

from proofyard.source.unit_tests import case_classes, methods_of, read_tests

SOURCE = """
import os, unittest.mock as mock
import numpy.testing
from datetime import datetime as when, timedelta
try:
    import absent
except ImportError:
    pass

class Helper:
    def test_nothing(self): ...

class Base(unittest.TestCase):
    def test_inherited(self): ...
    def test_hidden(self): ...
    def helper(self): ...

@unittest.skip("whole class")
class Skipped(Base):
    test_hidden = None

class TestCases(Base):
    def test_b(self): ...
    @unittest.skip("not now")
    def test_a(self): ...
    @skipIf(True, "perhaps")
    async def test_c(self): ...
    def test_b(self): pass
    def test_hidden(self): ...
"""


def test_names_of_the_one_class_that_is_run() -> None:
    found = read_tests(SOURCE)
    assert found.names == {
        "test_a": True,
        "test_b": False,
        "test_c": False,
        "test_hidden": False,
        "test_inherited": False,
    }
    assert list(found.names) == sorted(found.names)
    assert found.modules == ("os", "unittest.mock", "numpy.testing", "datetime")
    assert found.imported == ("os", "mock", "numpy", "when", "timedelta")
    assert {"TestCase", "skipIf", "datetime", "mock", "Base"} <= set(found.attributes)
    assert "whole class" not in found.attributes


def test_names_of_several_classes_carry_the_class() -> None:
    found = read_tests(SOURCE.replace("class TestCases", "class TestOthers"))
    assert found.names == {
        "Base.test_hidden": False,
        "Base.test_inherited": False,
        "Skipped.test_inherited": True,
        "TestOthers.test_a": True,
        "TestOthers.test_b": False,
        "TestOthers.test_c": False,
        "TestOthers.test_hidden": False,
        "TestOthers.test_inherited": False,
    }


def test_one_class_of_another_name() -> None:
    found = read_tests("from unittest import TestCase\nclass Check(TestCase):\n    def test_it(self): ...\n")
    assert found.names == {"test_it": False}
    assert not found.names_classes


@pytest.mark.parametrize(
    ("line", "named"),
    [("super().setUp()", False), ("super(TestCases, self).setUp()", True), ("TestCases.shared = 1", True)],
)
def test_whether_functions_name_the_class(line: str, named: bool) -> None:
    text = f"class TestCases(unittest.TestCase):\n    def setUp(self):\n        {line}\n    def test_it(self): ...\n"
    assert read_tests(text).names_classes is named


def test_the_last_of_two_methods_counts_and_diamonds_are_read_once() -> None:
    tree = ast.parse(
        "class A(unittest.TestCase):\n    def test_x(self): 1\n"
        "class B(A):\n    def test_x(self): 2\n    def test_x(self): 3\n"
    )
    classes = case_classes(tree)
    (method,) = methods_of(classes["B"], classes)
    assert ast.unparse(method.body[0]) == "3"


def test_no_program() -> None:
    with pytest.raises(SyntaxError):
        read_tests("def (")
    assert read_tests("x = 1").names == {}
