"""Rows of the function benchmarks' datasets: BigCodeBench in both public forms, HumanEval, HumanEval+, MBPP and MBPP+."""

import ast
import json
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from proofyard.core import Record, UsageError
from proofyard.formats.lines import Line, complaint, read_lines, read_object

__all__ = ["BigCodeRow", "EvalRow", "big_code_rows", "eval_rows", "read_big_code", "read_domains", "read_evals"]


class BigCodeRow(Record, frozen=True, kw_only=True):
    """A row of BigCodeBench. `doc`: the structured docstring as JSON text, "" if the form has none."""

    task_id: str
    complete_prompt: str
    instruct_prompt: str
    code_prompt: str
    canonical_solution: str
    test: str
    entry_point: str
    libs: tuple[str, ...] = ()
    doc: str = ""


class EvalRow(Record, frozen=True, kw_only=True):
    """A row of HumanEval(+) or MBPP(+). What a form does not have is empty.

    test: code that defines `check(candidate)`. assertions: statements that call the function by its name; imports: code to
    run before them. base_input, plus_input: lists of arguments as JSON has them (`None`: the form has no inputs). contract:
    statements that say which inputs are valid. atol: absolute tolerance of floats, 0 is exact.
    """

    task_id: str
    prompt: str
    entry_point: str
    canonical_solution: str
    test: str = ""
    assertions: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    base_input: tuple[Any, ...] | None = None
    plus_input: tuple[Any, ...] | None = None
    contract: str = ""
    atol: float = 0.0


class _Hub(msgspec.Struct):
    """BigCodeBench as on the Hugging Face hub."""

    task_id: str
    complete_prompt: str
    instruct_prompt: str
    code_prompt: str
    canonical_solution: str
    test: str
    entry_point: str
    libs: str | tuple[str, ...]
    doc_struct: str = ""


class _Release(msgspec.Struct):
    """BigCodeBench as in its first releases."""

    task_id: str
    prompt: str
    prompt_wo_doc: str
    instruction: str
    test: str
    clean_canonical_solution: str = ""
    canonical_solution: str = ""
    entry_point: str = "task_func"
    libs: str | tuple[str, ...] = ()
    doc: dict[str, Any] = msgspec.field(default_factory=dict)


class _HumanEval(msgspec.Struct):
    """HumanEval, and HumanEval+ and MBPP+ with their inputs."""

    task_id: str
    prompt: str
    entry_point: str
    canonical_solution: str
    test: str = ""
    assertion: str = ""
    base_input: list[Any] | dict[str, Any] | None = None
    plus_input: list[Any] | dict[str, Any] | None = None
    contract: str = ""
    atol: float = 0.0


class _Mbpp(msgspec.Struct):
    """MBPP: sanitized (`prompt`, `test_imports`) and full (`text`, `test_setup_code`, `challenge_test_list`)."""

    task_id: int
    code: str
    test_list: tuple[str, ...]
    prompt: str = ""
    text: str = ""
    test_imports: tuple[str, ...] = ()
    test_setup_code: str = ""
    challenge_test_list: tuple[str, ...] = ()


_Form = TypeVar("_Form", bound=msgspec.Struct)
_Row = TypeVar("_Row", BigCodeRow, EvalRow)


def read_big_code(path: Path) -> tuple[BigCodeRow, ...]:
    """Read BigCodeBench from a file, in either form.

    Raises:
        UsageError: it cannot be read, a row is none of BigCodeBench, an id comes twice, or it is empty.

    """
    return big_code_rows(read_lines(path), str(path))


def big_code_rows(lines: Iterable[Line], where: str) -> tuple[BigCodeRow, ...]:
    """Make rows of lines already read. Raises UsageError as `read_big_code`; `where` names the whole."""
    return _distinct(lines, _big_code, where)


def read_evals(path: Path) -> tuple[EvalRow, ...]:
    """Read HumanEval, HumanEval+, MBPP or MBPP+ from a file; the form is told by each row's fields.

    Raises:
        UsageError: it cannot be read, a row is of none of these forms, an id comes twice, or it is empty.

    """
    return eval_rows(read_lines(path), str(path))


def eval_rows(lines: Iterable[Line], where: str) -> tuple[EvalRow, ...]:
    """Make rows of lines already read. Raises UsageError as `read_evals`; `where` names the whole."""
    return _distinct(lines, _eval, where)


def read_domains(path: Path) -> dict[str, tuple[str, ...]]:
    """Read task2domain.json: task id -> the domains of its libraries, one entry a library. Raises UsageError."""
    line = read_object(path)
    try:
        return msgspec.convert(line.fields, dict[str, tuple[str, ...]])
    except msgspec.ValidationError as error:
        raise complaint(line, error) from None


def _distinct(lines: Iterable[Line], make: Callable[[Line], _Row], where: str) -> tuple[_Row, ...]:
    rows: dict[str, _Row] = {}
    for line in lines:
        row = make(line)
        if row.task_id in rows:
            raise UsageError(f"{line.where}: task_id {row.task_id!r} comes twice")
        rows[row.task_id] = row
    if not rows:
        raise UsageError(f"{where}: there is no row in it")
    return tuple(rows.values())


def _as(line: Line, form: type[_Form]) -> _Form:
    try:
        return msgspec.convert(line.fields, form)
    except msgspec.ValidationError as error:
        raise complaint(line, error) from None


def _big_code(line: Line) -> BigCodeRow:
    if "prompt_wo_doc" not in line.fields:
        hub = _as(line, _Hub)
        return BigCodeRow(
            task_id=_id(line, hub.task_id),
            complete_prompt=hub.complete_prompt,
            instruct_prompt=hub.instruct_prompt,
            code_prompt=hub.code_prompt,
            canonical_solution=hub.canonical_solution,
            test=hub.test,
            entry_point=hub.entry_point,
            libs=_libs(line, hub.libs),
            doc=hub.doc_struct,
        )
    release = _as(line, _Release)
    solution = release.clean_canonical_solution or release.canonical_solution
    if not solution:
        raise UsageError(f"{line.where}: there is no field `canonical_solution` nor `clean_canonical_solution`")
    return BigCodeRow(
        task_id=_id(line, release.task_id),
        complete_prompt=release.prompt,
        instruct_prompt=release.instruction,
        code_prompt=release.prompt_wo_doc,
        canonical_solution=solution,
        test=release.test,
        entry_point=release.entry_point,
        libs=_libs(line, release.libs),
        doc=json.dumps(release.doc) if release.doc else "",
    )


def _libs(line: Line, libs: str | tuple[str, ...]) -> tuple[str, ...]:
    """The libraries of a row; the hub's form writes the list as a Python literal in a string."""
    if not isinstance(libs, str):
        return libs
    try:
        return msgspec.convert(ast.literal_eval(libs), tuple[str, ...])
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise UsageError(f"{line.where}: field `libs` is no list of names: {libs[:60]!r}") from None


def _eval(line: Line) -> EvalRow:
    if "test_list" in line.fields:
        return _mbpp(line, _as(line, _Mbpp))
    row = _as(line, _HumanEval)
    if not row.test and not row.assertion and row.base_input is None:
        raise UsageError(f"{line.where}: there is no field `test`, `assertion` nor `base_input`: nothing to grade by")
    if (row.base_input is None) != (row.plus_input is None):
        raise UsageError(f"{line.where}: fields `base_input` and `plus_input` come together or not at all")
    return EvalRow(
        task_id=_id(line, row.task_id),
        prompt=row.prompt,
        entry_point=row.entry_point,
        canonical_solution=row.canonical_solution,
        test=row.test,
        assertions=tuple(text for text in row.assertion.split("\n") if text.strip()),
        base_input=_inputs(line, "base_input", row.base_input),
        plus_input=_inputs(line, "plus_input", row.plus_input),
        contract=row.contract,
        atol=row.atol,
    )


def _inputs(line: Line, name: str, value: list[Any] | dict[str, Any] | None) -> tuple[Any, ...] | None:
    """Lists of arguments. MBPP+ writes "none at all" as an empty object once."""
    if value is None:
        return None
    if (isinstance(value, dict) and value) or not all(isinstance(arguments, list) for arguments in value):
        raise UsageError(f"{line.where}: field `{name}` is no list of argument lists")
    return tuple(value)


def _mbpp(line: Line, row: _Mbpp) -> EvalRow:
    prompt = row.prompt or row.text
    if not prompt:
        raise UsageError(f"{line.where}: there is no field `prompt` (sanitized form) nor `text` (full form)")
    if not row.test_list:
        raise UsageError(f"{line.where}: field `test_list` is empty: nothing to grade by")
    assertions = (*row.test_list, *row.challenge_test_list)
    setup = (row.test_setup_code,) if row.test_setup_code else ()
    return EvalRow(
        task_id=f"Mbpp/{row.task_id}",
        prompt=prompt,
        entry_point=_tested(line, row.code, assertions),
        canonical_solution=row.code,
        assertions=assertions,
        imports=(*row.test_imports, *setup),
    )


def _tested(line: Line, code: str, assertions: Sequence[str]) -> str:
    """The function that the assertions call; MBPP does not name it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes in the rows' strings: not for our users to mend
            code_tree, assertion_tree = ast.parse(code), ast.parse("\n".join(assertions))
        defined = {node.name for node in ast.walk(code_tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        called = [
            node.func.id
            for node in ast.walk(assertion_tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise UsageError(f"{line.where}: fields `code` and `test_list` must be Python: {error}") from None
    found = next((name for name in called if name in defined), None)
    if found is None:
        raise UsageError(f"{line.where}: no assertion of `test_list` calls a function of `code`")
    return found


def _id(line: Line, task_id: str) -> str:
    """A task id, checked: it becomes part of folder names."""
    if not task_id or any(part in {"", ".", ".."} for part in task_id.split("/")) or not task_id.isprintable():
        raise UsageError(f"{line.where}: field `task_id` is no id: {task_id!r}")
    return task_id
