"""Where code runs: the local ladder of isolation (bubblewrap, warm pool, Landlock, none) and trusted commands on the host.
The only package that starts processes.
"""

from proofyard.sandbox.host import HostResult, run_command
from proofyard.sandbox.pool import LADDER
from proofyard.sandbox.probe import capabilities, rung_report
from proofyard.sandbox.provider import LocalProvider

__all__ = ["LADDER", "HostResult", "LocalProvider", "capabilities", "run_command", "rung_report"]
