"""Named documents: intermediate and up. With revisions the same requests have richer results."""

from typing import Any

from proofyard.suites.scratch.script import Script

__all__ = ["documents_example", "life_cycle", "names", "wrong_arguments"]

NAMES: tuple[str, ...] = (
    "alpha",
    "Alpha",
    "alpha beta",
    "alphabet",
    "beta",
    "9",
    "10",
    "a/b",
    "..",
    " ",
    "a*",
    'say "hi"',
    "tab\tand\nline",
    "\u00e9t\u00e9",
    "e\u0301te",
    "\uff5e",
    "\U0001f600",
    "\u2028",
    "z" * 128,
    "\U0001f600" * 128,
    "\u00e9" * 128,
    "\u00e9\U0001f600" * 64,
)
"""Names that are all different, in an order that is not theirs."""

PREFIXES: tuple[str, ...] = (
    "",
    "a",
    "al",
    "alpha",
    "alpha ",
    "A",
    "a*",
    ".",
    "\u00e9",
    "e",
    "\U0001f600",
    "\U0001f600" * 128,
    "\u00e9" * 128,
    "1",
    "zz",
    "none",
)


def documents_example(script: Script) -> None:
    """Write the second public example of the intermediate tier."""
    first, second = script.stage.documents[0], script.stage.documents[-1]
    script.ask("create", {"name": "plan", "document": first}, id=1)
    script.kind = "golden"
    script.ask("evaluate", {"name": "plan"}, id=2)
    script.kind = "conflicts"
    script.ask("create", {"name": "plan", "document": second}, id=3)
    script.ask("update", {"name": "plan", "document": second}, id=4)
    script.ask("get", {"name": "plan"}, id=5)
    script.ask("list", {"prefix": "pl"}, id=6)
    script.ask("delete", {"name": "plan"}, id=7)
    script.ask("get", {"name": "plan"}, id=8)


def life_cycle(script: Script) -> None:
    """Write documents made, read, evaluated, replaced and removed; then a new process, which remembers only if durable."""
    for number, document in enumerate(script.stage.documents):
        name = f"doc-{number:02d}"
        script.kind = "generated"
        script.ask("create", {"name": name, "document": document})
        script.ask("evaluate", {"name": name})
        if number % 5 == 4:
            script.ask("get", {"name": name})
    script.kind = "conflicts"
    for number, document in enumerate(reversed(script.stage.documents[:6])):
        name = f"doc-{number:02d}"
        script.ask("create", {"name": name, "document": document})
        script.ask("update", {"name": name, "document": document})
        script.ask("get", {"name": name})
        script.ask("evaluate", {"name": name})
    script.ask("list", {"prefix": "doc-0"})
    for number in (1, 3, 5):
        script.ask("delete", {"name": f"doc-{number:02d}"})
    for op in ("get", "evaluate", "delete"):
        script.ask(op, {"name": "doc-01"})
        script.ask(op, {"name": "never"})
    script.ask("update", {"name": "doc-03", "document": script.stage.documents[0]})
    script.ask("create", {"name": "doc-05", "document": script.stage.documents[1]})
    script.ask("get", {"name": "doc-05"})
    script.ask("list", {"prefix": "doc-0"})
    script.restart_hard()
    script.kind = "restart"
    script.ask("list", {"prefix": "doc-0"})
    script.ask("get", {"name": "doc-05"})
    script.ask("create", {"name": "doc-02", "document": script.stage.documents[2]})
    script.ask("list", {})


def names(script: Script) -> None:
    """Write names of all sorts, their order, and prefixes."""
    script.kind = "boundary"
    script.ask("list", {})
    for number, name in enumerate(NAMES):
        script.ask("create", {"name": name, "document": script.stage.documents[number % 3]})
    script.ask("list")
    for prefix in PREFIXES:
        script.ask("list", {"prefix": prefix})
    script.ask("list", {"prefix": "z" * 128})
    for name in ("alpha", "Alpha", "\u00e9t\u00e9", "e\u0301te", "\U0001f600" * 128):
        script.ask("get", {"name": name})
    wide = "\u00e9\U0001f600" * 64
    script.ask("update", {"name": wide, "document": script.stage.documents[1]})
    script.ask("evaluate", {"name": wide})
    script.ask("delete", {"name": wide})
    for name in ("ALPHA", "alph", " alpha", "e\u0301t\u00e9", "\U0001f600" * 127):
        script.ask("get", {"name": name})
    script.ask("delete", {"name": "\U0001f600"})
    script.ask("list", {"prefix": "\U0001f600"})


def wrong_arguments(script: Script) -> None:
    """Write arguments missing, wrongly typed or out of range, and that they are reported before anything else."""
    golden = script.stage.documents[0]
    script.ask("create", {"name": "kept", "document": golden})
    script.kind = "malformed"
    for name in (None, 5, True, "", "n" * 129, ["kept"], "\u00e9" * 129, "e\u0301" * 65, "\U0001f600" * 129):
        script.ask("create", {"name": name, "document": golden})
        script.ask("get", {"name": name})
    for op in ("create", "get", "update", "delete", "evaluate"):
        script.ask(op, {"document": golden})
        script.ask(op)
    for prefix in (None, 1, ["a"], "p" * 129, "\U0001f600" * 129):
        script.ask("list", {"prefix": prefix})
    for document in _wrong_documents(golden):
        script.ask("create", {"name": "fresh", "document": document})
    for op, args in script.stage.cases.malformed[:6]:
        script.ask("update", {"name": "kept", "document": {"op": op, "args": args}})
        script.ask("create", {"name": "fresh", "document": {"op": op, "args": args}})
    _order(script, golden)
    script.kind = "boundary"
    padded = {"op": golden["op"], "args": {**golden["args"], "unused": [1, {"y": None}]}, "note": "dropped"}
    script.ask("create", {"name": "padded", "document": padded, "unknown": 1})
    script.ask("get", {"name": "padded", "document": "ignored"})
    script.ask("evaluate", {"name": "padded", "args": 5})
    script.ask("list", {"name": 5, "prefix": "p"})
    script.ask("list", {})


def _wrong_documents(golden: dict[str, Any]) -> list[Any]:
    op, args = golden["op"], golden["args"]
    return [
        None,
        "text",
        [op, args],
        {},
        {"op": op},
        {"args": args},
        {"op": None, "args": args},
        {"op": 5, "args": args},
        {"op": "nope", "args": args},
        {"op": "create", "args": {"name": "a"}},
        {"op": op.upper(), "args": args},
        {"op": op, "args": None},
        {"op": op, "args": [args]},
        {"op": op, "args": {}},
    ]


def _order(script: Script, golden: dict[str, Any]) -> None:
    """Wrong arguments come before a missing or an existing document."""
    script.ask("create", {"name": "kept", "document": {"op": "nope", "args": {}}})
    script.ask("update", {"name": "missing", "document": {"op": golden["op"], "args": 5}})
    script.ask("update", {"name": "missing"})
    script.kind = "conflicts"
    script.ask("update", {"name": "missing", "document": golden})
    script.ask("get", {"name": "kept"})
