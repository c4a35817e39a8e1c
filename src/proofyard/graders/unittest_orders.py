"""What the unittest grader tells its driver and what it hears: parameters, the measured truth, the order, the report."""

import hashlib
import hmac
from typing import Any, Final, Literal

import msgspec

from proofyard.core import BadJSON, Record, dumps, loads

__all__ = ["Order", "Report", "Status", "Truth", "UnittestParameters", "encoded", "read_report"]

_LONGEST: Final = 1 << 20

Status = Literal["ok", "skip", "expected_failure"]
"""How a test of the canonical solution ends."""


class UnittestParameters(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Parameters of the grader.

    isolation: `fork` of a warm process, or a `fresh` interpreter for each run. twins: whether a passing sample is run
    against the changed test too. CPU time allowed is the larger of `cpu_floor_ms` and `cpu_factor` times the truth's.
    """

    entry_point: str
    file: str = "solution.py"
    isolation: Literal["fork", "fresh"] = "fork"
    twins: bool = True
    cpu_factor: int = 10
    cpu_floor_ms: int = 10_000
    max_files: int = 100
    max_bytes: int = 1 << 20


class Truth(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the canonical solution does in this environment.

    tests: how each test ends. controls: labels of the assertions that hold as they are and fail when changed, and names of
    the tests whose sentinel fails. objects: whether it passes only if objects of its own may compare themselves. cpu_ms: CPU
    time of one run. stack: `own` if candidate and tests run on threads of their own, `shared` where the test allows no such
    thing.
    """

    tests: dict[str, Status]
    controls: tuple[str, ...] = ()
    objects: bool = False
    cpu_ms: int = 0
    stack: Literal["own", "shared"] = "own"


class Order(msgspec.Struct, kw_only=True):
    """One run, as the driver reads it."""

    key: str
    path: str
    entry_point: str
    test: str
    stack: str
    seed: int
    modules: tuple[str, ...]
    imported: tuple[str, ...]
    named: tuple[str, ...]
    keep_classes: bool
    mark: str
    sites: int
    measure: bool
    bare: bool


class Report(msgspec.Struct, kw_only=True):
    """What the driver found. Exactly one of `tests`, `syntax`, `load`, `missing`, `driver` is there.

    tests: status, what a failing assertion said, traceback by test. sites: times ended as it must and not by assertion that
    was handed over. objects: 1 if something by which code of the candidate's may run was returned.
    load: traceback and class names of what ended the loading. tamper: what no honest solution does.
    """

    tests: dict[str, tuple[str, str, str]] | None = None
    sites: dict[str, tuple[int, int]] = {}
    objects: int = 0
    tamper: list[str] = []
    syntax: str = ""
    load: list[str] = []
    missing: str = ""
    driver: str = ""


def encoded(order: Order) -> bytes:
    """The order as bytes."""
    return dumps(msgspec.to_builtins(order))


def read_report(stdout: bytes, key: str) -> tuple[Report, bytes] | None:
    """The report on a standard output, and the output without it; None if there is none under this key."""
    secret = bytes.fromhex(key)
    lines = stdout.split(b"\n")
    for at in range(len(lines) - 1, -1, -1):
        digest, _, text = lines[at].partition(b" ")
        if len(digest) == 64 and len(text) <= _LONGEST:
            wanted = hashlib.blake2b(text, key=secret, digest_size=32).hexdigest().encode()
            if hmac.compare_digest(digest, wanted):
                report = _report(text)
                if report is None:
                    return None
                after = lines[at + 1 :]
                return report, b"\n".join(lines[:at] + (after if any(after) else []))
    return None


def _report(text: bytes) -> Report | None:
    try:
        value: Any = loads(text)
        return msgspec.convert(value, type=Report)
    except (BadJSON, msgspec.ValidationError):
        return None
