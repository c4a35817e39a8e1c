"""Function benchmarks: one function from a docstring or an instruction. BigCodeBench, HumanEval, HumanEval+, MBPP and MBPP+
as suites, from data that a user names, that a variable names, or that come from the Hugging Face hub at a pinned revision.
"""

from proofyard.suites.functions.datasets import DATASETS
from proofyard.suites.functions.gate import Gate, read_gate
from proofyard.suites.functions.suite import (
    OPTIONS,
    FunctionsSuite,
    bigcodebench,
    humaneval,
    humanevalplus,
    mbpp,
    mbppplus,
)

__all__ = [
    "DATASETS",
    "OPTIONS",
    "FunctionsSuite",
    "Gate",
    "bigcodebench",
    "humaneval",
    "humanevalplus",
    "mbpp",
    "mbppplus",
    "read_gate",
]
