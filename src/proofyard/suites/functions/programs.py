"""Whole programs from what rows and samples hold."""

from collections.abc import Mapping

from msgspec.structs import replace

from proofyard.formats.rows import BigCodeRow, EvalRow
from proofyard.formats.samples import SampleFile

__all__ = ["ENTRY", "calibrated", "completed", "prompt_of", "reference_of"]

ENTRY = "solution.py"
"""The file a program is in, as submitted."""


def prompt_of(row: BigCodeRow | EvalRow, split: str = "complete") -> str:
    """What a model is asked: BigCodeBench has two prompts a task; MBPP's says what the function is called, by example."""
    if isinstance(row, BigCodeRow):
        return row.instruct_prompt if split == "instruct" else row.complete_prompt
    if row.assertions and row.base_input is None:
        return "\n".join([row.prompt, "Your code should pass these tests:", *row.assertions, ""])
    return row.prompt


def completed(row: BigCodeRow | EvalRow) -> str:
    """What a `completion` is appended to; MBPP's completions are whole programs."""
    if isinstance(row, BigCodeRow):
        return row.complete_prompt
    return "" if row.assertions and row.base_input is None else row.prompt


def reference_of(row: BigCodeRow | EvalRow) -> str:
    """The row's own solution as a whole program."""
    prompt = completed(row)
    separator = "" if prompt.endswith("\n") or not prompt else "\n"
    return f"{prompt}{separator}{row.canonical_solution}"


def calibrated(samples: SampleFile, rows: Mapping[str, BigCodeRow]) -> SampleFile:
    """Put each task's imports and signature before its programs, as BigCodeBench does to give back missing imports.

    The stub of the entry point is overwritten by a program's own definition.
    """
    of_task = {
        task: tuple(replace(s, solution=f"{rows[task].code_prompt}\n    pass\n{s.solution}") for s in found)
        for task, found in samples.of_task.items()
    }
    return SampleFile(samples.path, of_task)
