"""Faults in keeping what was acknowledged, in keys and in pages: max.

A rename or a write without fsync is no shortcut: no loss of power is simulated, so that nobody can tell it.
"""

from typing import Final

from proofyard.core import Reason
from proofyard.suites.scratch.shortcuts.shortcut import DURABLE, Change, Shortcut

__all__ = ["DURABILITY"]

_SAVE: Final = "self._file.save(self.store.tables)"
_FILE: Final = "        self._file = file\n"
_STORED: Final = "        self.store.tables[KEYS][key] = [payload, result]\n"
_ACT: Final = "        result = act()\n"
_SERVED: Final = "            sys.stdout.buffer.flush()\n"
_FRESH: Final = 'fresh = f"{self._path}.new"'
_REPLACE: Final = "        os.replace(fresh, self._path)  # noqa: PTH105\n"
_UNALTERED: Final = "or _encode(kind, scope, key) != "
_REST: Final = """\
    rest = [item for item in items if "cursor" not in args or item[key] > _decode(args["cursor"])]
"""

_HELPER: Final = '''\
"""Tables kept by a helper process that stays when the program ends: nothing is on disk."""

import json
import os
import socket

__all__ = ["StateFile"]

_ADDRESS = "\\0tables"


def _keep(server):
    os.setsid()
    for descriptor in (0, 1, 2):
        os.close(descriptor)
    held = b"null\\n"
    while True:
        peer, _ = server.accept()
        with peer, peer.makefile("rb") as lines:
            line = lines.readline()
            held = held if line == b"load\\n" else line
            peer.sendall(held)


def _start():
    server = socket.socket(socket.AF_UNIX)
    server.bind(_ADDRESS)
    server.listen()
    if os.fork() == 0:
        _keep(server)
    server.close()


def _ask(line):
    with socket.socket(socket.AF_UNIX) as peer:
        try:
            peer.connect(_ADDRESS)
        except OSError:
            _start()
            peer.connect(_ADDRESS)
        peer.sendall(line)
        with peer.makefile("rb") as lines:
            return lines.readline()


class StateFile:
    def __init__(self, folder):
        self._folder = folder

    def load(self):
        return json.loads(_ask(b"load\\n"))

    def save(self, tables):
        _ask(json.dumps(tables).encode("ascii") + b"\\n")
'''

_APART: Final = """\
        for name in ("keys", "histories"):
            part = f"{self._path}.{name}"
            with open(f"{part}.new", "wb") as file:
                file.write(json.dumps(tables[name]).encode("ascii"))
                file.flush()
                os.fsync(file.fileno())
            os.replace(f"{part}.new", part)
"""

_FROM_PARTS: Final = """\
            tables = {}
            for name in ("keys", "histories"):
                with open(f"{self._path}.{name}", encoding="ascii") as file:
                    tables[name] = json.load(file)
            return tables
"""


def _lost(name: str, *changes: Change, alike: bool = False, reason: Reason = Reason.PERSISTENCE) -> Shortcut:
    return Shortcut(name=name, tiers=DURABLE, reason=reason, changes=changes, alike=alike)


def _wrong(name: str, reason: Reason, *changes: Change) -> Shortcut:
    return Shortcut(name=name, tiers=DURABLE, reason=reason, changes=changes)


_STORING: Final = (
    _lost("memory-only", ("durable", _SAVE, "pass")),
    _lost(
        "stored-at-exit",
        ("durable", "import json\n", "import atexit\nimport json\n"),
        ("durable", _SAVE, "self._kept = self.store.tables"),
        ("durable", _FILE, _FILE + "        self._kept = self.store.tables\n        atexit.register(self._store)\n"),
        (
            "durable",
            "    def _saved(self",
            "    def _store(self):\n        self._file.save(self._kept)\n\n    def _saved(self",
        ),
        alike=True,
    ),
    _lost(
        "stored-in-tmp",
        ("files", "self._folder = folder", 'self._folder = folder = "/tmp"'),
        alike=True,
    ),
    _lost(
        "answer-before-store",
        ("durable", _SAVE, "OWED.append(self._file.save)\n                OWED.append(self.store.tables)"),
        ("durable", "from .store import Store\n", "from .serve import OWED\nfrom .store import Store\n"),
        ("serve", "def serve(", "OWED: list = []\n\n\ndef serve("),
        (
            "serve",
            _SERVED,
            _SERVED + "            while OWED:\n                OWED.pop(0)(OWED.pop(0))\n",
        ),
        alike=True,
    ),
    _lost(
        "rewrite-in-place",
        ("files", _FRESH, "fresh = self._path"),
        ("files", _REPLACE, ""),
        alike=True,
        reason=Reason.NOT_ATOMIC,
    ),
    _lost("commit-not-stored", ("durable", 'for name in (*_MUTATIONS, "commit")}', "for name in _MUTATIONS}")),
    _lost("open-transactions-stored", ("durable", "if self.store.depth == 0:", "if True:")),
    Shortcut(
        name="one-process-too-many",
        tiers=DURABLE,
        reason=Reason.PERSISTENCE,
        replaced=(("files", _HELPER),),
        alike=True,
    ),
)

_KEYS: Final = (
    _lost("keys-forgotten", ("durable", _FILE, _FILE + "        self.store.tables[KEYS] = {}\n")),
    _lost(
        "keys-stored-apart",
        (
            "files",
            '            with open(self._path, encoding="ascii") as file:  # noqa: PTH123\n'
            "                tables: Tables = json.load(file)\n                return tables\n",
            _FROM_PARTS,
        ),
        (
            "files",
            f"        {_FRESH}\n"
            '        with open(fresh, "wb") as file:  # noqa: PTH123\n'
            '            file.write(json.dumps(tables).encode("ascii"))\n'
            "            file.flush()\n            os.fsync(file.fileno())\n" + _REPLACE,
            _APART,
        ),
        alike=True,
        reason=Reason.NOT_ATOMIC,
    ),
    _wrong("key-reuse-ignored", Reason.ERROR_HANDLING, ("durable", "if stored != payload:", "if False:")),
    _wrong(
        "keys-kept-over-rollback",
        Reason.WRONG_RESULT,
        (
            "durable",
            _STORED,
            _STORED + "        for snapshot in self.store.snapshots:\n"
            "            snapshot[KEYS][key] = [payload, result]\n",
        ),
    ),
    _wrong(
        "errors-kept-under-keys",
        Reason.ERROR_HANDLING,
        (
            "durable",
            _ACT,
            "        try:\n            result = act()\n        except DomainError:\n"
            "            self.store.tables[KEYS][key] = [payload, None]\n            raise\n",
        ),
    ),
)

_PAGES: Final = (
    _wrong(
        "cursor-by-offset",
        Reason.WRONG_RESULT,
        ("paging", "if type(key) is not key_type or", "if type(key) is not int or"),
        (
            "paging",
            _REST,
            '    start = _decode(args["cursor"]) if "cursor" in args else 0\n    rest = items[start:]\n',
        ),
        ("paging", "_encode(kind, scope, shown[-1][key])", "_encode(kind, scope, start + len(shown))"),
    ),
    _wrong(
        "cursors-unchecked", Reason.ERROR_HANDLING, ("paging", _UNALTERED, _UNALTERED.replace("or", "or False and"))
    ),
    _lost(
        "cursors-expire",
        ("paging", "import json\n", "import json\nimport os\n"),
        ("paging", "_LIMIT = integer(1, 100)\n", "_LIMIT = integer(1, 100)\n_RUN = os.urandom(8)\n"),
        ("paging", "zlib.crc32(body)", "zlib.crc32(body + _RUN)"),
        alike=True,
    ),
)

DURABILITY: Final = (*_STORING, *_KEYS, *_PAGES)
"""What a durable service may get wrong."""
