"""Stale caches: a pipeline's cache keys hold the paths of its files, not what is in them.

What is drawn: what the job is about, whether files are corrected on the way, how the step in the middle computes, which step
is dear, and whether that one alone or all have to be cached. Ways of caching that are too coarse or too fine are right or
wrong by what has to be cached: `b3_caching.differs` says on which side each script falls.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from proofyard.forge.family import Draft
from proofyard.forge.filling import fill, template, templates
from proofyard.forge.instances.b3_caching import Job, Night, Step, Way, differs, required
from proofyard.forge.instances.b3_worlds import FITS, WORLDS, World

__all__ = ["FAMILY", "StaleCache"]

_CHECKS: Final = {
    "seen": "test_what_was_seen_is_cached",
    "new": "test_what_is_new_is_executed",
    "result": "test_results",
}
_DAYS: Final = 48
_FIGURES: Final = ("over", "far_over", "room", "figure")


class _Drawn(NamedTuple):
    world: str
    corrected: bool
    fit: str
    dear: str
    strict: bool

    @property
    def about(self) -> World:
        return WORLDS[self.world]

    @property
    def job(self) -> Job:
        about = self.about
        rows = about.correct if self.corrected else about.load
        found = [Step(about.load, (), f"{about.data}.csv")]
        if self.corrected:
            found.append(Step(about.correct, (about.load,), f"{about.notes}.json"))
        return (*found, Step(about.fit, (rows,)), Step(about.rate, (rows, about.fit), f"{about.limits}.json"))

    @property
    def must(self) -> tuple[str, ...]:
        return tuple(step.name for step in self.job) if self.strict else (self.dear,)

    @property
    def nights(self) -> list[Night]:
        """The hidden nights: new files, other rows, other limits, perhaps another note, the first again."""
        files = [step.reads for step in self.job if step.reads]
        first = dict.fromkeys(files, "a")
        others = [{**first, file: "b"} for file in (files[0], files[-1], *files[1:-1])]
        return [first, *others, first]


class StaleCache:
    """The family b3."""

    name = "b3"
    open_check = "test_results"

    def draft(self, seed: int) -> Draft:
        """Make the instance of a seed."""
        rng = Random(seed)
        drawn = _draw(rng)
        scripts = _scripts(drawn)
        values = _values(drawn, f"b3-{seed}", seed, scripts)
        files = {path: fill(template(f"shared/{path}"), values) for path in templates("shared")}
        files |= {path: fill(template(f"b3/{path}"), values) for path in templates("b3") if _is_whole(path)}
        module = f"environment/app/{drawn.about.module}"
        for part in ("steps.py", "pipeline.py"):
            files[f"{module}/{part}"] = files.pop(f"environment/app/{part}")
        files[f"{module}/__init__.py"] = '"""The nightly job."""\n'
        for name, check in scripts.items():
            place = "tests/shortcuts" if check else "solution/alternatives"
            files[f"{place}/{name}.sh"] = fill(template(f"b3/scripts/{name}.sh"), values)
        files |= _data(drawn, rng)
        files["tests/fixtures/nights.json"] = _nights(drawn)
        files["tests/fixtures/expected.json"] = "[]\n"
        return Draft(name=f"b3-{seed}", seed=seed, files=dict(sorted(files.items())), params=_params(drawn))

    def expected(self, draft: Draft, recorded: Mapping[str, float]) -> Mapping[str, str]:
        """What the last step has to record each night. Raises ValueError: two nights with other files have the same."""
        nights = json.loads(draft.files["tests/fixtures/nights.json"])["nights"]
        found = [{name: recorded[f"night{number}_{name}"] for name in _FIGURES} for number in range(1, len(nights) + 1)]
        by_files = {json.dumps(night["files"]): json.dumps(one) for night, one in zip(nights, found, strict=True)}
        if len(set(by_files.values())) < len(by_files):
            raise ValueError("two nights with different files have the same result")
        return {"tests/fixtures/expected.json": json.dumps(found, indent=1) + "\n"}


FAMILY: Final = StaleCache()


def _is_whole(path: str) -> bool:
    """Whether a template is a file of its own, not a part of one or a script whose side is yet to be found."""
    return not path.startswith(("scripts/", "environment/app/fit_", "environment/app/correct"))


def _draw(rng: Random) -> _Drawn:
    world = sorted(WORLDS)[rng.randrange(len(WORLDS))]
    drawn = _Drawn(world, bool(rng.randrange(2)), FITS[rng.randrange(len(FITS))], "", bool(rng.randrange(2)))
    steps = [step.name for step in drawn.job]
    return drawn._replace(dear=steps[rng.randrange(len(steps))])


def _params(drawn: _Drawn) -> dict[str, str]:
    return {
        "world": drawn.world,
        "steps": str(len(drawn.job)),
        "fit": drawn.fit,
        "dear": drawn.dear,
        "cached": "all" if drawn.strict else "dear",
        "nights": str(len(drawn.nights)),
    }


def _scripts(drawn: _Drawn) -> dict[str, str]:
    """Script -> the check that must stop it, "" for one that is right."""
    job = drawn.job
    readers = [step for step in job if step.reads]
    every = tuple(step.reads for step in readers)
    ways: dict[str, dict[str, Way]] = {
        "caching_off": {step.name: Way("never") for step in job},
        "first_file_only": {job[0].name: Way("content", (job[0].reads,))},
        "one_key": {step.name: Way("content", every) for step in job},
        "modification_time": {step.name: Way("time") for step in readers},
    }
    found = {name: differs(job, drawn.nights, way, drawn.must) for name, way in ways.items()}
    sides = {name: _CHECKS[how] if how else "" for name, how in found.items()}
    return {**sides, "tamper_store": "test_the_framework_recorded_it"}


def _values(drawn: _Drawn, name: str, seed: int, scripts: Mapping[str, str]) -> dict[str, str]:
    about, job = drawn.about, drawn.job
    files = [step.reads for step in job if step.reads]
    arguments = [f"{file.partition('.')[0]}_file" for file in files]
    upper = {key.upper(): str(value) for key, value in about._asdict().items()}
    outputs = _outputs(drawn)
    return {
        **upper,
        "NAME": name,
        "SEED": str(seed),
        "PARAMS": "\n".join(f"{key} = {json.dumps(value)}" for key, value in _params(drawn).items()),
        "SHORTCUTS": "\n".join(f'{key} = "{check}"' for key, check in sorted(scripts.items()) if check),
        "NIGHTS": str(len(drawn.nights)),
        "FILES": _listed([f"`data/{file}` ({_is(about, file)})" for file in files]),
        "STEPS": _listed([f"`{step.name}`" for step in job]),
        "OUTPUTS": _listed([f"`{output}`" for output in outputs.values()]),
        "RULE": _rule(drawn),
        "ABOUT": " -> ".join(outputs.values()),
        "GIVEN": ", ".join(f'{key}="data/{file}"' for key, file in zip(arguments, files, strict=True)),
        "ARGUMENTS": ", ".join(f"{key}: str" for key in arguments),
        "IMPORTED": ", ".join(sorted(step.name for step in job)),
        "CALLS": _calls(drawn),
        "CORRECT_STEP": template("b3/environment/app/correct.py") if drawn.corrected else "",
        "FIT_BODY": template(f"b3/environment/app/fit_{drawn.fit}.py").rstrip("\n"),
        "READERS": ", ".join(f'("{step.name}", "{step.reads}")' for step in job if step.reads),
        "DEPENDS": json.dumps({step.name: _depends(job, step) for step in job}),
    }


def _is(about: World, file: str) -> str:
    stem = file.partition(".")[0]
    return {about.data: about.data_is, about.notes: about.notes_is}.get(stem, about.limits_is)


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _outputs(drawn: _Drawn) -> dict[str, str]:
    about = drawn.about
    named = {about.load: about.rows, about.correct: about.corrected, about.fit: about.model, about.rate: about.result}
    return {step.name: named[step.name] for step in drawn.job}


def _depends(job: Job, step: Step) -> list[str]:
    """The files that a step's output comes from."""
    known = {one.name: one for one in job}
    found = [file for name in step.takes for file in _depends(job, known[name])]
    return sorted({*found, step.reads} - {""})


def _rule(drawn: _Drawn) -> str:
    if drawn.strict:
        return (
            "- A step is executed if what it works on is new: the content of the file that it reads, or the result of a step\n"
            f"  before it. Otherwise it is served from the cache. `{drawn.dear}` is dear."
        )
    return (
        f"- `{drawn.dear}` is dear. It is executed if what it works on is new: the content of the file that it reads, if it\n"
        "  reads one, or the result of a step before it. Otherwise it is served from the cache. When the other steps are\n"
        "  executed does not matter."
    )


def _calls(drawn: _Drawn) -> str:
    about = drawn.about
    lines = [f"rows = {about.load}({about.data}_file)"]
    if drawn.corrected:
        lines.append(f"rows = {about.correct}(rows, {about.notes}_file)")
    lines += [f"model = {about.fit}(rows)", f"{about.rate}(rows, model, {about.limits}_file)"]
    return "\n".join(f"    {line}" for line in lines)


def _nights(drawn: _Drawn) -> str:
    nights = []
    for night, came in zip(drawn.nights, required(drawn.job, drawn.nights), strict=True):
        steps = {name: "completed" if name in came.executed else "cached" for name in drawn.must}
        nights.append({"files": {file: f"{which}-{file}" for file, which in night.items()}, "steps": steps})
    asked = {"pipeline": drawn.about.pipeline, "outputs": _outputs(drawn), "nights": nights}
    return json.dumps(asked, indent=1) + "\n"


def _data(drawn: _Drawn, rng: Random) -> dict[str, str]:
    """The files as they lie there, those of the nights before, and those of the hidden nights."""
    about = drawn.about
    makers: dict[str, Callable[[World, Random], str]] = {about.data: _rows, about.notes: _note, about.limits: _limits}
    found: dict[str, str] = {}
    for place in ("environment/app/data/", "environment/seed/monday/", "environment/seed/tuesday/"):
        found |= {f"{place}{step.reads}": step.reads for step in drawn.job if step.reads}
    for which in ("a", "b"):
        found |= {f"tests/fixtures/{which}-{step.reads}": step.reads for step in drawn.job if step.reads}
    return {path: makers[file.partition(".")[0]](about, rng) for path, file in found.items()}


def _rows(about: World, rng: Random) -> str:
    period, height = 3 + rng.randrange(9), about.level // 4 + rng.randrange(about.level // 4)
    base, slope = about.level + rng.randrange(about.level // 3), rng.randrange(5) - 2
    rows = []
    for day in range(_DAYS):
        wave = height * abs(2 * (day % period) - period) // period
        rows.append(max(0, base + wave + slope * day // 4 + rng.randrange(about.level // 9)))
    return f"day,{about.column}\n" + "".join(f"{day},{row}\n" for day, row in enumerate(rows, 1))


def _note(about: World, rng: Random) -> str:
    first = rng.randrange(_DAYS // 2)
    note = {
        "first": first,
        "last": first + 3 + rng.randrange(12),
        "add": about.level // 8 + rng.randrange(about.level // 4),
    }
    return json.dumps(note) + "\n"


def _limits(about: World, rng: Random) -> str:
    low = about.level + about.level // 5 + rng.randrange(about.level // 4)
    return json.dumps({about.low: low, about.high: low + about.level // 20 + rng.randrange(about.level // 5)}) + "\n"
