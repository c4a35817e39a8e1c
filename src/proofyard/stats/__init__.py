"""Statistics of evaluation, standard library only: pass@k, and intervals which know that attempts at one task, and tasks
of one family, are not independent.
"""

from proofyard.stats.intervals import Interval, clustered_interval, normal_quantile, wilson
from proofyard.stats.passk import pass_at_k

__all__ = ["Interval", "clustered_interval", "normal_quantile", "pass_at_k", "wilson"]
