"""The differential grader: calls one function of a submission many times and compares what it returns with what the
reference returns, outside of both processes (HumanEval+, MBPP+).
"""

import os
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from proofyard.core import (
    Blobs,
    Evidence,
    Given,
    Grade,
    Group,
    Reason,
    Record,
    Sandbox,
    SandboxSpec,
    Step,
    Tree,
    Usage,
    digest_of,
    dumps,
    tree_of,
)
from proofyard.graders import wording
from proofyard.graders.alone import Turnstile
from proofyard.graders.calls_oracle import SPECIAL, agrees
from proofyard.graders.calls_process import Answering, candidate_argv, candidate_spec, limited, loading_failure
from proofyard.graders.calls_truth import NoTruth, TruthCache, truth_key
from proofyard.graders.function_driver import decoded, plain
from proofyard.graders.outcome import Shortfall, graded, invalid
from proofyard.graders.submission import SizeLimits, check

__all__ = ["CallsExpected", "CallsGrader", "CallsParameters"]

_BATCH_CALLS, _BATCH_BYTES, _ANSWER_BYTES = 256, 256 << 10, 4 << 20
_LEAST_VALUE: Final = 16 << 10
"""Characters that a returned value may always have; four times the largest expected one if that is more."""
_NAMED: Final = 100
"""Failed calls named in a grade, at most, in each group."""
_turnstile: Final = Turnstile()

Inputs = tuple[tuple[Any, ...], ...]
Answers = dict[str, list[dict[str, Any]]]


class CallsParameters(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Parameters of the grader.

    task: "HumanEval/32" or "Mbpp/164", by which special cases are known; "" for none. atol: absolute tolerance of floats, 0
    for the rule of `calls_oracle`. floor_ms, factor: the CPU limit is the floor or that many times the reference's CPU time,
    whichever is more, within the grading's own limit.
    """

    entry_point: str
    task: str = ""
    atol: float = 0.0
    file: str = "solution.py"
    floor_ms: int = 10_000
    factor: int = 4
    max_files: int = 100
    max_bytes: int = 1 << 20


class CallsExpected(Record, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The form of `Hidden.expected`.

    reference: the whole program that gives the expected results. groups: name -> argument lists, in the form that
    `function_driver.decoded` reads.
    """

    reference: str
    groups: dict[str, Inputs]


class _Truth(Record, frozen=True, kw_only=True):
    """What the reference returned, call by call and serialised; its CPU time; characters of the longest value and of all.

    foreign: some value is of a type that is only named. left_out: numbers of calls, from 0, by group, whose value takes more
    text or memory than is passed on: nobody is asked for it.
    """

    values: dict[str, tuple[Any, ...]]
    cpu_ms: int
    longest: int
    length: int
    foreign: bool = False
    left_out: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)

    @property
    def most(self) -> int:
        """Characters that a returned value may have."""
        return max(_LEAST_VALUE, 4 * self.longest)

    def asked(self, name: str, calls: Inputs) -> dict[int, tuple[Any, ...]]:
        """The calls of a group that are made, by number from 0."""
        return {number: call for number, call in enumerate(calls) if number not in self.left_out.get(name, ())}


class _Allowed(NamedTuple):
    """CPU and wall in milliseconds, characters of one returned value and of all together, bytes of one process and of all."""

    cpu_ms: int
    wall_ms: int
    value: int
    output: int
    memory: tuple[int, int]


_REFERENCE: Final = _Allowed(300_000, 900_000, 32 << 20, 1 << 30, (2 << 30, 4 << 30))


class _Bench(NamedTuple):
    """What a grading needs at every turn."""

    parameters: CallsParameters
    wanted: CallsExpected
    step: Step
    open_sandbox: Callable[[SandboxSpec], Sandbox]
    blobs: Blobs


class _Run(NamedTuple):
    """What came of one process: answers by group, as many as there were, and the first fault."""

    answers: Answers
    answering: Answering
    usage: Usage
    provenance: dict[str, str]


class CallsGrader:
    """Grades a function by what a reference returns for the same arguments.

    The candidate's process gets arguments and returns values in a form of plain types. It never holds what is expected,
    and no object of it is compared, so a forged answer helps no more than a right one. Every call gets arguments of its
    own: what a candidate does to them changes no other call.
    """

    kind = "calls"
    version = "2"

    def __init__(self, truths: TruthCache | None = None) -> None:
        self._truths = truths or TruthCache()

    def grade(
        self, step: Step, submission: Tree, open_sandbox: Callable[[SandboxSpec], Sandbox], given: Given, blobs: Blobs
    ) -> Grade:
        """Grade one submission.

        Raises:
            InfrastructureError: a sandbox could not be opened, or was lost.

        """
        try:
            parameters = msgspec.json.decode(step.grader.parameters, type=CallsParameters)
            wanted = msgspec.json.decode(step.hidden.expected, type=CallsExpected)
        except msgspec.DecodeError as error:
            return invalid(f"the task's calls cannot be read: {error}")
        if not any(wanted.groups.values()):
            return invalid("the task has no calls")
        bench = _Bench(parameters, wanted, step, open_sandbox, blobs)
        refusal = check(submission, parameters.file, SizeLimits(parameters.max_files, parameters.max_bytes))
        if refusal is not None:
            shortfall = Shortfall(refusal.reason, Evidence(where="submission", note=refusal.note))
            return graded(_groups({n: len(c) for n, c in wanted.groups.items()}, {}), shortfall, Usage(), {})
        try:
            truth = self._truth(bench)
        except NoTruth as error:
            return invalid(f"the reference does not do: {error}")
        found, again = _turnstile.once_more_alone(
            lambda: _grade(bench, submission, truth, given.seed), lambda grade: grade.reason is Reason.TIMEOUT
        )
        told = {**found.provenance, "retried_alone": "1"} if again else found.provenance
        return msgspec.structs.replace(found, provenance=told)

    def _truth(self, bench: _Bench) -> _Truth:
        key = truth_key(
            {
                "form": f"calls {self.version}",
                "reference": bench.wanted.reference,
                "function": bench.parameters.entry_point,
                "calls": dumps(bench.wanted.groups).decode(),
                "image": digest_of(bench.step.grading.image),
            }
        )
        return self._truths.get(key, _Truth, lambda: _measured(bench))


def _measured(bench: _Bench) -> _Truth:
    """Run the reference. Raises NoTruth where it does not return from every call."""
    tree = tree_of({bench.parameters.file: bench.wanted.reference}, bench.blobs)
    run = _run(bench, tree, bench.wanted.groups, _REFERENCE, "")
    if run.answering.shortfall is not None:
        raise NoTruth(run.answering.shortfall.evidence.note)
    values: dict[str, tuple[Any, ...]] = {}
    left_out: dict[str, tuple[int, ...]] = {}
    for name, answers in run.answers.items():
        left_out[name] = tuple(number for number, answer in enumerate(answers) if _too_large(answer))
        kept = {number: answer for number, answer in enumerate(answers) if number not in left_out[name]}
        for number, answer in kept.items():
            if "value" not in answer:
                raise NoTruth(f"call {number + 1} of {name}: {wording.value(answer)}")
        values[name] = tuple(answer["value"] for answer in kept.values())
    if not any(values.values()):
        raise NoTruth("every value is too large")
    sizes = [len(dumps(value)) for group in values.values() for value in group]
    return _Truth(
        values=values,
        cpu_ms=run.usage.cpu_us // 1000,
        longest=max(sizes),
        length=sum(sizes),
        foreign=any(not plain(value) for group in values.values() for value in group),
        left_out={name: numbers for name, numbers in left_out.items() if numbers},
    )


def _too_large(answer: dict[str, Any]) -> bool:
    return "large" in answer or answer.get("raises") == "MemoryError"


def _grade(bench: _Bench, submission: Tree, truth: _Truth, seed: str) -> Grade:
    parameters = bench.parameters
    cpu_ms, wall_ms = limited(bench.step.grading.limits, max(parameters.floor_ms, parameters.factor * truth.cpu_ms))
    asked = {name: truth.asked(name, calls) for name, calls in bench.wanted.groups.items()}
    output = sum(map(len, asked.values())) * _LEAST_VALUE + 4 * truth.length
    limits = bench.step.grading.limits
    memory = limits.memory, limits.tree_memory
    allowed = _Allowed(cpu_ms, wall_ms, truth.most, output, memory)
    run = _run(bench, submission, {name: tuple(calls.values()) for name, calls in asked.items()}, allowed, seed)
    passed: dict[str, int] = {}
    told = {"reference_cpu_ms": str(truth.cpu_ms), "cpu_limit_ms": str(cpu_ms)}
    told |= {f"left_out_{name}": _listed(numbers) for name, numbers in truth.left_out.items()}
    for name, answers in run.answers.items():
        wrong = _wrong(bench, name, truth, answers, run.answering)
        passed[name] = len(answers) - len(wrong)
        if wrong:
            told[f"failed_{name}"] = _listed(wrong)
    totals = {name: len(calls) for name, calls in asked.items()}
    return graded(_groups(totals, passed), run.answering.shortfall, run.usage, {**run.provenance, **told})


def _listed(numbers: Sequence[int]) -> str:
    return " ".join(str(number + 1) for number in numbers[:_NAMED])


def _wrong(bench: _Bench, name: str, truth: _Truth, answers: list[dict[str, Any]], answering: Answering) -> list[int]:
    """Numbers of the calls of a group, from 0, that were answered wrongly; the first goes into the evidence."""
    simple = bench.parameters.task not in SPECIAL and not truth.foreign
    wrong = []
    asked = truth.asked(name, bench.wanted.groups[name])
    for (number, arguments), expected, answer in zip(asked.items(), truth.values[name], answers, strict=False):
        if simple and "value" in answer and answer["value"] == expected:
            continue
        if not _right(bench.parameters, arguments, expected, answer, truth.most):
            wrong.append(number)
            if answering.shortfall is None:  # only the first is put into words: that takes longer than comparing
                answering.fail(
                    Reason.WRONG_RESULT,
                    _note(answer),
                    f"{name}, call {number + 1}",
                    {"args": list(arguments)},
                    expected=wording.value({"value": expected}),
                    got=wording.value(answer),
                )
    return wrong


def _right(
    parameters: CallsParameters, arguments: Sequence[Any], expected: Any, answer: dict[str, Any], most: int
) -> bool:
    if "value" not in answer:
        return False
    try:
        if len(dumps(answer["value"])) > most:  # by a driver that was made to break its word: not to be counted with
            return False
        got = decoded(answer["value"])
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError, RecursionError):
        return False  # not written by the driver
    given = [decoded(item) for item in arguments]
    return agrees(parameters.task, given, decoded(expected), got, parameters.atol)


def _note(answer: dict[str, Any]) -> str:
    if "raises" in answer:
        return f"raised {answer['raises']}"
    return "a value too large" if "large" in answer else "another value"


def _run(bench: _Bench, tree: Tree, groups: dict[str, Inputs], allowed: _Allowed, seed: str) -> _Run:
    """Make these calls to one process."""
    grading, parameters = bench.step.grading, bench.parameters
    limits = msgspec.structs.replace(
        grading.limits,
        cpu_ms=allowed.cpu_ms,
        wall_ms=allowed.wall_ms,
        line=allowed.value + 2 * _ANSWER_BYTES,
        output=allowed.output + (1 << 20),
        memory=allowed.memory[0],
        tree_memory=allowed.memory[1],
    )
    spec = candidate_spec(msgspec.structs.replace(grading, limits=limits), tree, bench.blobs)
    sandbox = bench.open_sandbox(spec)
    try:
        process = sandbox.start(candidate_argv(spec, parameters.file, parameters.entry_point))
        answering = Answering(process, spec, seed or os.urandom(16).hex())
        answers: Answers = {}
        if _loaded(answering, parameters):
            answers = {name: _answers(answering, name, calls, allowed.value) for name, calls in groups.items()}
            answering.end()
        sandbox.kill()
        return _Run(answers, answering, sandbox.usage(), dict(sandbox.provenance))
    finally:
        sandbox.close()


def _loaded(answering: Answering, parameters: CallsParameters) -> bool:
    where = "loading the file"
    loaded = answering.ask({"load": True}, where)
    if loaded is None:
        return False
    unusable = loading_failure(loaded, parameters.file, parameters.entry_point)
    if unusable is not None:
        answering.fail(*unusable, where, got=wording.value(loaded))
    return unusable is None


def _answers(answering: Answering, name: str, calls: Inputs, most: int) -> list[dict[str, Any]]:
    """Make the calls of one group; fewer answers than calls where the process gave out or did not keep to the form."""
    answers: list[dict[str, Any]] = []
    while len(answers) < len(calls):
        batch = _batch(calls, len(answers))
        where = f"{name}, calls {len(answers) + 1} to {len(answers) + len(batch)}"
        reply = answering.ask({"calls": batch, "most": most, "room": _ANSWER_BYTES}, where)
        if reply is None:
            break
        results = reply.get("results")
        if not isinstance(results, list) or not 0 < len(results) <= len(batch) or {*map(type, results)} != {dict}:
            answering.fail(Reason.WRONG_RESULT, "an answer of another form", where)
            break
        answers += results
    return answers


def _batch(calls: Inputs, first: int) -> Inputs:
    """The next calls, so many that a pipe carries their arguments well. The driver makes fewer if what they give is long."""
    size = 0
    for number in range(first, min(len(calls), first + _BATCH_CALLS)):
        size += len(dumps(calls[number]))
        if size > _BATCH_BYTES:
            return calls[first : max(number, first + 1)]
    return calls[first : first + _BATCH_CALLS]


def _groups(totals: dict[str, int], passed: dict[str, int]) -> dict[str, Group]:
    return {name: Group(passed=passed.get(name, 0), total=total) for name, total in totals.items()}
