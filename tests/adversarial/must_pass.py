"""Honest programs of kinds that graders have failed (`honest.txt`): each solves its task, in a way of its own."""

from typing import NamedTuple

from tests.adversarial.own_tasks import OWN_TASKS
from tests.adversarial.samples import sections

SHELL = """
import os
import subprocess
import unittest

class TestCases(unittest.TestCase):
    def test_output(self):
        self.assertEqual(task_func("https://example.org/skills"), "https://example.org/skills")
    def test_here(self):
        before = os.getcwd()
        task_func("ps and kill")
        self.assertEqual(os.path.realpath(os.getcwd()), os.path.realpath(before))
"""

FOLDER = """
import os
import unittest

class TestCases(unittest.TestCase):
    def test_moved(self):
        os.makedirs("inner", exist_ok=True)
        self.assertEqual(task_func("inner"), "inner")
        self.assertTrue(os.path.isfile("mark.txt"))
"""

GENERATOR = """
import types
import unittest

class TestCases(unittest.TestCase):
    def test_lazy(self):
        found = task_func(3)
        self.assertIsInstance(found, types.GeneratorType)
        self.assertEqual(next(found), 0)
        self.assertEqual(list(found), [1, 4])
    def test_sent(self):
        found = task_func(2)
        self.assertEqual([found.send(None), found.send(5)], [0, 1])
        found.close()
"""

CALLBACK = """
import inspect
import unittest

class TestCases(unittest.TestCase):
    def test_callback(self):
        seen = []
        def look(item):
            seen.append(item)
            return item * 2
        self.assertEqual(task_func([1, 2], look), [2, 4])
        self.assertEqual(seen, [1, 2])
    def test_recursive(self):
        self.assertEqual(task_func([3], lambda item: task_func([item], str)), [["3"]])
    def test_error(self):
        with self.assertRaises(ZeroDivisionError) as caught:
            task_func([0], lambda item: 1 / item)
        self.assertIn("zero", str(caught.exception))
    def test_signature(self):
        self.assertEqual(list(inspect.signature(task_func).parameters), ["items", "look"])
        self.assertEqual(task_func.__name__, "task_func")
"""

OBJECTS = """
import unittest

class TestCases(unittest.TestCase):
    def test_points(self):
        points = task_func([(1, 2), (3, 4)])
        self.assertEqual([(point.x, point.y) for point in points], [(1, 2), (3, 4)])
        self.assertEqual(points[0], Point(1, 2))
        self.assertNotEqual(points[0], points[1])
        self.assertEqual(helper(points[1]), 7)
"""

TESTS = {"shell": SHELL, "folder": FOLDER, "generator": GENERATOR, "callback": CALLBACK, "objects": OBJECTS}


class Honest(NamedTuple):
    """solution: the one that the truth is measured with."""

    program: str
    test: str
    solution: str


def _read() -> dict[str, Honest]:
    found = {}
    for title, program in sections("honest.txt").items():
        name, _, task = title.partition(" | ")
        own = OWN_TASKS.get(task)
        found[name] = Honest(program, own.test if own else TESTS[task], own.solution if own else program)
    return found


MUST_PASS = _read()
