"""Programs that a plain kill between two system calls does not harm, but one in the middle of a write does: in sandboxes."""

from collections.abc import Iterator

import pytest

from proofyard.core import Given, Grade, MemoryBlobs, Outcome, Reason, tree_of
from proofyard.graders import SessionGrader
from proofyard.sandbox import LocalProvider
from proofyard.suites.scratch.families import FAMILIES
from proofyard.suites.scratch.reference import reference_files
from proofyard.suites.scratch.tiers import TIERS

from .inprocess import SUITE, loaded

LOSSES = {Reason.NOT_ATOMIC, Reason.PERSISTENCE}

APPENDED = '''
import json
import os
import zlib


class StateFile:
    """Whole states, one a line with its checksum; the last good one counts."""

    def __init__(self, folder):
        self._path = os.path.join(folder, "log")

    def load(self):
        found = None
        if os.path.exists(self._path):
            with open(self._path, "rb") as file:
                data = file.read()
            for line in data.split(b"\\n"):
                if line[:8] != b"%08x" % zlib.crc32(line[8:]):
                    break
                found = json.loads(line[8:])
            good = data.rfind(b"\\n") + 1
            TRUNCATE
        return found

    def save(self, tables):
        body = json.dumps(tables).encode("ascii")
        with open(self._path, "ab", buffering=0) as file:
            file.write(b"%08x" % zlib.crc32(body) + body + b"\\n")
'''

OVERWRITTEN = '''
import json
import os


class StateFile:
    """One file, written over from its beginning and cut to its length."""

    def __init__(self, folder):
        self._path = os.path.join(folder, "state")

    def load(self):
        try:
            with open(self._path) as file:
                return json.load(file)
        except (OSError, ValueError):
            return None

    def save(self, tables):
        data = json.dumps(tables).encode("ascii")
        fd = os.open(self._path, os.O_WRONLY | os.O_CREAT)
        os.write(fd, data)
        os.ftruncate(fd, len(data))
        os.close(fd)
'''


SQLITE = '''
import json
import os
import sqlite3


class StateFile:
    """One row in a data base."""

    def __init__(self, folder):
        self._base = sqlite3.connect(os.path.join(folder, "state.db"), isolation_level=None)
        self._base.execute("PRAGMA journal_mode=DELETE")
        self._base.execute("PRAGMA synchronous=FULL")
        self._base.execute("CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY, tables TEXT)")

    def load(self):
        row = self._base.execute("SELECT tables FROM state").fetchone()
        return json.loads(row[0]) if row else None

    def save(self, tables):
        self._base.execute("BEGIN IMMEDIATE")
        self._base.execute("INSERT OR REPLACE INTO state VALUES (1, ?)", (json.dumps(tables),))
        self._base.execute("COMMIT")
'''

PADDED = """
        for number in range(8):
            with open(self._path + str(number), "w") as file:
                file.write("x")
        data = json.dumps(tables).encode("ascii")
        with open(self._path, "wb", buffering=0) as file:
            file.write(data[:50])
            file.write(data[50:])
"""


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    local = LocalProvider()
    yield local
    local.close()


def grade(provider: LocalProvider, state_file: str) -> Grade:
    task = loaded(SUITE, SUITE.ids("max")[0])
    blobs = MemoryBlobs()
    files = reference_files(TIERS["max"], FAMILIES["word-frequency"])
    tree = tree_of({**files, "program/files.py": state_file}, blobs)
    return SessionGrader().grade(task.steps[0], tree, lambda spec: provider.open(spec, blobs), Given(), blobs)


def test_a_log_whose_torn_tail_is_cut_off(provider: LocalProvider) -> None:
    found = grade(provider, APPENDED.replace("TRUNCATE", "os.truncate(self._path, good)"))
    assert (found.outcome, found.evidence.note) == (Outcome.PASSED, "")


def test_a_log_whose_torn_tail_stays(provider: LocalProvider) -> None:
    found = grade(provider, APPENDED.replace("TRUNCATE", "pass"))
    assert found.outcome == Outcome.FAILED
    assert found.reason in LOSSES
    assert found.evidence.where.startswith("scenario killed-in-the-middle")
    assert ", with half of it written if it was a write" in found.evidence.note


def test_a_file_written_over(provider: LocalProvider) -> None:
    found = grade(provider, OVERWRITTEN)
    assert found.outcome == Outcome.FAILED
    assert found.reason in LOSSES
    assert found.evidence.where.startswith("scenario killed-in-the-middle")


def test_harmless_calls_before_a_store_that_is_not_atomic(provider: LocalProvider) -> None:
    start = OVERWRITTEN.index("        data =")
    found = grade(provider, OVERWRITTEN[:start] + PADDED.lstrip("\n"))
    assert found.outcome == Outcome.FAILED
    assert found.reason in LOSSES
    assert found.evidence.where.startswith("scenario killed-in-the-middle")


def test_a_data_base_is_killed_all_over_its_many_calls(provider: LocalProvider) -> None:
    found = grade(provider, SQLITE)
    assert (found.outcome, found.evidence.note) == (Outcome.PASSED, "")
