"""Agents turn a brief into work: solutions handed in, folders of finished work, a trusted command on the host. Each is a
plug-in that makes the agent for one attempt; folders are read into trees here, without following a link.
"""

from proofyard.agents.command import command
from proofyard.agents.folder import folder
from proofyard.agents.given import given, nop, oracle, samples
from proofyard.agents.plugin import AgentPlugin, AgentSetup
from proofyard.agents.trees import read_tree, unread, write_tree

__all__ = [
    "AgentPlugin",
    "AgentSetup",
    "command",
    "folder",
    "given",
    "nop",
    "oracle",
    "read_tree",
    "samples",
    "unread",
    "write_tree",
]
