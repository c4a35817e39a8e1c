"""The command line, one file a verb. Verbs are imported only when called, so that `--help` stays quick.

Results go to standard output, progress and complaints to standard error. Exit codes: 0; 1 a submission failed; 2 the
call or an input was wrong; 3 infrastructure; 130 interrupted. No traceback reaches a user unless PROOFYARD_DEBUG is set.
"""

from proofyard.cli.app import main

__all__ = ["main"]
