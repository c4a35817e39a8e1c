"""Agent programs of others, installed by `proofyard env build` and at work in the sandbox: Claude Code, Codex, opencode,
mini-swe-agent. Each is a command, a few files of settings, and a reader of what it prints; what is common lies in `cli` and
`work`. They reach their model through the gateway and nothing else.
"""

from proofyard.agents.installed.claude_code import claude_code
from proofyard.agents.installed.codex import codex
from proofyard.agents.installed.mini_swe_agent import mini_swe_agent
from proofyard.agents.installed.opencode import opencode

__all__ = ["claude_code", "codex", "mini_swe_agent", "opencode"]
