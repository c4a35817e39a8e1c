"""Where jobs run. Every executor passes the contract tests of `proofyard.testing.executor_contract`; local threads are the
default, since each trial is a process of its own anyway.
"""

from proofyard.engine.executors.local import LocalExecutor

__all__ = ["LocalExecutor"]
