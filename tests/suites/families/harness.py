"""What the family tests share: playing one input, and the inputs a family brings along."""

import json
import marshal
from random import Random
from typing import Any

from proofyard.suites.scratch.family import Family, Input
from proofyard.suites.scratch.program.errors import DomainError, InvalidArgsError

SEED = 1729


def play(family: Family, op: str, args: dict[str, Any]) -> Any:
    """The result of a valid input, or the code of its domain error as `{"code": ..., extra fields}`."""
    operation = family.program.OPERATIONS[op]
    operation.check(args)
    before = marshal.loads(marshal.dumps(args))
    try:
        result = operation.run(args)
    except DomainError as error:
        assert error.message
        result = {"code": error.code, **error.extra}
    assert args == before, "an operation changed its arguments"
    assert json.loads(json.dumps(result)) == result
    return result


def refused(family: Family, op: str, args: dict[str, Any]) -> bool:
    """Whether the arguments are refused before any work."""
    try:
        family.program.OPERATIONS[op].check(args)
    except InvalidArgsError:
        return True
    return False


def generated(family: Family, count: int, seed: int = SEED) -> list[Input]:
    """The first `count` generated inputs of a seed."""
    rng = Random(seed)
    return [family.generate(rng) for _ in range(count)]


def valid_inputs(family: Family, count: int, seed: int = SEED) -> list[Input]:
    """Generated, boundary and golden inputs."""
    golden = (family.golden.op, dict(family.golden.args))
    return [golden, *family.boundary, *generated(family, count, seed)]


def of(family: Family, op: str, count: int, seed: int = SEED) -> list[dict[str, Any]]:
    """The arguments of those valid inputs that call `op`."""
    return [args for name, args in valid_inputs(family, count, seed) if name == op]


def codes(family: Family, op: str) -> set[str]:
    """The domain codes the contract gives an operation."""
    return {error.code for doc in family.operations if doc.name == op for error in doc.errors}
