"""Answers kept by all that decides them, so that the same question need not be paid for twice."""

import os
import tempfile
from pathlib import Path

import msgspec

from proofyard.core import Record, UsageError, digest_of
from proofyard.models.answer import Answer
from proofyard.models.messages import Request
from proofyard.models.providers import Target

__all__ = ["Exchange", "ResponseCache", "cache_key"]


class Exchange(Record, frozen=True, kw_only=True):
    """A question and its answer, as they are kept; `key` is `cache_key`."""

    key: str
    model: str
    request: Request
    answer: Answer


def cache_key(target: Target, request: Request, stream: bool) -> str:
    """Digest of all that decides an answer: provider, wire, address, model, quirks, messages, tools, every field of the
    sampling and the sample's index.
    """
    return digest_of(
        {
            "provider": target.provider.name,
            "wire": target.provider.wire,
            "url": target.base_url,
            "model": target.model,
            "quirks": target.quirks,
            "stream": stream,
            "request": request,
        }
    )


class ResponseCache:
    """A folder of answers, one file each, written whole or not at all; several processes may use it at once.

    sampling: also keep answers of requests that are sampled (any temperature but 0). Off by default: a sampled answer
    stands for chance, and is wanted anew in the next run.
    """

    def __init__(self, folder: Path, *, sampling: bool = False) -> None:
        self._folder = folder
        self._sampling = sampling
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot keep answers in {folder}: {error.strerror}") from None

    def takes(self, request: Request) -> bool:
        """Whether answers to this request are kept."""
        return self._sampling or request.sampling.temperature == "0"

    def get(self, key: str) -> Answer | None:
        """Return the answer kept under a key; a file that is damaged counts as none."""
        try:
            found = msgspec.json.decode(self._file(key).read_bytes(), type=Exchange)
        except (OSError, msgspec.MsgspecError, ValueError):
            return None
        return msgspec.structs.replace(found.answer, attempts=(), cached=True) if found.key == key else None

    def put(self, key: str, model: str, request: Request, answer: Answer) -> None:
        """Keep an answer. Raises OSError if the disk does not take it."""
        data = msgspec.json.encode(Exchange(key=key, model=model, request=request, answer=answer))
        path = self._file(key)
        path.parent.mkdir(exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _file(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"
