"""Datasets from the Hugging Face hub, at a pinned revision, by the packages of the extra `hub`.

What this machine's hub cache holds is read without a network; a download is made only when it is asked for.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from proofyard.core import UsageError
from proofyard.formats.lines import Line

__all__ = ["Pin", "hub_rows"]


class Pin(NamedTuple):
    """Files of a repository at a commit: the Parquet files that match `pattern`."""

    repository: str
    revision: str
    pattern: str


def hub_rows(pin: Pin, *, download: bool) -> Iterator[Line]:
    """Yield the rows of a pin's files, from the hub's cache on this machine, or with `download` from the hub.

    Raises:
        UsageError: the extra is not installed, or the files are neither cached nor to be had (no network, say).

    """
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.utils.tqdm import disable_progress_bars
        from pyarrow import parquet  # type: ignore[import-untyped]
    except ImportError:
        raise UsageError("reading the Hugging Face hub's files needs the extra: pip install 'proofyard[hub]'") from None
    where = f"{pin.repository} at {pin.revision[:12]}"
    disable_progress_bars()
    try:
        folder = snapshot_download(
            pin.repository,
            repo_type="dataset",
            revision=pin.revision,
            allow_patterns=pin.pattern,
            local_files_only=not download,
        )
        files = sorted(Path(folder).glob(pin.pattern))
        rows = [row for file in files for row in parquet.read_table(file).to_pylist()]
    except Exception as error:  # whatever the network, the hub or the cache are up to
        text = " ".join(str(error).split())[:160]
        how = f"cannot be fetched: {type(error).__name__}: {text}" if download else "is not in this machine's hub cache"
        raise UsageError(f"{where} {how}") from None
    if not files:
        raise UsageError(f"{where} is not in this machine's hub cache")
    for number, row in enumerate(rows, 1):
        yield Line(f"{pin.repository} row {number}", row)
