"""Agents turn a brief into work: solutions handed in, folders of finished work, a trusted command on the host, a model asked
once or at work in a shell. Each is a plug-in that makes the agent for one attempt; folders are read into trees here, without
following a link.
"""

from proofyard.agents.command import command
from proofyard.agents.folder import folder
from proofyard.agents.given import given, nop, oracle, samples
from proofyard.agents.moves import answer_move, changes
from proofyard.agents.oneshot import oneshot
from proofyard.agents.place import working_place
from proofyard.agents.plugin import SKILLS, AgentPlugin, AgentSetup, Condition, Endpoint, WithModel
from proofyard.agents.program import program
from proofyard.agents.terminal import terminal
from proofyard.agents.trees import read_tree, unread, write_tree

__all__ = [
    "SKILLS",
    "AgentPlugin",
    "AgentSetup",
    "Condition",
    "Endpoint",
    "WithModel",
    "answer_move",
    "changes",
    "command",
    "folder",
    "given",
    "nop",
    "oneshot",
    "oracle",
    "program",
    "read_tree",
    "samples",
    "terminal",
    "unread",
    "working_place",
    "write_tree",
]
