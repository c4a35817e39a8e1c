import unittest
from typing import Any

from proofyard.graders.unittest_cases import LONGEST, Cases, shown
from proofyard.graders.unittest_formats import Formats

LOG: list[str] = []


class Samples(unittest.TestCase):
    __test__ = False

    @classmethod
    def setUpClass(cls) -> None:
        LOG.append("class")
        cls.addClassCleanup(LOG.append, "class cleanup")

    @classmethod
    def tearDownClass(cls) -> None:
        LOG.append("class end")

    def setUp(self) -> None:
        LOG.append(f"up {self._testMethodName}")
        self.addCleanup(LOG.append, "cleanup")

    def tearDown(self) -> None:
        LOG.append("down")

    def test_b_fails(self) -> None:
        self.assertEqual(1, 2)

    def test_a_passes(self) -> None:
        with self.subTest(of=1):
            self.assertTrue(True)

    def test_c_error(self) -> None:
        raise KeyError("x")

    @unittest.expectedFailure
    def test_d_expected(self) -> None:
        self.fail()

    @unittest.expectedFailure
    def test_e_unexpected(self) -> None: ...

    @unittest.skip("no")
    def test_f_skipped(self) -> None: ...

    def test_g_skips_itself(self) -> None:
        self.skipTest("no")

    def test_h_subtest(self) -> None:
        with self.subTest(of=1):
            self.assertEqual(3, 4)

    def test_i_memory(self) -> None:
        raise MemoryError

    def test_j_exit(self) -> None:
        raise SystemExit(0)

    def test_k_false_error(self) -> None:
        class NothingError(Exception):
            def __bool__(self) -> bool:
                return False

        raise NothingError


class Late(unittest.TestCase):
    __test__ = False

    @classmethod
    def tearDownClass(cls) -> None:
        raise RuntimeError("late")

    def test_a(self) -> None: ...
    def test_b(self) -> None: ...


class Early(unittest.TestCase):
    __test__ = False

    @classmethod
    def setUpClass(cls) -> None:
        raise unittest.SkipTest("all")

    def test_a(self) -> None: ...


class Breaking(unittest.TestCase):
    __test__ = False

    def tearDown(self) -> None:
        raise ValueError("down")

    def test_a(self) -> None: ...


class Asynchronous(unittest.IsolatedAsyncioTestCase):
    __test__ = False

    async def asyncSetUp(self) -> None:
        self.value = 1

    async def test_passes(self) -> None:
        self.assertEqual(self.value, 1)

    async def test_fails(self) -> None:
        self.assertEqual(self.value, 2)


def run(**classes: type[unittest.TestCase]) -> dict[str, tuple[str, str]]:
    found = Cases(unittest.SkipTest, dict(classes)).run()
    return {name: (status, said) for name, (status, said, _) in found.items()}


def test_statuses_and_order() -> None:
    LOG.clear()
    assert run(TestCases=Samples) == {
        "test_a_passes": ("ok", ""),
        "test_b_fails": ("failed", "1 != 2"),
        "test_c_error": ("error", ""),
        "test_d_expected": ("expected_failure", ""),
        "test_e_unexpected": ("unexpected_success", ""),
        "test_f_skipped": ("skip", ""),
        "test_g_skips_itself": ("skip", ""),
        "test_h_subtest": ("failed", "3 != 4"),
        "test_i_memory": ("memory", ""),
        "test_j_exit": ("error", ""),
        "test_k_false_error": ("error", ""),
    }
    assert LOG[:5] == ["class", "up test_a_passes", "down", "cleanup", "up test_b_fails"]
    assert LOG[-2:] == ["class end", "class cleanup"]
    assert LOG.count("down") == 10


def test_what_a_class_raises_is_not_passed_over() -> None:
    found = run(Late=Late, Early=Early, Breaking=Breaking)
    assert {name: status for name, (status, _) in found.items()} == {
        "Late.test_a": "ok",
        "Late.test_b": "error",
        "Early.test_a": "error",
        "Breaking.test_a": "error",
    }


def test_asynchronous_tests() -> None:
    assert run(TestCases=Asynchronous) == {"test_passes": ("ok", ""), "test_fails": ("failed", "1 != 2")}


def test_functions_replaced_later_are_not_run() -> None:
    class Changing(unittest.TestCase):
        def test_it(self) -> None:
            self.assertEqual(5, 6)

    cases = Cases(unittest.SkipTest, {"TestCases": Changing})
    replaced: Any = lambda self: None  # noqa: E731
    Changing.test_it = replaced  # type: ignore[method-assign]
    assert cases.run()["test_it"][:2] == ["failed", "5 != 6"]


def test_an_error_that_cannot_be_shown() -> None:
    class BadError(Exception):
        def __str__(self) -> str:
            raise SystemExit

    text = shown(BadError())
    assert "BadError" in text
    assert len(shown(ValueError("x" * 100_000))) <= LONGEST + 10


def test_long_values_are_not_compared_line_by_line() -> None:
    formats = Formats()
    assert formats.pformat({"a": 1}) == "{'a': 1}"
    assert list(formats.ndiff(["a"], ["b"])) == ["- a", "+ b"]
    long = formats.pformat(list(range(100_000)))
    assert long.startswith("[0, 1, 2")
    assert len(long) < 2100
    assert list(formats.ndiff(["x" * 5000], ["y"])) == ["(long)"]
