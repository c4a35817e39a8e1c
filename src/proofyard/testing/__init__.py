"""Contract tests for the parts that plug in: subclass a suite of them, say how to make the part, and run it under pytest."""

from proofyard.testing.executor_contract import ExecutorContract

__all__ = ["ExecutorContract"]
