"""The family's own operations, sent directly: all tiers."""

from collections.abc import Callable, Iterator
from typing import Any

from proofyard.suites.scratch.family import Family, Input
from proofyard.suites.scratch.program.errors import DomainError, InvalidArgsError
from proofyard.suites.scratch.script import Script

__all__ = ["all_inputs", "errors_example", "golden_example", "silence"]


def golden_example(script: Script) -> None:
    """Write the golden case as a public example."""
    script.kind = "golden"
    script.ask(*script.stage.cases.golden, id="g-1")


def errors_example(script: Script) -> None:
    """Write a public example of the first boundary case, wrong arguments, an unknown operation and a broken line."""
    script.kind = "boundary"
    script.ask(*script.stage.cases.boundary[0], id=2)
    script.kind = "malformed"
    script.ask(*script.stage.cases.malformed[0], id=3)
    script.ask("no_such_operation", {}, id="four")
    script.raw(b'{"id": 5, "op": ')


def all_inputs(script: Script) -> None:
    """Write the generated, boundary and malformed inputs; the program must go on after each error."""
    stage = script.stage
    script.kind = "generated"
    for op, args in stage.cases.generated:
        script.ask(op, args)
    script.kind = "boundary"
    for op, args in stage.cases.boundary:
        script.ask(op, args)
    for count, (op, args) in enumerate(stage.cases.malformed):
        script.kind = "malformed"
        script.ask(op, args)
        if count % 4 == 3:
            script.kind = "golden"
            script.ask(*stage.cases.golden)
    script.kind = "malformed"
    for op, args in (*_wrong_where_the_domain_fails(script), *_no_integers(script)):
        script.ask(op, args)
    script.kind = "boundary"
    op, args = stage.cases.golden
    script.ask(op, {"unused": [1, {"a": None}], **args, "zz": "ignored"})
    script.ask(op, dict(reversed(args.items())))


def _wrong_where_the_domain_fails(script: Script) -> Iterator[Input]:
    """For each code of an operation an input that ends in it, with one argument spoilt, each in turn: `invalid_args` comes
    first, whichever it is.
    """
    for doc in script.stage.family.operations:
        failing: dict[str, dict[str, Any]] = {}
        for op, args in script.stage.cases.boundary:
            code = _code(script.stage.family, op, args) if op == doc.name else ""
            if code:
                failing.setdefault(code, args)
        for args in failing.values():
            yield from ((doc.name, {**args, parameter.name: None}) for parameter in doc.parameters)


def _no_integers(script: Script) -> Iterator[Input]:
    """Inputs in which one integer has become a boolean, or a number with a fraction of zero; each place of it once, but
    for those that are ignored.
    """
    seen = set()
    for op, args in script.stage.cases.valid:
        for place, spots in _integers(args):
            if (op, place) not in seen:
                seen.add((op, place))
                spoilt = (_with(args, spots, lambda _: True), _with(args, spots, float))
                yield from ((op, changed) for changed in spoilt if _refused(script.stage.family, op, changed))


def _integers(value: Any, place: str = "", spots: tuple[Any, ...] = ()) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Each integer in a value: its place, in which items of a list, and keys of free choice, count as one; and its path."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield place, spots
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _integers(item, f"{place}[]", (*spots, index))
    if isinstance(value, dict):
        free = spots and all(isinstance(item, int) for item in value.values())
        for key, item in value.items():
            yield from _integers(item, f"{place}.{'*' if free else key}", (*spots, key))


def _with(value: Any, spots: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    """A copy of the value in which what lies at a path is changed."""
    if not spots:
        return change(value)
    copy = list(value) if isinstance(value, list) else dict(value)
    copy[spots[0]] = _with(value[spots[0]], spots[1:], change)
    return copy


def _refused(family: Family, op: str, args: dict[str, Any]) -> bool:
    try:
        family.program.OPERATIONS[op].check(args)
    except InvalidArgsError:
        return True
    return False


def _code(family: Family, op: str, args: dict[str, Any]) -> str:
    """The code in which an operation ends, "" if it has a result."""
    try:
        family.program.OPERATIONS[op].run(args)
    except DomainError as error:
        return error.code
    return ""


def silence(script: Script) -> None:
    """Write a session without any request: no output, exit code 0."""
    script.restart()
