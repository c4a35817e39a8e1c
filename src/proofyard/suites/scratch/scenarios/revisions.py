"""Revisions, conflicts and batches: hard and up."""

from typing import Any

from proofyard.suites.scratch.script import Script

__all__ = [
    "batches",
    "conflicts",
    "create_item",
    "delete_item",
    "hard_example",
    "rolled_back",
    "state_check",
    "update_item",
]


def create_item(name: str, document: dict[str, Any]) -> dict[str, Any]:
    """A batch item that creates a document."""
    return {"op": "create", "args": {"name": name, "document": document}}


def update_item(name: str, document: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A batch item that updates a document."""
    return {"op": "update", "args": {"name": name, "document": document, **more}}


def delete_item(name: str, **more: Any) -> dict[str, Any]:
    """A batch item that deletes a document."""
    return {"op": "delete", "args": {"name": name, **more}}


def state_check(script: Script, names: tuple[str, ...]) -> None:
    """Write a list and a get of each name, one assertion; after a kill in the middle they must agree on one world."""
    script.check(("list", {}), *(("get", {"name": name}) for name in names))


def hard_example(script: Script) -> None:
    """Write the second public example of the hard tier."""
    first, second = script.stage.documents[0], script.stage.documents[-1]
    script.kind = "conflicts"
    script.ask("create", {"name": "plan", "document": first}, id=1)
    script.ask("update", {"name": "plan", "document": second, "if_revision": 1}, id=2)
    script.ask("update", {"name": "plan", "document": first, "if_revision": 1}, id=3)
    rolled_back(script, 4)
    script.kind = "atomicity"
    script.ask("batch", {"operations": [create_item("other", first), delete_item("gone")]}, id=8)
    script.ask("list", id=9)
    script.ask("batch", {"operations": [create_item("other", first), delete_item("plan", if_revision=2)]}, id=10)


def rolled_back(script: Script, number: int) -> None:
    """Write a short transaction that is rolled back; its four requests are numbered from `number`."""
    script.kind = "nesting"
    script.ask("begin", id=number)
    script.ask("create", {"name": "draft", "document": script.stage.documents[0]}, id=number + 1)
    script.ask("rollback", id=number + 2)
    script.ask("get", {"name": "draft"}, id=number + 3)


def conflicts(script: Script) -> None:
    """Write revisions counted over updates, deletions and re-creations, and `if_revision`."""
    first, second = script.stage.documents[0], script.stage.documents[1]
    script.kind = "conflicts"
    script.ask("create", {"name": "a", "document": first, "if_revision": 7})
    script.ask("create", {"name": "b", "document": second})
    script.ask("update", {"name": "a", "document": first})
    script.ask("update", {"name": "a", "document": second, "if_revision": 2})
    for stale in (1, 2, 4, 10**20):
        script.ask("update", {"name": "a", "document": first, "if_revision": stale})
        script.ask("delete", {"name": "a", "if_revision": stale})
    script.ask("get", {"name": "a"})
    script.ask("delete", {"name": "a", "if_revision": 3})
    script.ask("get", {"name": "a"})
    script.ask("list")
    for revision in (1, 3, 4):
        script.ask("update", {"name": "a", "document": first, "if_revision": revision})
        script.ask("delete", {"name": "a", "if_revision": revision})
    script.ask("create", {"name": "a", "document": second})
    script.ask("create", {"name": "a", "document": second})
    script.ask("update", {"name": "a", "document": second, "if_revision": 1})
    script.ask("update", {"name": "a", "document": second, "if_revision": 5})
    script.ask("delete", {"name": "a"})
    script.ask("create", {"name": "a", "document": first})
    script.ask("get", {"name": "a"})
    script.ask("get", {"name": "b"})
    script.ask("list")
    _wrong_revisions(script, first)


def _wrong_revisions(script: Script, document: dict[str, Any]) -> None:
    script.kind = "malformed"
    for wrong in (0, -1, 1.0, "1", None, True, [1]):
        script.ask("update", {"name": "b", "document": document, "if_revision": wrong})
        script.ask("delete", {"name": "b", "if_revision": wrong})
    script.ask("delete", {"name": "missing", "if_revision": 0})
    script.ask("get", {"name": "b"})


def batches(script: Script) -> None:
    """Write batches: later items see earlier ones, the first failing item decides, nothing of a failed one is applied."""
    d = script.stage.documents
    script.kind = "atomicity"
    script.ask("batch", {"operations": [create_item("a", d[0]), create_item("b", d[1]), update_item("a", d[2])]})
    script.ask("batch", {"operations": [update_item("b", d[3], if_revision=1), delete_item("a", if_revision=2)]})
    script.ask("batch", {"operations": [create_item("a", d[0]), delete_item("a"), create_item("a", d[1])]})
    script.ask("batch", {"operations": [delete_item("b"), create_item("b", d[5])]})
    state_check(script, ("a", "b"))
    for failing in _failing_batches(d):
        script.ask("batch", {"operations": failing})
        script.ask("list")
    state_check(script, ("a", "b", "c"))
    script.kind = "malformed"
    wrong: tuple[Any, ...] = (None, {}, "text", [], 5, [delete_item("a")] * 101)
    for operations in wrong:
        script.ask("batch", {"operations": operations})
    script.ask("batch", {})
    script.ask("batch")
    script.kind = "boundary"
    script.ask("batch", {"operations": [delete_item("b", unknown=1)], "unknown": 2})
    script.ask("batch", {"operations": [{**create_item("c", d[0]), "id": 5}]})
    wide = "\u00e9\U0001f600" * 64
    script.ask("batch", {"operations": [create_item(wide, d[0]), update_item(wide, d[1]), delete_item(wide)]})
    many = [create_item(f"many-{number:03d}", d[number % 5]) for number in range(100)]
    script.ask("batch", {"operations": many})
    script.ask("batch", {"operations": [*many[:99], create_item("many-100", d[0])]})
    script.ask("batch", {"operations": [delete_item(f"many-{number:03d}") for number in range(100)]})
    state_check(script, ("a", "b", "c", "many-007"))


def _failing_batches(d: list[dict[str, Any]]) -> list[list[Any]]:
    good = create_item("c", d[0])
    return [
        [good, create_item("a", d[1])],
        [good, update_item("x", d[1])],
        [good, delete_item("x")],
        [good, good],
        [good, delete_item("c"), delete_item("c")],
        [good, update_item("b", d[0], if_revision=1)],
        [delete_item("a"), delete_item("b", if_revision=9), good],
        [update_item("a", d[4]), update_item("a", d[4], if_revision=5)],
        [good, {"op": "get", "args": {"name": "a"}}],
        [good, {"op": "batch", "args": {"operations": [good]}}],
        [good, {"op": "nope", "args": {}}],
        [good, {"args": {"name": "a"}}],
        [good, {"op": 5, "args": {"name": "a"}}],
        [good, {"op": "delete"}],
        [good, {"op": "delete", "args": None}],
        [good, {"op": "delete", "args": ["a"]}],
        [good, {"op": "delete", "args": {}}],
        [good, {"op": "delete", "args": {"name": ""}}],
        [good, update_item("a", d[0], if_revision=0)],
        [good, create_item("e", {"op": "nope", "args": {}})],
        [good, None],
        ["delete"],
        [[]],
        [delete_item("x"), None],
        [delete_item("a"), delete_item("x"), {"op": "delete"}],
    ]
