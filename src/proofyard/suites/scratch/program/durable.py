"""The max tier: what was acknowledged survives a kill; retries by idempotency key, histories, pages."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from .arguments import optional, required, string
from .document import NAME
from .errors import DomainError
from .files import StateFile
from .operation import Operation
from .paging import check_page, page
from .revisions import HISTORIES, REVISION, RevisionService
from .store import Store

__all__ = ["DurableService", "operations", "state_dir"]

KEYS = "keys"
_KEY = string(1, 128)
_MUTATIONS = ("create", "update", "delete", "batch")


def operations(family: Mapping[str, Operation], folder: str) -> dict[str, Operation]:
    """All operations of the tier, on the state kept in `folder`."""
    return {**family, **DurableService(family, StateFile(folder)).operations()}


def state_dir(argv: list[str]) -> str:
    """The folder named by `--state-dir DIR`, the only arguments taken."""
    return dict([argv])["--state-dir"]


class DurableService(RevisionService):
    """Documents with revisions that outlive the process."""

    def __init__(self, family: Mapping[str, Operation], file: StateFile) -> None:
        super().__init__(family, Store(file.load() or {HISTORIES: {}, KEYS: {}}))
        self._file = file

    def operations(self) -> dict[str, Operation]:
        """The operations on documents."""
        table = super().operations()
        table.update({name: self._keyed(name, table[name]) for name in _MUTATIONS})
        paged = ("limit", "cursor")
        return {
            **table,
            **{name: self._saved(table[name]) for name in (*_MUTATIONS, "commit")},
            "get": Operation(("name", "revision"), self._check_get, self.get),
            "list": Operation(("prefix", *paged), self._check_list, self.list),
            "history": Operation(("name", *paged), self._check_history, self.history),
        }

    def _saved(self, operation: Operation) -> Operation:
        """The operation, after which the state is on disk unless a transaction is still open."""

        def run(args: dict[str, Any]) -> object:
            result = operation.run(args)
            if self.store.depth == 0:
                self._file.save(self.store.tables)
            return result

        return Operation(operation.parameters, operation.check, run)

    def _keyed(self, name: str, operation: Operation) -> Operation:
        """The operation with an `idempotency_key`: done once, answered alike each time."""

        def check(args: dict[str, Any]) -> None:
            operation.check(args)
            optional(args, "idempotency_key", _KEY)

        def run(args: dict[str, Any]) -> object:
            key = args.get("idempotency_key")
            known = {parameter: args[parameter] for parameter in operation.parameters if parameter in args}
            payload = json.dumps([name, known], sort_keys=True)
            return self._once(key, payload, lambda: operation.run(args))

        return Operation((*operation.parameters, "idempotency_key"), check, run)

    def _once(self, key: str | None, payload: str, act: Callable[[], object]) -> object:
        """Act, or return the result stored under the key for the same payload."""
        if key is None:
            return act()
        keys = self.store.tables[KEYS]
        if key in keys:
            stored, result = keys[key]
            if stored != payload:
                raise DomainError("key_reuse", f"the key {key!r} belongs to another request")
            return result
        result = act()
        self.store.tables[KEYS][key] = [payload, result]
        return result

    def _check_get(self, args: dict[str, Any]) -> None:
        self._check_name(args)
        optional(args, "revision", REVISION)

    def get(self, args: dict[str, Any]) -> object:
        """Return a document, as it is or as it was at a revision."""
        if "revision" not in args:
            return super().get(args)
        name, revision = args["name"], args["revision"]
        entries = self._history(name)
        if revision > len(entries) or entries[revision - 1]["action"] == "delete":
            raise DomainError("not_found", f"there is no revision {revision} of {name!r}")
        return {"name": name, "revision": revision, "document": entries[revision - 1]["document"]}

    def _check_list(self, args: dict[str, Any]) -> None:
        super()._check_list(args)
        check_page(args, "documents", args.get("prefix", ""), str)

    def list(self, args: dict[str, Any]) -> object:
        """Return a page of the documents whose name begins with the prefix."""
        prefix = args.get("prefix", "")
        return page(args, "documents", prefix, self._listed(prefix), "name")

    def _check_history(self, args: dict[str, Any]) -> None:
        required(args, "name", NAME)
        check_page(args, "revisions", args["name"], int)

    def history(self, args: dict[str, Any]) -> object:
        """Return a page of a document's revisions, oldest first."""
        entries = self._history(args["name"])
        if not entries:
            raise DomainError("not_found", f"there was never a document {args['name']!r}")
        items = [{"revision": n, "action": entry["action"]} for n, entry in enumerate(entries, start=1)]
        return page(args, "revisions", args["name"], items, "revision")
