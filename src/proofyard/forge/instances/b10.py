"""Failed runs: one that the scheduler started, for a cause in the code, among those that rightly failed.

What is drawn: what the job is about, how amounts are written that it cannot read, in which ways exports are broken, which
scheduled day failed and what was started by hand in between, and all numbers. Ways of reading that are laxer than the format
are right or wrong by which broken exports there are: `b10_notations.differs` says on which side each script falls.
"""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Final, NamedTuple

from proofyard.forge.family import Draft
from proofyard.forge.filling import fill, template, templates
from proofyard.forge.instances.b10_notations import BREAKS, NOTATIONS, Export, differs, drop_mark, keep_digits, plain
from proofyard.forge.instances.b10_worlds import WORLDS, World

__all__ = ["FAMILY", "WhyDidItFail"]

_CHECKS: Final = {
    "night": "test_the_day_is_made_up_for",
    "unseen": "test_the_result_of_an_unseen_day",
    "broken": "test_broken_exports_still_fail",
}
_ALWAYS: Final = {
    "edit_export": "test_the_exports_are_untouched",
    "known_amounts": _CHECKS["unseen"],
    "skip_rows": _CHECKS["night"],
    "tamper_store": "test_what_was_recorded_is_untouched",
}
_TAGS: Final = ("scheduled", "nightly", "cron")
_SCHEDULED: Final = 6


class _Run(NamedTuple):
    day: str
    scheduled: bool
    fails: str = ""


class _Drawn(NamedTuple):
    """What was drawn. breaks: of the broken exports. night: the day whose run failed. runs: as recorded, in their order.

    there: the exports in the environment by day. unseen: the hidden ones; the first can be read.
    """

    world: str
    notation: str
    breaks: tuple[str, ...]
    tag: str
    night: str
    runs: tuple[_Run, ...]
    there: dict[str, Export]
    unseen: dict[str, Export]

    @property
    def about(self) -> World:
        return WORLDS[self.world]


class WhyDidItFail:
    """The family b10."""

    name = "b10"
    open_check = _CHECKS["unseen"]

    def draft(self, seed: int) -> Draft:
        """Make the instance of a seed."""
        rng = Random(seed)
        drawn = _draw(rng)
        about, scripts = drawn.about, _scripts(drawn)
        values = _values(drawn, seed, scripts)
        files = {path: fill(template(f"shared/{path}"), values) for path in templates("shared")}
        files |= {
            path: fill(template(f"b10/{path}"), values) for path in templates("b10") if not path.startswith("scripts/")
        }
        for part in ("steps.py", "pipeline.py"):
            files[f"environment/app/{about.module}/{part}"] = files.pop(f"environment/app/{part}")
        files[f"environment/app/{about.module}/__init__.py"] = '"""The nightly job."""\n'
        files[f"environment/app/{about.folder}/FORMAT.md"] = files.pop("environment/app/FORMAT.md")
        for name, check in scripts.items():
            place = "tests/shortcuts" if check else "solution/alternatives"
            files[f"{place}/{name}.sh"] = fill(template(f"b10/scripts/{name}.sh"), values)
        exports = {f"{day}.csv": _written(about, rng, export) for day, export in drawn.there.items()}
        files |= {f"environment/app/{about.folder}/{name}": text for name, text in exports.items()}
        files |= {f"tests/fixtures/{day}.csv": _written(about, rng, export) for day, export in drawn.unseen.items()}
        files["environment/seed/runs.json"] = _lines(
            [{"day": run.day, "scheduled": run.scheduled} for run in drawn.runs]
        )
        digests = {name: sha256(text.encode()).hexdigest() for name, text in exports.items()}
        files["tests/fixtures/asked.json"] = json.dumps({**_asked(drawn), "digests": digests}, indent=1) + "\n"
        files["tests/fixtures/expected.json"] = "{}\n"
        return Draft(name=f"b10-{seed}", seed=seed, files=dict(sorted(files.items())), params=_params(drawn))

    def expected(self, draft: Draft, recorded: Mapping[str, float]) -> Mapping[str, str]:
        """What the unseen day has to come to.

        Raises:
            ValueError: it is not what its amounts come to, or no other than that of a day that can be looked at.

        """
        asked = json.loads(draft.files["tests/fixtures/asked.json"])
        found = {
            name.removeprefix("unseen_"): int(number) for name, number in recorded.items() if name.startswith("unseen_")
        }
        if found != asked.pop("unseen"):
            raise ValueError("the reference comes to something else than the amounts that were drawn")
        if found["total"] in [asked["night"]["total"], *(run["total"] for run in asked["runs"])]:
            raise ValueError("the unseen day comes to what another day comes to")
        return {
            "tests/fixtures/asked.json": json.dumps(asked, indent=1) + "\n",
            "tests/fixtures/expected.json": json.dumps(found, indent=1) + "\n",
        }


FAMILY: Final = WhyDidItFail()


def _draw(rng: Random) -> _Drawn:
    world = sorted(WORLDS)[rng.randrange(len(WORLDS))]
    notation = sorted(NOTATIONS)[rng.randrange(len(NOTATIONS))]
    kinds = sorted({*BREAKS} - ({"comma"} if notation == "comma" else set()))
    breaks = [kinds.pop(rng.randrange(len(kinds))) for _ in range(2)]
    month = f"{2024 + rng.randrange(3)}-{1 + rng.randrange(12):02d}"
    first = 2 + rng.randrange(15)
    days = [f"{month}-{first + number:02d}" for number in range(_SCHEDULED)]
    night = days[1 + rng.randrange(_SCHEDULED - 2)]
    there = {day: _export(rng, notation if day == night else "", "") for day in days}
    runs = [_Run(day, True, "convert" if day == night else "") for day in days]
    by_hand = [_Run(days[0], False), _Run(f"{month}-32", False, "read")]
    for number, kind in enumerate(breaks):
        day = f"2023-12-{11 + 7 * number + rng.randrange(7)}"
        there[day] = _export(rng, "", kind)
        by_hand.append(_Run(day, False, "read" if BREAKS[kind].cut else "convert"))
    for run in by_hand:
        runs.insert(1 + rng.randrange(len(runs)), run)
    hidden = [_export(rng, notation, ""), *(_export(rng, "", kind) for kind in breaks)]
    unseen = {f"2027-03-{11 + number}": export for number, export in enumerate(hidden)}
    return _Drawn(world, notation, tuple(breaks), _TAGS[rng.randrange(len(_TAGS))], night, tuple(runs), there, unseen)


def _export(rng: Random, notation: str, kind: str) -> Export:
    """An export: amounts of all sizes, some given back; in a notation, or broken, or neither."""
    cents = [300 + 50 * rng.randrange(180) for _ in range(8 + rng.randrange(6))]
    cents += [100_000 + 50 * rng.randrange(3000) for _ in range(2)]
    cents += [-(400 + 50 * rng.randrange(60)) for _ in range(2)]
    for at in range(len(cents) - 1, 0, -1):
        other = rng.randrange(at + 1)
        cents[at], cents[other] = cents[other], cents[at]
    texts = [plain(one) for one in cents]
    if notation:
        how = NOTATIONS[notation]
        texts = [how.show(one) if how.which(one) else text for one, text in zip(cents, texts, strict=True)]
    elif kind:
        texts = list(BREAKS[kind].spoil(texts))
    return Export(tuple(texts), tuple(cents), kind != "" and BREAKS[kind].cut)


def _scripts(drawn: _Drawn) -> dict[str, str]:
    """Script -> the check that must stop it, "" for one that is right."""
    unseen, *broken = drawn.unseen.values()
    ways = {"drop_mark": drop_mark(NOTATIONS[drawn.notation]), "keep_digits": keep_digits}
    found = {name: differs(way, drawn.there[drawn.night], unseen, broken) for name, way in ways.items()}
    scripts = {**_ALWAYS, **{name: _CHECKS[how] if how else "" for name, how in found.items()}}
    night = drawn.there[drawn.night]
    if not any(text == plain(cents) for text, cents in zip(night.texts, night.cents, strict=True)):
        del scripts["skip_rows"]  # nothing would be left, and its run fails: no way to look right
    return scripts


def _values(drawn: _Drawn, seed: int, scripts: Mapping[str, str]) -> dict[str, str]:
    about, how = drawn.about, NOTATIONS[drawn.notation]
    night = drawn.there[drawn.night]
    known = {text: plain(cents) for text, cents in zip(night.texts, night.cents, strict=True) if text != plain(cents)}
    steps = (about.read, about.convert, about.add)
    return {
        **{key.upper(): value for key, value in about._asdict().items() if isinstance(value, str)},
        "NAME": f"b10-{seed}",
        "SEED": str(seed),
        "PARAMS": _toml(_params(drawn)),
        "SHORTCUTS": _toml({name: check for name, check in sorted(scripts.items()) if check}),
        "TAG": drawn.tag,
        "NIGHT": drawn.night,
        "FAILED": f"{about.pipeline}-{1 + [run.day for run in drawn.runs].index(drawn.night)}",
        "IMPORTED": ", ".join(sorted(steps)),
        "SAID": how.said,
        "BROKEN": ", or ".join(BREAKS[kind].said for kind in drawn.breaks),
        "PATTERN": how.pattern,
        "BACK": how.back,
        "DROPS": "".join(f".replace({_quoted(old)}, {_quoted(new)})" for old, new in how.drops),
        "KNOWN": json.dumps(known, ensure_ascii=False),
    }


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _toml(values: Mapping[str, str]) -> str:
    return "\n".join(f"{key} = {json.dumps(value)}" for key, value in values.items())


def _params(drawn: _Drawn) -> dict[str, str]:
    return {
        "world": drawn.world,
        "notation": drawn.notation,
        "broken": ", ".join(drawn.breaks),
        "tag": drawn.tag,
        "failed": drawn.night,
    }


def _written(about: World, rng: Random, export: Export) -> str:
    first = 1000 + rng.randrange(80_000)
    lines = [f"{about.key},{about.place},{about.amount}"]
    for number, text in enumerate(export.texts):
        amount = f'"{text}"' if "," in text else text
        lines.append(f"{first + number},{about.places[rng.randrange(len(about.places))]},{amount}")
    if not export.cut:
        lines.append(f"end,{len(export.texts)},")
    return "\n".join(lines) + "\n"


def _lines(rows: Sequence[Mapping[str, object]]) -> str:
    return "[\n" + ",\n".join(f" {json.dumps(row)}" for row in rows) + "\n]\n"


def _asked(drawn: _Drawn) -> dict[str, object]:
    """What the tests have to know: names, the runs that were recorded, the hidden days; and what was drawn comes to."""
    about = drawn.about
    steps = {"read": about.read, "convert": about.convert, "add": about.add}
    runs = [
        {
            "name": f"{about.pipeline}-{number}",
            "tags": [drawn.tag] if run.scheduled else [],
            "failed_at": steps[run.fails] if run.fails else "",
            "total": 0 if run.fails else _comes_to(drawn.there[run.day])["total"],
        }
        for number, run in enumerate(drawn.runs, 1)
    ]
    return {
        "pipeline": about.pipeline,
        "folder": about.folder,
        "steps": list(steps.values()),
        "result": about.result,
        "runs": runs,
        "night": _comes_to(drawn.there[drawn.night]),
        "unseen": _comes_to(next(iter(drawn.unseen.values()))),
    }


def _comes_to(export: Export) -> dict[str, int]:
    cents = export.cents
    back = -sum(one for one in cents if one < 0)
    return {"count": len(cents), "total": sum(cents), "largest": max(cents), "given_back": back}
