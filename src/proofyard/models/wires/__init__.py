"""The dialects models are spoken to in: for each, how a request is built, sent by the official SDK, and how an answer is
read, streamed or whole. Building and reading are pure functions of plain JSON values.
"""

from proofyard.models.wires.sdk import Connection, Wire, wire_of

__all__ = ["Connection", "Wire", "wire_of"]
