"""For tests of what plugs in: contract suites (subclass one, say how to make the part, run it under pytest), and a scripted
model server on this machine that speaks every wire and fails on demand.
"""

from proofyard.testing.executor_contract import ExecutorContract
from proofyard.testing.faults import FAULTS, Fault, parse_faults
from proofyard.testing.ledger import Entry
from proofyard.testing.script import Asked, Call, Policy, Turn, Usage, say, turns, write_file
from proofyard.testing.server import ModelServer

__all__ = [
    "FAULTS",
    "Asked",
    "Call",
    "Entry",
    "ExecutorContract",
    "Fault",
    "ModelServer",
    "Policy",
    "Turn",
    "Usage",
    "parse_faults",
    "say",
    "turns",
    "write_file",
]
