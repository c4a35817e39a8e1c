"""What people look at: result files, scores with their intervals and denominators, tables, readable failures. Reads
what was kept and runs nothing.
"""

from proofyard.reports.attempts import Attempt, from_result, from_run
from proofyard.reports.failure import explain
from proofyard.reports.losses import losses
from proofyard.reports.money import dollars_text
from proofyard.reports.pass_rates import Asked, Counted, PassRate, Rates, count, rates_of
from proofyard.reports.results import ResultFile, read_result, write_result
from proofyard.reports.score import Rate, Score, score_attempts
from proofyard.reports.tables import pass_table, score_table

__all__ = [
    "Asked",
    "Attempt",
    "Counted",
    "PassRate",
    "Rate",
    "Rates",
    "ResultFile",
    "Score",
    "count",
    "dollars_text",
    "explain",
    "from_result",
    "from_run",
    "losses",
    "pass_table",
    "rates_of",
    "read_result",
    "score_attempts",
    "score_table",
    "write_result",
]
