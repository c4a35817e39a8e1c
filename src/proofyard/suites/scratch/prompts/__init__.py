"""Prompts: the specification a submission is written from, rendered from a family's contract and the text of its tier."""

from proofyard.suites.scratch.prompts.examples import examples_of
from proofyard.suites.scratch.prompts.prompt import render

__all__ = ["examples_of", "render"]
