"""Folders of Harbor tasks as a suite: one task, all tasks below a folder, or a data set of a `registry.json` or a
`dataset.toml`. Nothing of a task is run when it is read.
"""

from proofyard.suites.harbor.finding import Found, find
from proofyard.suites.harbor.suite import OPTIONS, HarborSuite, suite

__all__ = ["OPTIONS", "Found", "HarborSuite", "find", "suite"]
