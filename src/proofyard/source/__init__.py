"""Pure functions on program text. `mutate` makes every small fault of a Python program, one at a time, so that one can ask
whether tests would notice it.
"""

from proofyard.source.mutate import MUTATOR_VERSION, OPERATORS, Mutant, mutate

__all__ = ["MUTATOR_VERSION", "OPERATORS", "Mutant", "mutate"]
