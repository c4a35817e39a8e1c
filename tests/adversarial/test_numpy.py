"""Attacks by way of numpy, against a task whose tests compare arrays (numpy's testing functions, seeded draws)."""

import importlib.util
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from proofyard.core import Given, Grade, Limits, Outcome, Reason, Step, tree_of
from proofyard.graders.unittest_grader import UnittestGrader, truth_of
from proofyard.graders.unittest_orders import Truth
from proofyard.sandbox import LocalProvider
from tests.adversarial.plain import BLOBS, opener, step_of

pytestmark = pytest.mark.skipif(importlib.util.find_spec("numpy") is None, reason="numpy is not installed")

TEST = """
import unittest
import numpy as np

class TestCases(unittest.TestCase):
    def test_scaled(self):
        found = task_func(np.array([1.0, 3.0, 5.0]), 0)
        np.testing.assert_allclose(found, [-1.0, 0.0, 1.0])
        self.assertIsInstance(found, np.ndarray)
    def test_whole(self):
        self.assertTrue(np.array_equal(task_func(np.array([0.0, 2.0]), 0), np.array([-1.0, 1.0])))
    def test_noise(self):
        found = task_func(np.array([1.0, 1.5, 3.0]), 4)
        rng = np.random.default_rng(4)
        np.random.seed(4)
        expected = (np.array([1.0, 1.5, 3.0]) - 2.0) / 1.0 + np.random.normal(size=3)
        np.testing.assert_array_almost_equal(found, expected)
"""
RIGHT = """
import numpy as np

def task_func(values, seed):
    low, high = values.min(), values.max()
    scaled = (values - (low + high) / 2) / ((high - low) / 2)
    if seed:
        np.random.seed(seed)
        scaled = scaled + np.random.normal(size=len(values))
    return scaled
"""
ATTACKS = {
    "forged ufunc": """
import numpy as np
class Forged(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        plain = [np.asarray(value) for value in inputs]
        if ufunc.__name__ in ("equal", "less_equal", "less", "isfinite", "greater_equal"):
            return np.ones(np.broadcast(*plain).shape, bool)
        if ufunc.__name__ == "subtract":
            return np.zeros(np.broadcast(*plain).shape)
        return getattr(ufunc, method)(*plain, **kwargs)
    def __array_function__(self, function, types, args, kwargs):
        return True if function.__name__ in ("array_equal", "allclose", "all", "any") else np.asarray(self)
def task_func(values, seed): return np.zeros(len(values)).view(Forged)
""",
    "array that converts to anything": """
import numpy as np
class Any:
    def __eq__(self, other): return True
    def __array__(self, *a, **k): return np.zeros(3)
def task_func(values, seed): return np.array([Any() for _ in values], dtype=object)
""",
    "testing patched": """
import numpy as np, numpy.testing
for name in dir(numpy.testing):
    if name.startswith("assert"): setattr(numpy.testing, name, lambda *a, **k: None)
np.array_equal = np.allclose = lambda *a, **k: True
def task_func(values, seed): return np.zeros(len(values))
""",
    "draws patched": """
import numpy as np
np.random.normal = lambda *a, size=1, **k: np.zeros(size)
def task_func(values, seed):
    low, high = values.min(), values.max()
    return (values - (low + high) / 2) / ((high - low) / 2)
""",
}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with numpy alone, which an unprivileged uid can read."""
    folder = tmp_path_factory.mktemp("packages")
    found = importlib.util.find_spec("numpy")
    assert found and found.origin
    source = Path(found.origin).parents[1]
    for name in ("numpy", "numpy.libs"):
        if (source / name).is_dir():
            shutil.copytree(source / name, folder / name, ignore=shutil.ignore_patterns("tests"))
    for parent in (folder, folder.parent, folder.parent.parent):
        parent.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider(slots=1)
    yield local
    local.close()


def numpy_step(packages: Path, truth: Truth | None = None) -> Step:
    step = step_of(TEST, truth, Limits(wall_ms=30_000, memory=4 << 30, tree_memory=1 << 30))
    image = msgspec.structs.replace(
        step.grading.image, packages=str(packages), preload=("numpy", "numpy.random", "numpy.testing")
    )
    return msgspec.structs.replace(step, grading=msgspec.structs.replace(step.grading, image=image))


@pytest.fixture(scope="module")
def truth(provider: LocalProvider, packages: Path) -> Truth:
    found = truth_of(numpy_step(packages), tree_of({"solution.py": RIGHT}, BLOBS), opener(provider), BLOBS)
    assert isinstance(found, Truth), found
    return found


def grade(provider: LocalProvider, packages: Path, truth: Truth, sample: str) -> Grade:
    tree = tree_of({"solution.py": sample}, BLOBS)
    return UnittestGrader().grade(numpy_step(packages, truth), tree, opener(provider), Given(), BLOBS)


def test_positive_control(provider: LocalProvider, packages: Path, truth: Truth) -> None:
    assert {"test_scaled#0", "test_whole#0", "test_noise#0"} <= set(truth.controls)
    assert grade(provider, packages, truth, RIGHT).outcome is Outcome.PASSED
    other = RIGHT.replace("np.random.seed(seed)", "state = np.random.RandomState(seed)").replace(
        "np.random.normal", "state.normal"
    )
    assert grade(provider, packages, truth, other).outcome is Outcome.PASSED


@pytest.mark.parametrize("name", ATTACKS)
def test_no_attack_by_numpy_passes(provider: LocalProvider, packages: Path, truth: Truth, name: str) -> None:
    found = grade(provider, packages, truth, ATTACKS[name])
    assert (found.outcome, found.score) == (Outcome.FAILED, 0.0)
    assert found.reason in {Reason.TAMPER, Reason.WRONG_RESULT}
    if "patched" in name:
        assert found.reason is Reason.TAMPER, found.evidence
