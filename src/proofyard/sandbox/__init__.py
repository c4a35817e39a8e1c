"""Where code runs: the local ladder of isolation (bubblewrap, warm pool, Landlock, none) and trusted commands on the host.
The only package that starts processes.
"""

from proofyard.sandbox.provider import LocalProvider

__all__ = ["LocalProvider"]
