"""The dialects models are spoken to in: for each, how a request is built, sent by the official SDK, and how an answer is
read, streamed or whole. Building and reading are pure functions of plain JSON values.
"""

from proofyard.models.wires.sdk import MAX_ANSWER, Connection, Wire, feed, wire_of

__all__ = ["MAX_ANSWER", "Connection", "Wire", "feed", "wire_of"]
