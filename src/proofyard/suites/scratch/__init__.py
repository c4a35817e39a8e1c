"""The scratch suite: can a model build a working program from an empty folder? Domain families times four tiers (easy,
intermediate, hard, max), each task a specification and hidden sessions of JSON lines.
"""

from proofyard.suites.scratch.card import export
from proofyard.suites.scratch.dataset import Manifest, build
from proofyard.suites.scratch.suite import ScratchSuite, suite

__all__ = ["Manifest", "ScratchSuite", "build", "export", "suite"]
