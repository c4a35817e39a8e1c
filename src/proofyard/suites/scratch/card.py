"""The scratch dataset as a folder for the Hugging Face hub: the files of `build` and a card made from their manifest."""

from pathlib import Path
from typing import Final

from proofyard.formats import Card, Config, card_text
from proofyard.suites.scratch.dataset import COLUMNS, Manifest, build, write_file
from proofyard.suites.scratch.tiers import TIERS

__all__ = ["export"]

DATA: Final = "data"

_COLUMNS: Final = {
    "task_id": "`scratch-<tier>-<number>-<family>`; stays the same over versions",
    "subset": "the tier: easy, intermediate, hard or max",
    "family": "the family of problems, the same in all tiers",
    "category": "one of ten groups of families",
    "title": "the family in words",
    "target_model_parameters": "the size of models for which the tier is meant",
    "language": "the language a submission is written in",
    "entrypoint": "the file of a submission that is started",
    "protocol_version": "version of the way in which submissions are played and judged",
    "prompt": "the specification: all that a model gets, the public examples included",
    "public_tests": "JSON string: the public scenarios",
    "acceptance_tests": "JSON string: all scenarios, with every expected response",
    "num_scenarios": "how many scenarios `acceptance_tests` holds",
    "num_assertions": "how many of their rows are assertions",
    "timeout_seconds": "wall clock of one session",
}

_BODY: Final = """\
# {title}

{tasks} tasks: can a model build a working program from an empty folder? A task is a specification. A submission is a folder
whose `main.py` reads JSON requests from standard input, one a line, and answers each with one line; Python's standard
library only. Each family of problems comes in four tiers: a tool (easy), a document service (intermediate), one with
revisions, batches and nested transactions (hard), and a durable one that is killed at any moment and must keep all it
acknowledged (max).

```python
from datasets import load_dataset

tasks = load_dataset("{repository}", "easy", split="test")  # or intermediate, hard, max; without a name: all
print(tasks[0]["prompt"])
```

| config | tasks | scenarios | assertions |
| --- | ---: | ---: | ---: |
{counts}

Version {version}, made from seed {seed}. Another seed makes a private set with the same specifications and other inputs
(`proofyard build --seed N`): what a model may have learnt of this one does not help it there.

## Columns

| column | meaning |
| --- | --- |
{columns}

`acceptance_tests` is for grading. A model that was trained on it, or that sees it, is not measured by it.

A scenario has `sessions` (starts of the program on one state folder), a session has `rows`: `send` (the request) or `raw`
(a line in Base64), `expect` (the envelopes that are right; several where a kill in the middle leaves it open what had
happened), `kind` (what the assertion is there for) and `kill`. Ids and cursors are placeholders, filled in anew in each play.

## Grading

`proofyard evaluate TASK --solution FOLDER` plays the scenarios in a sandbox. A task is resolved only if every assertion
holds. resolve@1 over several attempts is their mean; a missing submission is a failure, and the rate among submitted ones
is shown beside it.
"""


def export(output: Path, seed: int, repository: str = "proofyard/scratch") -> Manifest:
    """Write data files and card into the folder `output`; return the manifest of the data.

    repository: what the example in the card loads.

    Raises:
        UsageError: the folder cannot be written.
        InfrastructureError: the disk is full.

    """
    manifest = build(output / DATA, seed)
    write_file(output / "README.md", card_text(_card(manifest, repository)).encode())
    return manifest


def _card(manifest: Manifest, repository: str) -> Card:
    files = {tier: f"{DATA}/{tier}.jsonl" for tier in TIERS}
    every = Config(name="default", files=tuple(files.values()), default=True)
    title = "proofyard scratch"
    return Card(
        title=title,
        license="mit",
        rows=manifest.tasks,
        configs=(every, *(Config(name=tier, files=(file,)) for tier, file in files.items())),
        tags=("code", "code-generation", "benchmark", "agents"),
        body=_BODY.format(
            title=title,
            tasks=manifest.tasks,
            repository=repository,
            version=manifest.version,
            seed=manifest.seed,
            counts="\n".join(
                f"| {name.removesuffix('.jsonl')} | {file.tasks} | {file.scenarios:,} | {file.assertions:,} |"
                for name, file in manifest.files.items()
            ),
            columns="\n".join(f"| `{name}` | {_COLUMNS[name]} |" for name in COLUMNS),
        ),
    )
