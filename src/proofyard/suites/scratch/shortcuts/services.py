"""Faults in keeping documents, revisions, batches and transactions: intermediate and up."""

from typing import Final

from proofyard.core import Reason
from proofyard.suites.scratch.shortcuts.shortcut import REVISIONS, SERVICES, Change, Shortcut

__all__ = ["SERVICE_FAULTS"]

_LISTED: Final = (
    "sorted(name for name in self.store.tables[HISTORIES] if name.startswith(prefix) and self._exists(name))"
)
_EXISTS: Final = """\
            raise DomainError("exists", f"there is already a document {args['name']!r}")
"""
_PUT: Final = '        self.documents[args["name"]] = document_of(args)\n'
_APPEND: Final = '        entries = [*self._history(name), {"action": action, "document": document}]\n'
_KEEP: Final = "        self.store.tables[HISTORIES][name] = entries\n"
_UPDATE: Final = '        self._expected(args)\n        return self._append(args["name"], "update"'
_READ: Final = '        entries = self._live(args["name"])\n        return {"name"'
_UNDONE: Final = "                self.store.rollback()\n                code"
_RESULTS: Final = "        results = []\n"

_CHECKED: Final = """\
        results = []
        for index, item in enumerate(args["operations"]):
            good = isinstance(item, dict) and item.get("op") in list(self._changes)
            try:
                if not good or not isinstance(item.get("args"), dict):
                    raise InvalidArgsError("no item")
                self._changes[item["op"]].check(item["args"])
            except InvalidArgsError:
                raise DomainError("batch_failed", "an item", index=index, item_code="invalid_args") from None
"""

_BEFORE: Final = """\
        now, self.store.tables = self.store.tables, [*self.store.snapshots, self.store.tables][0]
        try:
            entries = self._live(args["name"])
        finally:
            self.store.tables = now
        return {"name\""""

_COUNTED: Final = """\
        self.store.tables[HISTORIES][name] = entries
        counts = self.__dict__.setdefault("counts", {})
        counts[name] = max(counts.get(name, 0), len(self._history(name)) - 1) + 1
        if counts[name] != len(entries):
            return {"name": name, "revision": counts[name]}
"""


def _measured(name: str, length: str) -> Shortcut:
    """Names of documents whose length is counted otherwise."""
    text = (
        "def NAME(value: object, where: str) -> object:\n"
        f"    if isinstance(value, str) and {length} > 128:\n"
        '        raise InvalidArgsError(f"{where} is too long")\n'
        "    return string(1, 128)(value, where)\n"
    )
    return Shortcut(
        name=name,
        tiers=SERVICES,
        reason=Reason.WRONG_RESULT,
        changes=(
            ("document", "NAME = string(1, 128)\n", text),
            ("document", "from .operation import", "from .errors import InvalidArgsError\nfrom .operation import"),
        ),
    )


def _both(
    name: str, reason: Reason, plain: tuple[Change, ...], revised: tuple[Change, ...]
) -> tuple[Shortcut, Shortcut]:
    """One fault in both services: without revisions, and with them."""
    return (
        Shortcut(name=name, tiers=("intermediate",), reason=reason, changes=plain),
        Shortcut(name=name, tiers=REVISIONS, reason=reason, changes=revised),
    )


def _listed(name: str, plain: str, revised: str) -> tuple[Shortcut, Shortcut]:
    """A list in another order, or with other names in it."""
    old = "sorted(self.documents) if name.startswith(prefix)"
    return _both(
        name,
        Reason.WRONG_RESULT,
        (("documents", old, plain),),
        (("revisions", _LISTED, revised),),
    )


def _sorted_by(name: str, key: str) -> tuple[Shortcut, Shortcut]:
    names = _LISTED.removeprefix("sorted(").removesuffix(")")
    return _listed(
        name,
        f"sorted(self.documents, key=lambda name: {key}) if name.startswith(prefix)",
        f"sorted(({names}), key=lambda name: {key})",
    )


def _revised(name: str, reason: Reason, *changes: Change) -> Shortcut:
    return Shortcut(name=name, tiers=REVISIONS, reason=reason, changes=changes)


SERVICE_FAULTS: Final = (
    *_both(
        "list-in-order-of-creation",
        Reason.WRONG_RESULT,
        (("documents", "sorted(self.documents) if", "self.documents if"),),
        (
            ("revisions", _LISTED, "list" + _LISTED.removeprefix("sorted")),
            (
                "revisions",
                _KEEP,
                '        if action == "create":\n            self.store.tables[HISTORIES].pop(name, None)\n' + _KEEP,
            ),
        ),
    ),
    *_sorted_by("list-in-order-of-utf16", 'name.encode("utf-16-be")'),
    *_sorted_by("list-without-regard-to-case", "name.casefold()"),
    *_listed("prefix-ignored", "sorted(self.documents)", _LISTED.replace("name.startswith(prefix) and ", "")),
    *_both(
        "create-overwrites",
        Reason.ERROR_HANDLING,
        (("documents", '        if args["name"] in self.documents:\n' + _EXISTS, ""),),
        (("revisions", '        if self._exists(args["name"]):\n' + _EXISTS, ""),),
    ),
    *_both(
        "update-creates",
        Reason.ERROR_HANDLING,
        (
            (
                "documents",
                '        self._find(args["name"])\n        return self._put(args)',
                "        return self._put(args)",
            ),
        ),
        (("revisions", _UPDATE, '        if self._exists(args["name"]):\n    ' + _UPDATE),),
    ),
    *_both(
        "evaluated-when-written",
        Reason.WRONG_RESULT,
        (
            (
                "documents",
                _PUT,
                '        self._family[args["document"]["op"]].run(args["document"]["args"])\n' + _PUT,
            ),
        ),
        (
            (
                "revisions",
                _APPEND,
                '        if document is not None:\n            self._family[document["op"]].run(document["args"])\n'
                + _APPEND,
            ),
        ),
    ),
    *_both(
        "documents-trimmed",
        Reason.WRONG_RESULT,
        (
            (
                "documents",
                _PUT,
                '        document = document_of(args)\n        known = self._family[document["op"]].parameters\n'
                '        document["args"] = {key: item for key, item in document["args"].items() if key in known}\n'
                '        self.documents[args["name"]] = document\n',
            ),
        ),
        (
            (
                "revisions",
                _APPEND,
                '        if document is not None:\n            known = self._family[document["op"]].parameters\n'
                '            kept = {key: item for key, item in document["args"].items() if key in known}\n'
                '            document = {"op": document["op"], "args": kept}\n' + _APPEND,
            ),
        ),
    ),
    Shortcut(
        name="names-normalised",
        tiers=SERVICES,
        reason=Reason.WRONG_RESULT,
        changes=(
            ("envelope", "import json\n", "import json\nimport unicodedata\n"),
            (
                "envelope",
                "        name, args = _read_request(request)\n",
                "        name, args = _read_request(request)\n"
                '        if isinstance(args.get("name"), str):\n'
                '            args = {**args, "name": unicodedata.normalize("NFC", args["name"])}\n',
            ),
        ),
    ),
    _measured("names-in-bytes", "len(value.encode())"),
    _measured("names-in-utf16", 'len(value.encode("utf-16-le")) // 2'),
    _revised(
        "batch-not-atomic",
        Reason.NOT_ATOMIC,
        ("revisions", _UNDONE, _UNDONE.replace("rollback", "commit")),
    ),
    _revised(
        "batch-undoes-transaction",
        Reason.NOT_ATOMIC,
        (
            "revisions",
            _UNDONE,
            "                self.store.rollback()\n                if self.store.depth:\n"
            "                    outer = self.store.snapshots[-1]\n"
            "                    self.store.tables = {name: dict(table) for name, table in outer.items()}\n"
            "                code",
        ),
    ),
    _revised("batch-checked-first", Reason.ERROR_HANDLING, ("revisions", _RESULTS, _CHECKED)),
    _revised(
        "rollback-keeps-writes",
        Reason.NOT_ATOMIC,
        (
            "revisions",
            'self.store.rollback()\n        return {"depth"',
            'self.store.commit()\n        return {"depth"',
        ),
    ),
    _revised(
        "inner-commit-is-final",
        Reason.NOT_ATOMIC,
        (
            "store",
            'to the one around it."""\n        self._close()\n',
            'to the one around it."""\n        self._close()\n'
            "        now = self.tables\n"
            "        self.snapshots = [{name: dict(now[name]) for name in now} for _ in self.snapshots]\n",
        ),
    ),
    _revised("reads-before-transaction", Reason.NOT_ATOMIC, ("revisions", _READ, _BEFORE)),
    _revised("revisions-not-given-back", Reason.NOT_ATOMIC, ("revisions", _KEEP, _COUNTED)),
    _revised(
        "history-lost-on-delete",
        Reason.WRONG_RESULT,
        (
            "revisions",
            _KEEP,
            '        if action == "delete":\n            self.store.tables[HISTORIES].pop(name)\n        else:\n    '
            + _KEEP,
        ),
    ),
    _revised(
        "if-revision-ignored",
        Reason.ERROR_HANDLING,
        ("revisions", 'if args.get("if_revision", revision) != revision:', "if False:"),
    ),
    _revised("conflict-without-revision", Reason.ERROR_HANDLING, ("revisions", ", revision=revision)", ")")),
    _revised(
        "conflict-before-not-found",
        Reason.ERROR_HANDLING,
        (
            "revisions",
            '        revision = len(self._live(args["name"]))\n',
            '        revision = len(self._history(args["name"]))\n'
            '        if args.get("if_revision", revision) == revision:\n            self._live(args["name"])\n',
        ),
    ),
)
"""What a service may get wrong; those without a state folder as well."""
