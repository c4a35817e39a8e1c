"""Do a benchmark's tests notice small faults? Every reference is changed one spot at a time (`proofyard.source.mutate`) and
graded as any submission is, up to the first thing that goes wrong; the results are kept in a ledger, so that only what
changed is graded again.
"""

from proofyard.checks.mutants.campaign import FLOOR, Campaign, MutantReport, check_mutants
from proofyard.checks.mutants.ledger import LEDGER, Entry, Ledger, Survivor

__all__ = ["FLOOR", "LEDGER", "Campaign", "Entry", "Ledger", "MutantReport", "Survivor", "check_mutants"]
