"""A function benchmark as a `Suite`: tasks of one function each, made from the rows of a dataset on demand."""

import ast
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from proofyard.core import (
    Blobs,
    Brief,
    MemoryBlobs,
    Place,
    Solution,
    Step,
    Task,
    Tree,
    UnknownNameError,
    UsageError,
    tree_of,
)
from proofyard.formats.rows import BigCodeRow, EvalRow, read_domains
from proofyard.formats.samples import SampleFile
from proofyard.suites.functions import grading, programs, subsets
from proofyard.suites.functions.datasets import DATASETS, HUB, Dataset, find
from proofyard.suites.functions.gate import Gate, read_gate
from proofyard.suites.functions.preload import by_frequency

__all__ = ["OPTIONS", "FunctionsSuite", "bigcodebench", "humaneval", "humanevalplus", "mbpp", "mbppplus"]

SPLITS: Final = ("complete", "instruct")
ISOLATIONS: Final = ("fork", "fresh", grading.CONTAINER)

OPTIONS: Final[dict[str, str]] = {
    "data": "the dataset's file, or hub to fetch it",
    "split": "complete or instruct: which prompt (BigCodeBench)",
    "packages": "site-packages of the environment that the tasks' libraries are in (BigCodeBench)",
    "gate": "what check-env wrote of this environment (BigCodeBench)",
    "domains": "task2domain.json (BigCodeBench)",
    "isolation": "fork or fresh: a process a sample forked from a warm one, or a new one; container: a container each",
    "container_image": "the image of these containers; it needs a python3",
    "base_only": "yes: no plus inputs (HumanEval+, MBPP+)",
}
"""What the suites can be told besides a subset."""


class FunctionsSuite:
    """One dataset. `options` (see `OPTIONS`) make the same suite again; `rows` are the dataset's, by task id.

    dataset: the version of the data alone; `version` also says which split is asked.
    """

    def __init__(self, dataset: Dataset, options: Mapping[str, str]) -> None:
        _check(dataset, options)
        found = find(dataset, options)
        self.name = dataset.name
        self.form = dataset.form
        self.split = options.get("split", SPLITS[0])
        self.options = {**options, "data": str(found.path)} if found.path else dict(options)
        self.dataset = found.sha[:12]
        self.version = self.dataset + ("" if self.split == SPLITS[0] else f"-{self.split}")
        self.md5 = found.md5
        self.rows: dict[str, BigCodeRow | EvalRow] = {row.task_id: row for row in found.rows}
        self.gate: Gate | None = None
        if options.get("gate"):
            self.use_gate(Path(options["gate"]))
        self._domains = read_domains(Path(options["domains"])) if options.get("domains") else {}
        self._packages = options.get("packages", "")
        big = [row for row in found.rows if isinstance(row, BigCodeRow)]
        self._preload = by_frequency(big, self._packages)
        self._samples: SampleFile | None = None
        self._blobs = MemoryBlobs()

    def ids(self, subset: str = "") -> Sequence[str]:
        """Task ids in dataset order; see `subsets.chosen` for what a subset may be.

        Raises:
            UnknownNameError, UsageError: there is no such subset.

        """
        return subsets.chosen(subset, list(self.rows), self.name, download=self.options.get("data") == HUB)

    def give(self, samples: SampleFile) -> None:
        """Have the samples be solutions of the tasks, `sample-<k>`. Tasks loaded before do not have them."""
        self._samples = samples

    def use_gate(self, path: Path) -> None:
        """Grade by what a gate file says of the tasks' own solutions. Raises UsageError."""
        self.gate = read_gate(path)
        self.options["gate"] = str(path)

    def load(self, task_id: str) -> Task:
        """The task of that id. Raises UnknownNameError; UsageError for inputs that cannot be read."""
        row = self._row(task_id)
        graded = self._graded(row)
        if self._container:
            graded = grading.in_container(graded, self._container)
        place = self.place(task_id)
        solutions = [Solution(name="reference", kind="reference", tree=self._tree(programs.reference_of(row)))]
        samples = self._samples.of_task.get(task_id, ()) if self._samples else ()
        solutions += [
            Solution(name=f"sample-{sample.k}", kind="sample", tree=self._tree(sample.solution)) for sample in samples
        ]
        step = Step(
            brief=self.brief(task_id),
            grader=graded.grader,
            grading=graded.grading,
            hidden=replace(graded.hidden, solutions=tuple(solutions)),
        )
        return Task(
            id=task_id,
            suite=self.name,
            version=self.version,
            steps=(step,),
            family=place.family,
            category=place.category,
            subset=place.subset,
            tags=self.libraries(task_id),
        )

    def brief(self, task_id: str) -> Brief:
        """What an agent gets of a task. Raises UnknownNameError."""
        return Brief(task=task_id, prompt=programs.prompt_of(self._row(task_id), self.split), entry=programs.ENTRY)

    def place(self, task_id: str) -> Place:
        """Family is the task's first library, category its first domain, "-" where none is known. Raises UnknownNameError."""
        libraries, domains = self.libraries(task_id), self.domains(task_id)
        return Place(subsets.FULL, libraries[0] if libraries else "-", domains[0] if domains else "-")

    def libraries(self, task_id: str) -> tuple[str, ...]:
        """The libraries a task uses, none where the dataset does not say. Raises UnknownNameError."""
        row = self._row(task_id)
        return row.libs if isinstance(row, BigCodeRow) else ()

    def domains(self, task_id: str) -> tuple[str, ...]:
        """The domains of a task's libraries, each once, none without option `domains`. Raises UnknownNameError."""
        self._row(task_id)
        return tuple(dict.fromkeys(self._domains.get(task_id, ())))

    def assertions(self, task_id: str) -> int:
        """Tests of a BigCodeBench task, inputs of a plus task, assertions of others. Raises UnknownNameError."""
        row = self._row(task_id)
        if isinstance(row, EvalRow) and row.base_input is not None:
            return len(row.base_input) + (0 if self._base_only else len(row.plus_input or ()))
        if isinstance(row, EvalRow) and row.assertions:
            return len(row.assertions)
        return _count(row.test, tests=isinstance(row, BigCodeRow))

    def blobs(self) -> Blobs:
        """The contents which the tasks' trees refer to."""
        return self._blobs

    def completed(self) -> dict[str, str]:
        """Task id -> what a sample's `completion` is appended to."""
        return {task_id: programs.completed(row) for task_id, row in self.rows.items()}

    def calibrated(self, samples: SampleFile) -> SampleFile:
        """Samples of BigCodeBench with each task's imports and signature before them; of other datasets as they are."""
        rows = {task_id: row for task_id, row in self.rows.items() if isinstance(row, BigCodeRow)}
        return programs.calibrated(samples, rows) if rows else samples

    @property
    def _base_only(self) -> bool:
        return self.options.get("base_only") == "yes"

    def _row(self, task_id: str) -> BigCodeRow | EvalRow:
        row = self.rows.get(task_id)
        if row is None:
            raise UnknownNameError("task", task_id, self.rows, f"`proofyard list {self.name}` shows all")
        return row

    def _graded(self, row: BigCodeRow | EvalRow) -> grading.Graded:
        if isinstance(row, BigCodeRow):
            return grading.by_unittest(
                row,
                self._blobs,
                preload=self._preload,
                packages=self._packages,
                isolation=self.options.get("isolation", ISOLATIONS[0]),
                truth=self.gate.truth(row.task_id) if self.gate else "",
            )
        if self.form == "calls":
            return grading.by_calls(row, base_only=self._base_only)
        return grading.by_asserts(row, self._blobs)

    @property
    def _container(self) -> str:
        """The image of the container that each sample runs in, "" for none."""
        if self.options.get("isolation") != grading.CONTAINER:
            return ""
        return self.options.get("container_image", grading.CONTAINER_IMAGE)

    def _tree(self, program: str) -> Tree:
        return tree_of({programs.ENTRY: program}, self._blobs)


def bigcodebench(*, options: Mapping[str, str] | None = None) -> FunctionsSuite:
    """BigCodeBench: functions that use libraries, graded by unit tests."""
    return FunctionsSuite(DATASETS["bigcodebench"], options or {})


def humaneval(*, options: Mapping[str, str] | None = None) -> FunctionsSuite:
    """HumanEval: functions graded by assertions."""
    return FunctionsSuite(DATASETS["humaneval"], options or {})


def humanevalplus(*, options: Mapping[str, str] | None = None) -> FunctionsSuite:
    """HumanEval+: the same functions, graded by many more inputs."""
    return FunctionsSuite(DATASETS["humanevalplus"], options or {})


def mbpp(*, options: Mapping[str, str] | None = None) -> FunctionsSuite:
    """MBPP: functions graded by assertions."""
    return FunctionsSuite(DATASETS["mbpp"], options or {})


def mbppplus(*, options: Mapping[str, str] | None = None) -> FunctionsSuite:
    """MBPP+: functions graded by many inputs."""
    return FunctionsSuite(DATASETS["mbppplus"], options or {})


def _check(dataset: Dataset, options: Mapping[str, str]) -> None:
    for name, value in options.items():
        if name not in OPTIONS:
            raise UnknownNameError(f"option of suite {dataset.name}", name, OPTIONS, "known: " + ", ".join(OPTIONS))
        allowed = {"split": SPLITS, "isolation": ISOLATIONS, "base_only": ("yes", "no")}.get(name)
        if allowed and value not in allowed:
            raise UsageError(f"suite {dataset.name}: {name} must be {' or '.join(allowed)}, not {value!r}")


def _count(test: str, *, tests: bool) -> int:
    """How many test methods, or assert statements, a program has; 0 if it cannot be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(test)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return 0
    if not tests:
        return sum(isinstance(node, ast.Assert) for node in ast.walk(tree))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return sum(node.name.startswith("test") for node in functions)
