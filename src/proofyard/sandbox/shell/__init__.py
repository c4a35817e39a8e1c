"""A bash that stays, in a sandbox: its state and background jobs live on from one command to the next, and a command that
takes too long is interrupted without them.
"""

from proofyard.sandbox.shell.host import Ran, Shell

__all__ = ["Ran", "Shell"]
