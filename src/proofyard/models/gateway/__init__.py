"""The gateway: the only way from a program in a sandbox to its model. It takes a token of that attempt alone, adds the key,
passes the wire on as it is, counts what is used, and sends nothing once a budget is used up.
"""

from proofyard.models.gateway.server import Gateway

__all__ = ["Gateway"]
