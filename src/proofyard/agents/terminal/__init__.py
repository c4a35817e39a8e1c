"""`terminal`: a model at work in a shell that stays, inside the sandbox; `terminal:text` for models without tools."""

from proofyard.agents.terminal.agent import terminal

__all__ = ["terminal"]
