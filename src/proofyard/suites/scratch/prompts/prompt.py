"""Rendering of `PROMPT.md`."""

from proofyard.core import Example, Limits
from proofyard.suites.scratch.family import ErrorDoc, Family, OperationDoc
from proofyard.suites.scratch.prompts import wording
from proofyard.suites.scratch.prompts.service import service_operations
from proofyard.suites.scratch.tiers import PROJECT_DIR, STATE_DIR, Tier

__all__ = ["MAX_FILES", "MAX_SIZE", "PYTHON", "render"]

PYTHON = "3.11"
MAX_FILES = 1000
MAX_SIZE = 8 << 20
_MIB = 1 << 20

_KINDS = {
    "easy": "a tool that answers JSON requests",
    "intermediate": "a service that answers JSON requests and keeps documents in memory",
    "hard": "a service that answers JSON requests and keeps documents with revisions, batches and transactions",
    "max": "a durable service that answers JSON requests and loses nothing it has acknowledged, however it is stopped",
}


def render(tier: Tier, family: Family, limits: Limits, examples: tuple[Example, ...]) -> str:
    """The whole specification of a task, in Markdown."""
    service = service_operations(tier.level) if tier.level else ()
    parts = [
        f"# {family.title}\n\n{family.purpose}\n\nWrite {_KINDS[tier.name]}. This page is the whole specification; hidden "
        "tests check all of it, and the task counts as solved only if every one of them passes.\n",
        _program(tier, limits),
        wording.PROTOCOL.format(),
        _family(family),
        *_service(tier, family, service),
        _results((*family.operations, *service)),
        _examples(examples),
    ]
    return "\n".join(parts)


def _program(tier: Tier, limits: Limits) -> str:
    arguments = " with no arguments."
    writable = "`/tmp`, which is empty at each start"
    if tier.durable:
        arguments = f", where `DIR` is an absolute path such as `{STATE_DIR}`. There are no other arguments."
        writable = f"`DIR` and `/tmp`, {limits.disk // _MIB} MiB and {limits.inodes} files together"
    return wording.PROGRAM.format(
        command="main.py --state-dir DIR" if tier.durable else "main.py",
        arguments=arguments,
        project=PROJECT_DIR,
        writable=writable,
        python=PYTHON,
        cpu=limits.cpu_ms // 1000,
        wall=limits.wall_ms // 1000,
        memory=limits.memory // _MIB,
        tree_memory=limits.tree_memory // _MIB,
        pids=limits.pids,
        files=limits.files,
        file_size=limits.file_size // _MIB,
        output=limits.output // _MIB,
        line=limits.line // _MIB,
        max_files=MAX_FILES,
        max_size=MAX_SIZE // _MIB,
    )


def _family(family: Family) -> str:
    notes = "".join(f"\n- {note}" for note in family.notes)
    intro = f"\nDefinitions and rules for all of them:\n{notes}\n" if notes else ""
    return f"## Operations\n{intro}\n" + "\n".join(_operation(operation) for operation in family.operations)


def _service(tier: Tier, family: Family, operations: tuple[OperationDoc, ...]) -> list[str]:
    """The sections about documents, as far as the tier has them."""
    if not tier.level:
        return []
    names = ", ".join(f"`{operation.name}`" for operation in family.operations)
    documents = wording.DOCUMENTS.format(family=names) + ("" if tier.durable else wording.MEMORY)
    sections = [documents, "### Operations on documents\n\n" + "\n".join(_operation(o, "####") for o in operations)]
    if tier.level >= 2:
        except_key = "; an `idempotency_key` in it is ignored" if tier.durable else ""
        key = ", or if `idempotency_key` is wrong" if tier.durable else ""
        history = ", `history`" if tier.durable else ""
        sections += [
            wording.REVISIONS.format(),
            wording.BATCHES.format(except_key=except_key, key=key),
            wording.TRANSACTIONS.format(history=history),
        ]
    if tier.durable:
        sections += [wording.DURABILITY, wording.RETRIES, wording.PAGES]
    return sections


def _operation(operation: OperationDoc, level: str = "###") -> str:
    lines = [f"{level} `{operation.name}`", "", operation.summary, ""]
    if operation.parameters:
        lines += ["| argument | type | needed | meaning |", "| --- | --- | --- | --- |"]
        for p in operation.parameters:
            lines.append(f"| `{p.name}` | {p.type} | {'yes' if p.required else 'no'} | {p.text} |")
        lines.append("")
    else:
        lines += ["No arguments.", ""]
    lines += [f"Result: {operation.result.rstrip('.')}.", ""]
    if operation.rules:
        lines += [*(f"- {rule}" for rule in operation.rules), ""]
    if operation.errors:
        lines += [*_errors(operation), ""]
    return "\n".join(lines)


def _errors(operation: OperationDoc) -> list[str]:
    if operation.error_order:
        return [f"Errors: {operation.error_order}.", "", *(f"- {_error(error)}" for error in operation.errors)]
    return ["Errors, in this order:", "", *(f"{n}. {_error(e)}" for n, e in enumerate(operation.errors, 1))]


def _error(error: ErrorDoc) -> str:
    code = error.code if error.code.startswith("*") else f"`{error.code}`"
    fields = "; ".join(f"`{name}` ({meaning})" for name, meaning in error.extra)
    return f"{code}: {error.when}." + (f" `error` also has {fields}." if fields else "")


def _results(operations: tuple[OperationDoc, ...]) -> str:
    rows = [f"| `{operation.name}` | {_shape(operation.result)} |" for operation in operations]
    return "\n".join(["## All results at a glance", "", "| operation | result |", "| --- | --- |", *rows, ""])


def _shape(result: str) -> str:
    """The shape that a result's description begins with; all of it if it begins with none."""
    end = result.find("`", 1)
    return result[: end + 1] if result.startswith("`") and end > 0 else result


def _examples(examples: tuple[Example, ...]) -> str:
    lines = [
        "## Examples",
        "",
        "Two sessions, requests above and responses below; line n of the one belongs to line n of the other. The words of "
        "`message` are only an example.",
    ]
    for number, example in enumerate(examples, 1):
        lines += ["", f"### Example {number}", "", "```", example.input.rstrip("\n"), "```", ""]
        lines += ["```", example.output.rstrip("\n"), "```"]
    return "\n".join(lines) + "\n"
