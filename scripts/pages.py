"""Makes the generated pages anew: the catalogue of tasks, the evaluation protocol, the page on validity.

`scripts/pages.py` writes them from the data in the project; `--check` only says which are out of date (exit code 1).
`--validation FILE` and `--verification FILE` first take in reports of `proofyard validate` and `proofyard verify` on the whole
public set, shortened to what the pages show (docs/proof/validation-summary.json, docs/proof/verification.json).
"""

import argparse
import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "src"))

from proofyard.suites.scratch.contracts import recorded  # noqa: E402
from proofyard.suites.scratch.families import FAMILIES, NUMBERS  # noqa: E402
from proofyard.suites.scratch.pages import GENERATED, catalogue, protocol  # noqa: E402
from proofyard.suites.scratch.tiers import TIERS  # noqa: E402

PROOF = ROOT / "docs" / "proof"
Data = dict[str, Any]


def take_validation(path: Path) -> None:
    """Shorten a report of `proofyard validate`."""
    found = json.loads(path.read_text())
    tasks = found["tasks"]
    passed = [outcome for task in tasks for outcome in task["reference"]]
    failed = [outcome for task in tasks for outcome in task["empty"]]
    whole = found.get("complete", True) and not found.get("errors")
    summary = {
        "suite": found["suite"],
        "version": found["version"],
        "complete": whole and len(tasks) == 4 * len(NUMBERS),
        "tasks": len(tasks),
        "valid": sum(task["ok"] for task in tasks),
        "attempts": found["attempts"],
        "references_passed": f"{passed.count('passed')} of {len(passed)}",
        "empty_projects_failed": f"{failed.count('failed')} of {len(failed)}",
        "assertions": sum(task["assertions"] for task in tasks),
        "python": found["python"],
        "isolation": found["isolation"],
    }
    _write_json("validation-summary.json", summary)


def take_verification(path: Path) -> None:
    """Shorten a report of `proofyard verify` to a line a family and tier."""
    found = json.loads(path.read_text())
    families: dict[str, Data] = {}
    for task in found["tasks"]:
        applying = [one for one in task.get("shortcuts", []) if one.get("applicable", True)]
        told = [one for one in applying if one["outcome"] == "failed" and one.get("reason") == one.get("declared")]
        families.setdefault(task["family"], {})[task["subset"]] = {
            "ok": task["ok"],
            "reference": f"{task['reference'].count('passed')}/{len(task['reference'])}",
            "shortcuts": len(applying),
            "told": len(told),
            "not_applicable": len(task.get("shortcuts", [])) - len(applying),
            "alternatives": sum(one.get("score") == 1.0 for one in task.get("alternatives", [])),
        }
    kept = ("suite", "version", "attempts", "python", "rungs", "totals")
    _write_json(
        "verification.json", {**{name: found[name] for name in kept}, "families": dict(sorted(families.items()))}
    )


def validity() -> str:
    """The page on validity: what was tried on each family, and what came of it."""
    tasks, verified, mutants = recorded()["tasks"], _read("verification.json"), _read("mutants.json")
    summary = _read("validation-summary.json")
    lines = [GENERATED, "# How far the scratch suite is proved", "", *_said(summary, verified), ""]
    lines += [
        "Per family: assertions in the four tiers; mutants of its reference made, killed and shown equivalent; what its"
    ]
    lines += [
        "reference is compared with in the tests; tiers whose alternative passes; shortcuts that apply in the four tiers,"
    ]
    lines += ["and how many of them failed for their declared reason.", ""]
    lines += [
        "| family | assertions | made | killed | equivalent | independent check | alternatives | shortcuts | told |"
    ]
    lines += ["| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |"]
    for slug in FAMILIES:
        entry = mutants.get("families", {}).get(slug, {})
        tiers = verified.get("families", {}).get(slug, {})
        count = sum(tasks[f"scratch-{tier}-{NUMBERS[slug]:03d}-{slug}"]["num_assertions"] for tier in TIERS)
        lines.append(
            f"| {slug} | {count:,} | {entry.get('made', '-')} | {entry.get('killed', '-')} | {_excused(entry)} | "
            f"{_independent(slug)} | {sum(row['alternatives'] > 0 for row in tiers.values())}/{len(TIERS)} | "
            f"{sum(row['shortcuts'] for row in tiers.values())} | {sum(row['told'] for row in tiers.values())} |"
        )
    lines += ["", "The tiers' own program, shared by all families:", ""]
    lines += ["| file | mutants made | killed | equivalent |", "| --- | ---: | ---: | ---: |"]
    lines += [
        f"| {name} | {entry['made']} | {entry['killed']} | {_excused(entry)} |"
        for name, entry in sorted(mutants.get("service", {}).items())
        if entry["made"]
    ]
    return "\n".join([*lines, ""])


CALIBRATION = """\
# Calibration: programs written from the prompts alone

Each task has a second program, an *alternative*: one of four service shells, written from a tier's prompt, with one of 65
family modules, written from the prompt of the easy tier. Whoever wrote one had read nothing else of the task, and the
first comparison was recorded before anything was changed: {agreed} of {modules} family modules and {shells_agreed} of {shells}
shells agreed with the reference on everything at first. `proofyard verify` grades all combinations.

Every disagreement is settled by the words of the prompt: the implementer's fault (the prompt says it), the specification's
(it does not, or can be read both ways; then it was rewritten, for every family it touches) or the reference's.
{settled}

What this shows, and what not: a careful reader needs no more than the prompt. But references and alternatives may share
habits: a rule that all of them take for granted, though the prompt does not state it, would not show. The independent
checks of `validity.md` share no code with either.

*Cases*: the family's golden, boundary, generated and malformed inputs, each argument left out and set to null, and an
unknown one added. *Others*: generated inputs of another seed.

| family | cases | others | disagreements |
| --- | ---: | ---: | --- |
{rows}

| shell | assertions | disagreements |
| --- | ---: | --- |
{shell_rows}
"""


def calibration() -> str:
    """The page on alternatives: what the first comparison with the reference gave."""
    found = _read("calibration.json")
    families, shells = found.get("families", {}), found.get("shells", {})
    every = [
        (name, one) for part in (families, shells) for name, entry in part.items() for one in entry["disagreements"]
    ]
    settled = "\n".join(f"- {name}: {one['what']} Fault: {one['fault']}. {one['settled']}" for name, one in every)
    whole = [entry for entry in families.values() if _whole(entry["cases"]) and _whole(entry["others"])]
    return f"{GENERATED}\n" + CALIBRATION.format(
        agreed=len(whole),
        modules=len(families),
        shells_agreed=sum(_whole(entry["assertions"]) for entry in shells.values()),
        shells=len(shells),
        settled=f"\n{settled}" if every else "There was none.",
        rows="\n".join(
            f"| {slug} | {_of(families[slug]['cases'])} | {_of(families[slug]['others'])} | {_faults(families[slug])} |"
            for slug in FAMILIES
            if slug in families
        ),
        shell_rows="\n".join(
            f"| {t} | {_of(shells[t]['assertions'])} | {_faults(shells[t])} |" for t in TIERS if t in shells
        ),
    )


def _whole(pair: list[int]) -> bool:
    return pair[0] == pair[1]


def _of(pair: list[int]) -> str:
    return f"{pair[0]:,} of {pair[1]:,}"


def _faults(entry: Data) -> str:
    return ", ".join(one["fault"] for one in entry["disagreements"]) or "none"


def _said(summary: Data, verified: Data) -> Iterator[str]:
    if summary:
        yield (
            f"`proofyard validate --attempts {summary['attempts']}`: {summary['valid']} of {summary['tasks']} tasks valid; "
            f"references passed {summary['references_passed']}, empty projects failed {summary['empty_projects_failed']}; "
            f"{summary['assertions']:,} assertions; dataset {summary['version']}, Python {summary['python']}."
        )
    if verified:
        totals = verified["totals"]
        yield ""
        yield (
            f"`proofyard verify scratch --attempts {verified['attempts']}`: {totals.get('proved', 0)} of {totals['tasks']} "
            f"tasks proved; {totals.get('told', 0)} of {totals.get('shortcuts', 0)} shortcuts failed for their declared "
            f"reason ({totals.get('not_applicable', 0)} do not apply to their task); {totals.get('with_alternative', 0)} "
            f"tasks have an alternative that passes; dataset {verified['version']}."
        )


def _excused(entry: Data) -> int:
    survivors = entry.get("survivors", [])
    return sum(bool(one.get("equivalent") and one.get("agreed") and not one.get("differs")) for one in survivors)


def _independent(slug: str) -> str:
    """What the family's test module says its independent check is (`INDEPENDENT`)."""
    path = ROOT / "tests" / "suites" / "families" / f"test_{slug.replace('-', '_')}.py"
    for node in ast.parse(path.read_text()).body:
        target = (
            node.targets[0]
            if isinstance(node, ast.Assign)
            else node.target
            if isinstance(node, ast.AnnAssign)
            else None
        )
        if isinstance(target, ast.Name) and target.id == "INDEPENDENT" and isinstance(node, ast.Assign | ast.AnnAssign):
            assert node.value is not None
            return str(ast.literal_eval(node.value))
    raise SystemExit(f"{path} does not define INDEPENDENT")


def _read(name: str) -> Data:
    path = PROOF / name
    found: Data = json.loads(path.read_text()) if path.exists() else {}
    return found


def _write_json(name: str, value: Data) -> None:
    (PROOF / name).write_text(json.dumps(value, indent=1) + "\n")


def main() -> int:
    """Write or check the pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--validation", type=Path)
    parser.add_argument("--verification", type=Path)
    options = parser.parse_args()
    if options.validation:
        take_validation(options.validation)
    if options.verification:
        take_verification(options.verification)
    pages = {
        "scratch-tasks.md": catalogue(),
        "scratch-protocol.md": protocol(),
        "validity.md": validity(),
        "calibration.md": calibration(),
    }
    old = [name for name, text in pages.items() if _text(ROOT / "docs" / name) != text]
    for name in old:
        print(f"docs/{name} is out of date" if options.check else f"docs/{name}")
        if not options.check:
            (ROOT / "docs" / name).write_text(pages[name])
    return 1 if options.check and old else 0


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
