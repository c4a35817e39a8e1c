"""The dataset as files: one JSONL file a tier, and a manifest. The same source gives the same bytes everywhere."""

import errno
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from proofyard.core import AssertionKind, Failure, InfrastructureError, Record, Scenario, UsageError, sha256
from proofyard.suites.scratch.scenarios import totals
from proofyard.suites.scratch.suite import ENTRY, LIMITS, ScratchSuite, scenarios_text
from proofyard.suites.scratch.tiers import TIERS, tier_named

__all__ = ["COLUMNS", "PROTOCOL_VERSION", "TARGETS", "DatasetFile", "Manifest", "build", "row_of", "write_file"]

PROTOCOL_VERSION: Final = "1"

COLUMNS: Final = (
    "task_id",
    "subset",
    "family",
    "category",
    "title",
    "target_model_parameters",
    "language",
    "entrypoint",
    "protocol_version",
    "prompt",
    "public_tests",
    "acceptance_tests",
    "num_scenarios",
    "num_assertions",
    "timeout_seconds",
)
"""The columns of a row, in order. `acceptance_tests` holds all scenarios, `public_tests` the public ones among them."""

TARGETS: Final = {"easy": "2B-8B", "intermediate": "8B-32B", "hard": "32B-120B", "max": "120B+"}


class DatasetFile(Record, frozen=True, kw_only=True):
    """One file: what it weighs and what it holds. kinds: assertions of each kind."""

    sha256: str
    size: int
    tasks: int
    scenarios: int
    assertions: int
    kinds: dict[str, int]

    def __str__(self) -> str:
        kinds = ", ".join(f"{kind} {count}" for kind, count in self.kinds.items())
        return f"{self.tasks} tasks, {self.scenarios} scenarios, {self.assertions} assertions ({kinds}), sha256 {self.sha256}"


class Manifest(Record, frozen=True, kw_only=True):
    """What a build made. files: by name, in the order of the tiers."""

    name: str
    version: str
    seed: int
    protocol_version: str
    tasks: int
    assertions: int
    kinds: dict[str, int]
    files: dict[str, DatasetFile]


def build(output: Path, seed: int, subset: str = "") -> Manifest:
    """Write the dataset made from `seed` into the folder `output` and return its manifest (`manifest.json`).

    subset: one tier; "" for all.

    Raises:
        UnknownNameError: there is no such tier.
        UsageError: the folder cannot be written.
        InfrastructureError: the disk is full.

    """
    suite = ScratchSuite(seed)
    make_folder(output)
    files = {}
    for tier in [tier_named(subset).name] if subset else TIERS:
        content, file = _file(suite, tier)
        files[f"{tier}.jsonl"] = file
        write_file(output / f"{tier}.jsonl", content)
    manifest = Manifest(
        name=suite.name,
        version=suite.version,
        seed=seed,
        protocol_version=PROTOCOL_VERSION,
        tasks=sum(file.tasks for file in files.values()),
        assertions=sum(file.assertions for file in files.values()),
        kinds=_added(file.kinds for file in files.values()),
        files=files,
    )
    text = json.dumps(msgspec.to_builtins(manifest), indent=2) + "\n"
    write_file(output / "manifest.json", text.encode())
    return manifest


def row_of(suite: ScratchSuite, task_id: str) -> dict[str, Any]:
    """One task as a row: the columns, tests as JSON strings."""
    return _row(suite, task_id)[0]


def _row(suite: ScratchSuite, task_id: str) -> tuple[dict[str, Any], Counter[AssertionKind]]:
    """A row, and its assertions of each kind."""
    place, text = suite.place(task_id), suite.expected(task_id)
    scenarios = msgspec.json.decode(text, type=tuple[Scenario, ...])
    kinds = totals(scenarios)
    values = (
        task_id,
        place.subset,
        place.family,
        place.category,
        suite.family(task_id).title,
        TARGETS[place.subset],
        "python",
        ENTRY,
        PROTOCOL_VERSION,
        suite.brief(task_id).prompt,
        scenarios_text([scenario for scenario in scenarios if scenario.public]),
        text,
        len(scenarios),
        kinds.total(),
        LIMITS.wall_ms // 1000,
    )
    return dict(zip(COLUMNS, values, strict=True)), kinds


def _file(suite: ScratchSuite, tier: str) -> tuple[bytes, DatasetFile]:
    """The content of a tier's file, and its entry in the manifest."""
    rows = []
    kinds: Counter[str] = Counter()
    for task_id in suite.ids(tier):
        row, found = _row(suite, task_id)
        rows.append(row)
        kinds.update({str(kind): count for kind, count in found.items()})
    # Plain ASCII: some readers would end a line at U+2028, which tests do hold.
    content = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows).encode("ascii")
    return content, DatasetFile(
        sha256=sha256(content),
        size=len(content),
        tasks=len(rows),
        scenarios=sum(row["num_scenarios"] for row in rows),
        assertions=sum(row["num_assertions"] for row in rows),
        kinds=dict(sorted(kinds.items())),
    )


def _added(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The sums per kind, in alphabetical order."""
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    return dict(sorted(total.items()))


def make_folder(path: Path) -> None:
    """Make a folder of the dataset, if it is not there. Raises as `build`."""
    with _told(path):
        path.mkdir(parents=True, exist_ok=True)


def write_file(path: Path, content: bytes) -> None:
    """Write a file of the dataset, and its folder. Raises as `build`."""
    make_folder(path.parent)
    with _told(path):
        path.write_bytes(content)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say of a disk's refusal what it means."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise InfrastructureError(Failure(code="disk_full", message=f"no room for {path}")) from error
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
