import pytest

from proofyard.core import Executor, UsageError
from proofyard.engine.executors import LocalExecutor
from proofyard.testing import ExecutorContract


class TestLocalExecutor(ExecutorContract):
    def make(self, slots: int) -> Executor:
        return LocalExecutor(slots)


def test_no_slots_is_misuse() -> None:
    with pytest.raises(UsageError, match="at least one slot, not 0"):
        LocalExecutor(0)


def test_threads_end_with_the_run() -> None:
    executor = LocalExecutor(3)
    assert list(executor.run([], "proofyard.testing.executor_contract:answer")) == []
    assert executor.join(10)


def test_a_function_that_does_not_exist_is_told_at_once() -> None:
    with pytest.raises(AttributeError, match="absent"):
        list(LocalExecutor(1).run([], "proofyard.testing.executor_contract:absent"))
