"""Outcomes and the closed list of reason codes: why a submission failed."""

from enum import StrEnum

__all__ = ["Outcome", "Reason"]


class Outcome(StrEnum):
    """How a grading ended. Only `passed` and `failed` have a score."""

    PASSED = "passed"
    FAILED = "failed"
    INVALID = "invalid"
    ERROR = "error"


class Reason(StrEnum):
    """Why a submission failed. One closed list for graders, shortcuts, attribution, reports and exports."""

    TAMPER = "tamper"
    TIMEOUT = "timeout"
    CRASH = "crash"
    OOM = "oom"
    OUTPUT_LIMIT = "output_limit"
    NO_SUBMISSION = "no_submission"
    UNPARSABLE = "unparsable"
    BUDGET = "budget"
    TRUNCATED = "truncated"
    IMPORT_ERROR = "import_error"
    MISSING_OPERATION = "missing_operation"
    WRONG_RESULT = "wrong_result"
    ERROR_HANDLING = "error_handling"
    PERSISTENCE = "persistence"
    NOT_ATOMIC = "not_atomic"
    PARTIAL_INTEGRATION = "partial_integration"
    REGRESSION = "regression"
    NO_TESTS = "no_tests"
    SYNTAX = "syntax"
