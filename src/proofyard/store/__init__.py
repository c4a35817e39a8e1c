"""A run's folder: the journal of trials and verdicts (the truth), blobs, events, step logs, and the lock which keeps a
second coordinator out. One thread writes; readers need no lock and never see a half-written line.
"""

from proofyard.store.blobs import FileBlobs
from proofyard.store.calls import CallNote, CallRecord, call_note, read_calls
from proofyard.store.events import STEPS, Event, append_event, now, read_events
from proofyard.store.folder import TrialFolder, read_moves, read_steps
from proofyard.store.journal import SCHEMA, terminal_trial, terminal_verdict
from proofyard.store.reader import RunData, RunHeader, read_run
from proofyard.store.run import RunStore, sweep

__all__ = [
    "SCHEMA",
    "STEPS",
    "CallNote",
    "CallRecord",
    "Event",
    "FileBlobs",
    "RunData",
    "RunHeader",
    "RunStore",
    "TrialFolder",
    "append_event",
    "call_note",
    "now",
    "read_calls",
    "read_events",
    "read_moves",
    "read_run",
    "read_steps",
    "sweep",
    "terminal_trial",
    "terminal_verdict",
]
