"""`proofyard sanitize`: of each sample the program, and of the program what its entry point needs."""

import difflib
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
import msgspec

from proofyard.cli.common import echo_json, json_option, output_folder, print_rich
from proofyard.cli.sample_data import Loaded, data_options, load_samples
from proofyard.core import UnknownNameError, UsageError
from proofyard.formats.samples import Sample, stem_of
from proofyard.source.compat import Flavour, calibrated, sanitize_as
from proofyard.source.extract_names import names_of
from proofyard.source.sanitize import sanitize
from proofyard.source.unsafe import Flag, find_unsafe

__all__ = ["command"]

_OURS: Final = "proofyard"
_LISTED: Final = 20
"""Samples named on a terminal; --json names them all."""


class _Options(NamedTuple):
    """What was asked for. entry_point: "" if each task's own."""

    sanitizer: str
    entry_point: str
    calibrate: bool


class _Clean(NamedTuple):
    """A sample after sanitising. way: how its program was found. defines: whether it defines its entry point."""

    sample: Sample
    code: str
    way: str
    defines: bool
    flags: tuple[Flag, ...]


@click.command(name="sanitize")
@data_options
@click.option(
    "--sanitizer",
    type=click.Choice([_OURS, "bcb-compat", "evalplus-compat"]),
    default=_OURS,
    show_default=True,
    help="Ours, or what BigCodeBench's or EvalPlus's leave.",
)
@click.option("--entry-point", default="", metavar="NAME", help="Of all tasks, where no data tells each one's.")
@click.option("--calibrate", is_flag=True, help="Complete the prompt by fenced blocks that start indented.")
@click.option("--inplace", is_flag=True, help="Write into the samples file or folder itself.")
@click.option("--output", type=click.Path(path_type=Path), default=None, help="Default: beside it, with -sanitized.")
@click.option("--debug-task", default="", metavar="ID", help="Only show what changes in this task's samples.")
@click.option("--refuse-unsafe", is_flag=True, help="Write nothing if any program reaches beyond itself.")
@click.option("--parallel", type=int, default=1, metavar="N", help="Taken, and not needed: one process is enough.")
@json_option
def command(
    samples: Path | None,
    named: Path | None,
    benchmark: str,
    data: str,
    sanitizer: str,
    entry_point: str,
    calibrate: bool,
    inplace: bool,
    output: Path | None,
    debug_task: str,
    refuse_unsafe: bool,
    parallel: int,  # noqa: ARG001
    as_json: bool,
) -> int:
    """Write the programs of SAMPLES without fences, talk, demonstrations and tests of their own.

    Programs are flagged where they use files, network, processes or code made at run time, and never edited for it. Exit
    code 1 if --refuse-unsafe refuses them.
    """
    loaded = load_samples(samples, named, benchmark, data)
    if calibrate and not (loaded.prompts and loaded.benchmark == "bigcodebench"):
        raise UsageError("--calibrate completes the prompts of BigCodeBench: give its file by --data")
    options = _Options(sanitizer, entry_point, calibrate)
    wanted = loaded.samples.of_task
    if debug_task:
        if debug_task not in wanted:
            raise UnknownNameError(
                "task", debug_task, wanted, f"{loaded.samples.path} has samples of {len(wanted)} tasks"
            )
        _show(_cleaned(loaded, options, {debug_task: wanted[debug_task]}))
        return 0
    place = _place(loaded.samples.path, output, inplace=inplace, calibrate=calibrate)
    cleaned = _cleaned(loaded, options, wanted)
    refused = refuse_unsafe and any(clean.flags for clean in cleaned)
    if not refused:
        _write(place, loaded.samples.path, cleaned, inplace)
    summary = _summary(cleaned, None if refused else place)
    if as_json:
        echo_json(summary)
    else:
        print_rich(_lines(summary, cleaned, refused))
    return 1 if refused else 0


def _cleaned(loaded: Loaded, options: _Options, of_task: Mapping[str, Iterable[Sample]]) -> list[_Clean]:
    cleaned: list[_Clean] = []
    for task, attempts in of_task.items():
        entry_point = options.entry_point or loaded.entry_points.get(task, "")
        if not entry_point:
            raise UsageError(
                f"no entry point is known for {task}: give --data FILE, or --entry-point NAME for all tasks"
            )
        prompt = loaded.prompts.get(task, "")
        also = names_of(prompt).binds
        cleaned.extend(_clean(sample, entry_point, also, prompt, options) for sample in attempts)
    return sorted(cleaned, key=lambda clean: clean.sample.position)


def _clean(sample: Sample, entry_point: str, also: frozenset[str], prompt: str, options: _Options) -> _Clean:
    if options.sanitizer == _OURS:
        found = sanitize(sample.solution, entry_point, also, prompt)
        return _Clean(sample, found.code, found.way, found.defines, find_unsafe(found.code))
    whole = "solution" in sample.row or not sample.row
    text = calibrated(sample.solution, prompt) if options.calibrate and whole else sample.solution
    flavour: Flavour = "bcb-compat" if options.sanitizer == "bcb-compat" else "evalplus-compat"
    code = sanitize_as(flavour, text, entry_point)
    return _Clean(sample, code, flavour, entry_point in names_of(code).binds, find_unsafe(code))


def _place(source: Path, output: Path | None, *, inplace: bool, calibrate: bool) -> Path:
    """Where to write."""
    if inplace:
        if output is not None:
            raise UsageError("--inplace and --output exclude each other")
        if source.suffix == ".gz" or (source.is_file() and source.suffix != ".jsonl"):
            raise UsageError(f"{source}: --inplace writes .jsonl files and folders; leave it out, or give --output")
        return source
    if output is None:
        ending = "-sanitized-calibrated" if calibrate else "-sanitized"
        name = f"{source.name}{ending}" if source.is_dir() else f"{stem_of(source)}{ending}.jsonl"
        output = (
            source.resolve().parent / f"{source.resolve().name}{ending}" if source.is_dir() else source.with_name(name)
        )
    if source.is_dir():
        return output_folder(output)
    if not output.parent.is_dir():
        raise UsageError(f"cannot write {output}: its folder does not exist; choose another --output")
    return output


def _write(place: Path, source: Path, cleaned: Iterable[_Clean], inplace: bool) -> None:
    try:
        if source.is_dir():
            for clean in cleaned:
                name = clean.sample.task_id.replace("/", "_")
                program = sorted((source / name).glob("*.py"), key=lambda path: int(path.stem))[clean.sample.k].name
                (place / name).mkdir(exist_ok=True)
                _replace(place / name / program, clean.code.encode())
        else:
            _replace(place, b"".join(_row(clean, inplace) for clean in cleaned))
    except OSError as error:
        raise UsageError(f"cannot write {place}: {error.strerror}; choose another --output") from None


def _row(clean: _Clean, inplace: bool) -> bytes:
    """A row as upstream's sanitisers write it; in place, with what else the row holds."""
    row: dict[str, Any] = {"task_id": clean.sample.task_id, "solution": clean.code}
    if inplace:
        row |= {name: value for name, value in clean.sample.row.items() if name not in {*row, "completion"}}
    return msgspec.json.encode(row) + b"\n"


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(content)
    part.replace(path)


def _summary(cleaned: list[_Clean], place: Path | None) -> dict[str, Any]:
    names = [clean for clean in cleaned if not clean.defines]
    return {
        "samples": len(cleaned),
        "changed": sum(clean.code != clean.sample.solution for clean in cleaned),
        "ways": dict(sorted(Counter(clean.way for clean in cleaned).items())),
        "undefined": [{"task_id": clean.sample.task_id, "k": clean.sample.k} for clean in names],
        "unsafe": [
            {"task_id": clean.sample.task_id, "k": clean.sample.k, **flag._asdict()}
            for clean in cleaned
            for flag in clean.flags
        ],
        "output": str(place) if place else "",
    }


def _lines(summary: dict[str, Any], cleaned: list[_Clean], refused: bool) -> list[str]:
    total, undefined, unsafe = summary["samples"], summary["undefined"], summary["unsafe"]
    ways = ", ".join(f"{count} {way}" for way, count in summary["ways"].items())
    lines = [f"{total} samples ({ways}): {summary['changed']} changed"]
    if undefined:
        lines.append(f"{len(undefined)} of {total} do not define their entry point:")
        lines += [f"  {item['task_id']} sample {item['k']}" for item in undefined[:_LISTED]]
        lines += [f"  and {len(undefined) - _LISTED} more"] if len(undefined) > _LISTED else []
    if unsafe:
        kinds = Counter(str(item["category"]) for item in unsafe)
        flagged = sum(bool(clean.flags) for clean in cleaned)
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        lines.append(f"{flagged} of {total} reach beyond themselves ({counts}){':' if refused else ''}")
    if refused:
        lines += [
            f"  {item['task_id']} sample {item['k']} line {item['line']}: {item['category']}: {item['what']}"
            for item in unsafe
        ]
        lines.append("refused: nothing was written")
    else:
        lines.append(f"written to {summary['output']}")
    return lines


def _show(cleaned: Iterable[_Clean]) -> None:
    """Show each sample's change as a difference."""
    for clean in cleaned:
        name = f"{clean.sample.task_id} sample {clean.sample.k}"
        click.echo(f"{name} ({clean.way})")
        before, after = clean.sample.solution.splitlines(), clean.code.splitlines()
        difference = difflib.unified_diff(before, after, "before", "after", lineterm="", n=max(len(before), len(after)))
        click.echo("\n".join(difference) or "unchanged")
