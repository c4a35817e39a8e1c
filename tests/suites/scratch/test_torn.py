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
    assert (found.outcome, found.reason) in {
        (Outcome.FAILED, Reason.NOT_ATOMIC),
        (Outcome.FAILED, Reason.PERSISTENCE),
    }
    assert found.evidence.where.startswith("scenario killed-in-the-middle")
    assert ", with half of it written if it was a write" in found.evidence.note


def test_a_file_written_over(provider: LocalProvider) -> None:
    found = grade(provider, OVERWRITTEN)
    assert (found.outcome, found.reason) == (Outcome.FAILED, Reason.PERSISTENCE)
    assert found.evidence.where.startswith("scenario killed-in-the-middle")
