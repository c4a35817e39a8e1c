"""From a submission to a grade: graders play hidden tests against a submission in sandboxes, keep what is expected
outside of them, and say in evidence and a reason what went wrong first. A grader never raises for what a submission did.
"""

from proofyard.graders.command import CommandGrader, CommandParameters
from proofyard.graders.command_checks import CUT
from proofyard.graders.functions import Call, FunctionParameters, FunctionsGrader, Wanted
from proofyard.graders.sessions import SessionGrader, SessionParameters, until_first_fault

__all__ = [
    "CUT",
    "Call",
    "CommandGrader",
    "CommandParameters",
    "FunctionParameters",
    "FunctionsGrader",
    "SessionGrader",
    "SessionParameters",
    "Wanted",
    "until_first_fault",
]
