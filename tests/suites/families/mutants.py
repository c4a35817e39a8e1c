"""Mutants of a family's reference against its inputs, in this process: `python -m tests.suites.families.mutants SLUG`.

Prints how many were made and killed, and each survivor with its line and change. A quick look while a family is written:
the proof is `proofyard mutants`, which plays the very sessions of the easy tier through the sandbox. Each mutant runs in a
forked child with a limit on its CPU time and its memory, and is dead at the first difference.
"""

import copy
import importlib.util
import json
import os
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from proofyard.core import Row, equal
from proofyard.source import Mutant, mutate
from proofyard.suites.scratch.cases import DEFAULT_SEED
from proofyard.suites.scratch.families import FAMILIES
from proofyard.suites.scratch.family import Family
from proofyard.suites.scratch.program.errors import DomainError, InvalidArgsError
from proofyard.suites.scratch.scenarios import scenarios_of
from proofyard.suites.scratch.tiers import TIERS

FLOOR = 97
MEMORY = 1 << 30
DECLARED = ("Operation",)


class Check(NamedTuple):
    """One request of the easy tier and what is expected of it: an envelope without its id."""

    op: str
    args: dict[str, Any]
    expected: dict[str, Any]


def checks_of(family: Family) -> list[Check]:
    """Every well-formed request of the easy tier that names an operation of the family, each once."""
    rows = (r for s in scenarios_of(TIERS["easy"], family, DEFAULT_SEED) for p in s.sessions for r in p.rows)
    found: dict[str, Check] = {}
    for row in rows:
        for check in _check(row, family):
            found.setdefault(json.dumps(check[:2], sort_keys=True), check)
    return list(found.values())


def _check(row: Row, family: Family) -> Iterator[Check]:
    send = row.send
    if isinstance(send, dict) and isinstance(send.get("args"), dict) and send.get("op") in family.program.OPERATIONS:
        expected = {key: value for key, value in row.expect[0].items() if key != "id"}
        if expected["ok"] or expected["error"]["code"] != "bad_request":
            yield Check(send["op"], send["args"], expected)


def source_of(family: Family) -> Path:
    """The file of a family's reference."""
    return Path(str(family.program.__file__))  # type: ignore[attr-defined]


def killed_by(family: Family, text: str, checks: list[Check], cpu: int) -> str:
    """What tells a program from the reference, `` if nothing does. Runs in a child of this process."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            os.close(read)
            os.write(write, _difference(_module(family, text), checks).encode()[:4000] or b"-")
        finally:
            os._exit(0)
    os.close(write)
    with open(read, "rb") as pipe:  # noqa: PTH123 - a descriptor
        answer = pipe.read().decode(errors="replace")
    os.waitpid(child, 0)
    return "" if answer == "-" else answer or "time or memory"


def _module(family: Family, text: str) -> ModuleType:
    name = family.program.__name__  # type: ignore[attr-defined]
    spec = importlib.util.spec_from_file_location(name, source_of(family))
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        exec(compile(text, "mutant", "exec"), module.__dict__)
    except BaseException as error:
        module.__dict__["OPERATIONS"] = {}
        module.__dict__["broken"] = repr(error)
    return module


def _difference(module: ModuleType, checks: list[Check]) -> str:
    for check in checks:
        try:
            got = _answer(module, check)
        except BaseException as error:  # a mutant may raise anything
            got = {"raised": repr(error)}
        if equal(check.expected, got, special=_any_message) is not None:
            return f"{check.op} {json.dumps(check.args)[:100]}: {json.dumps(got)[:100]}"
    return ""


def _any_message(expected: Any, got: Any) -> bool | None:
    return isinstance(got, str) if expected == {"$any": "message"} else None


def _answer(module: ModuleType, check: Check) -> Any:
    args = copy.deepcopy(check.args)
    try:
        operation = module.OPERATIONS[check.op]
        operation.check(args)
        return json.loads(json.dumps({"ok": True, "result": operation.run(args)}))
    except InvalidArgsError as error:
        return {"ok": False, "error": {"code": "invalid_args", "message": error.message}}
    except DomainError as error:
        refusal = {"code": error.code, "message": error.message, **error.extra}
        return json.loads(json.dumps({"ok": False, "error": refusal}))


def report(slug: str) -> bool:
    """Print what a family's cases say of its mutants; return whether enough were killed."""
    family = FAMILIES[slug]
    text = source_of(family).read_text(encoding="utf-8")
    checks = checks_of(family)
    begun = time.process_time()
    assert _difference(_module(family, text), checks) == "", "the reference does not pass"
    cpu = 2 + int(5 * (time.process_time() - begun))
    assert killed_by(family, text, checks, cpu) == ""
    mutants = mutate(text, declared=DECLARED)
    alive = [mutant for mutant in mutants if not killed_by(family, mutant.text, checks, cpu)]
    killed = len(mutants) - len(alive)
    share = 100 * killed / len(mutants)
    print(f"{slug}: {len(checks)} checks, {len(mutants)} mutants, {killed} killed, {share:.1f}%", flush=True)
    for mutant in alive:
        print(described(mutant))
    return len(mutants) >= 40 and share >= FLOOR


def described(mutant: Mutant) -> str:
    """A mutant in two lines."""
    before, after = (text if len(text) < 60 else text[:57] + "..." for text in (mutant.before, mutant.after))
    place = f"{mutant.line}:{mutant.column}"
    return f"  survivor {mutant.digest} {place} {mutant.operator}: {before!r} -> {after!r}\n      {mutant.source}"


def main(slugs: list[str]) -> int:
    """Report on families by slug."""
    if not slugs or any(slug not in FAMILIES for slug in slugs):
        print("usage: python -m tests.suites.families.mutants SLUG ...; families: " + " ".join(FAMILIES))
        return 2
    results = [report(slug) for slug in slugs]
    return 0 if all(results) else 1


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        sys.exit(main(sys.argv[1:]))
    sys.exit(130)
