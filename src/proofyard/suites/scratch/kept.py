"""Hidden tests made earlier, kept in the user's cache folder: to make those of all tasks takes more than a minute.

They are found by a digest of all that decides what is made, and are used only where they have the hash on record for their
task. So a change of the source makes them anew, and nothing that is written into the folder can change what is tested.
"""

import contextlib
import os
import sys
import tempfile
import zlib
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from proofyard import core
from proofyard.core import cache_folder
from proofyard.suites.scratch.contracts import hashes_on_record

__all__ = ["digest_of_source", "keep", "kept"]

_MOST: Final = 8
"""Of so many states of the source what was made is kept; then all of it goes."""


def kept(version: str, task_id: str) -> str | None:
    """The hidden tests of a task, if they were kept and are those on record for this version of the dataset."""
    wanted = hashes_on_record(version).get(task_id)
    if wanted is None:
        return None
    try:
        data = zlib.decompress(_path(task_id).read_bytes())
    except (OSError, zlib.error):
        return None
    return data.decode() if sha256(data).hexdigest() == wanted else None


def keep(version: str, task_id: str, text: str) -> None:
    """Keep the hidden tests of a task, unless the record says otherwise of them. A folder that cannot be written is no
    fault.
    """
    data = text.encode()
    if hashes_on_record(version).get(task_id) != sha256(data).hexdigest():
        return
    path = _path(task_id)
    with contextlib.suppress(OSError):
        if not path.parent.exists():
            _make_room(path.parent.parent)
            path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(zlib.compress(data, 1))
        os.replace(file.name, path)  # noqa: PTH105


def _path(task_id: str) -> Path:
    return cache_folder() / "scratch" / _source() / f"{task_id}.z"


@cache
def _source() -> str:
    """A digest of all that decides what is made: this package and the nouns."""
    return digest_of_source(Path(__file__).parent, Path(core.__file__).parent)


def digest_of_source(*folders: Path) -> str:
    """A digest of all source in these folders, of the Python that runs it, and of its library of JSON."""
    digest = sha256(repr((sys.version, msgspec.__version__)).encode())
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            data = path.read_bytes()
            digest.update(f"{path.relative_to(folder.parent)} {len(data)}\n".encode())
            digest.update(data)
    return digest.hexdigest()[:32]


def _make_room(folder: Path) -> None:
    """Remove what was made of other states of the source, if it is of many."""
    states = list(folder.iterdir()) if folder.is_dir() else []
    if len(states) < _MOST:
        return
    for state in states:
        for path in state.iterdir():
            path.unlink(missing_ok=True)
        state.rmdir()
