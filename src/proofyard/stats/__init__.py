"""Statistics of evaluation, standard library only: pass@k, bands, and intervals which know that attempts at one task, and tasks
of one family, are not independent.
"""

from proofyard.stats.bands import BAND_RULE, Band, band
from proofyard.stats.intervals import Interval, clustered_interval, normal_quantile, wilson
from proofyard.stats.passk import pass_at_k

__all__ = [
    "BAND_RULE",
    "Band",
    "Interval",
    "band",
    "clustered_interval",
    "normal_quantile",
    "pass_at_k",
    "wilson",
]
