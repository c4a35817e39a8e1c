"""The main job: resolve a request, expand it to trials, attempt, grade, journal. Only infrastructure failures run again,
counted; a run that was killed goes on where it stopped, by the same request.
"""

from proofyard.engine.executors import LocalExecutor
from proofyard.engine.main import regrade, run
from proofyard.engine.request import Counts, Entrant, Progress, RunOutcome, RunRequest
from proofyard.engine.single import evaluate_one

__all__ = [
    "Counts",
    "Entrant",
    "LocalExecutor",
    "Progress",
    "RunOutcome",
    "RunRequest",
    "evaluate_one",
    "regrade",
    "run",
]
