"""Programs of the max tier with one fault each in what they keep, page or replay."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from proofyard.suites.scratch.family import Family
from proofyard.suites.scratch.program import paging
from proofyard.suites.scratch.program.arguments import optional
from proofyard.suites.scratch.program.document import PREFIX
from proofyard.suites.scratch.program.durable import KEYS, DurableService
from proofyard.suites.scratch.program.envelope import answer
from proofyard.suites.scratch.program.errors import DomainError, InvalidArgsError
from proofyard.suites.scratch.program.revisions import HISTORIES
from proofyard.suites.scratch.program.store import Tables

from .inprocess import KillableDisk, Killed, Respond, build
from .test_broken import answering, fails


class Forgets(DurableService):
    """State in memory only."""

    def __init__(self, family: Any, file: Any) -> None:
        super().__init__(family, KillableDisk())


class ForgetsKeys(DurableService):
    def __init__(self, family: Any, file: Any) -> None:
        super().__init__(family, file)
        self.store.tables[KEYS] = {}


class ForgetsDeletedHistories(DurableService):
    def history(self, args: dict[str, Any]) -> object:
        self._live(args["name"])
        return super().history(args)


class ForgetsOldRevisions(DurableService):
    def __init__(self, family: Any, file: Any) -> None:
        super().__init__(family, file)
        for entries in self.store.tables[HISTORIES].values():
            for entry in entries[:-1]:
                entry["document"] = entries[-1]["document"]


class KeysOutsideTransactions(DurableService):
    """A rollback does not take keys back."""

    def rollback(self, args: dict[str, Any]) -> object:
        keys = self.store.tables[KEYS]
        result = super().rollback(args)
        self.store.tables[KEYS] = keys
        return result


class KeysPerOperation(DurableService):
    def _once(self, key: str | None, payload: str, act: Callable[[], object]) -> object:
        return super()._once(None if key is None else json.loads(payload)[0] + key, payload, act)


class KeysPerDocument(DurableService):
    def _once(self, key: str | None, payload: str, act: Callable[[], object]) -> object:
        return super()._once(None if key is None else str(json.loads(payload)[1].get("name")) + key, payload, act)


class KeysIgnored(DurableService):
    def _once(self, key: str | None, payload: str, act: Callable[[], object]) -> object:
        return act()


class ReplaysAnything(DurableService):
    def _once(self, key: str | None, payload: str, act: Callable[[], object]) -> object:
        return super()._once(key, "", act)


class ReplaysErrors(DurableService):
    errors: dict[str, DomainError] = {}  # noqa: RUF012 - one table for one grading

    def _once(self, key: str | None, payload: str, act: Callable[[], object]) -> object:
        if key is not None and key in self.errors:
            raise self.errors[key]
        try:
            return super()._once(key, payload, act)
        except DomainError as error:
            if key is not None and error.code != "key_reuse":
                self.errors[key] = error
            raise


class KeysInsideItems(DurableService):
    def _change(self, item: Any) -> object:
        result = super()._change(item)
        if "idempotency_key" in item["args"]:
            self.store.tables[KEYS][item["args"]["idempotency_key"]] = ["", result]
        return result


class ResultNotStored(DurableService):
    """A replay tells what is there now."""

    def _once(self, key: str | None, payload: str, act: Callable[[], object]) -> object:
        result = super()._once(key, payload, act)
        name = json.loads(payload)[1].get("name")
        return {**result, "revision": len(self._history(name))} if name else result  # type: ignore[dict-item]


class BooleansAreNumbers(DurableService):
    def _once(self, key: str | None, payload: str, act: Callable[[], object]) -> object:
        return super()._once(key, payload.replace("true", "1").replace("false", "0"), act)


class DocumentsComparedAsKept(DurableService):
    def _once(self, key: str | None, payload: str, act: Callable[[], object]) -> object:
        name, known = json.loads(payload)
        if "document" in known:
            known["document"] = {key: known["document"][key] for key in ("op", "args")}
        return super()._once(key, json.dumps([name, known]), act)


class ItemsComparedAsUnderstood(DurableService):
    def _once(self, key: str | None, payload: str, act: Callable[[], object]) -> object:
        name, known = json.loads(payload)
        for item in known.get("operations", []):
            if isinstance(item, dict) and isinstance(item.get("args"), dict):
                item["args"].pop("unknown", None)
        return super()._once(key, json.dumps([name, known]), act)


class SavesOpenTransactions(DurableService):
    def commit(self, args: dict[str, Any]) -> object:
        result = super().commit(args)
        self._file.save(self.store.tables)
        return result


class NeverSavesCommits(DurableService):
    def operations(self) -> Any:
        table = super().operations()
        return {**table, "commit": type(table["commit"])((), table["commit"].check, self.commit)}


class CursorByOffset(DurableService):
    """Sound cursors, which count the items before the page."""

    def _check_list(self, args: dict[str, Any]) -> None:
        optional(args, "prefix", PREFIX)
        paging.check_page(args, "documents", args.get("prefix", ""), int)

    def list(self, args: dict[str, Any]) -> object:
        prefix = args.get("prefix", "")
        start = paging._decode(args["cursor"]) if "cursor" in args else 0
        items = self._listed(prefix)
        end = start + args.get("limit", 50)
        cursor = paging._encode("documents", prefix, end) if end < len(items) else None
        return {"documents": items[start:end], "next_cursor": cursor}


class CursorLax(DurableService):
    """Ignores what follows a cursor."""

    def _check_list(self, args: dict[str, Any]) -> None:
        super()._check_list(self._plain(args))

    def list(self, args: dict[str, Any]) -> object:
        return super().list(self._plain(args))

    def _plain(self, args: dict[str, Any]) -> dict[str, Any]:
        cursor = args.get("cursor")
        return {**args, "cursor": cursor.rstrip("!")} if isinstance(cursor, str) else args


class HistoryCursorLax(DurableService):
    def _check_history(self, args: dict[str, Any]) -> None:
        super()._check_history(self._mended(args))

    def history(self, args: dict[str, Any]) -> object:
        return super().history(self._mended(args))

    def _mended(self, args: dict[str, Any]) -> dict[str, Any]:
        """With the first character of the cursor put right."""
        for first in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz":
            mended = {**args, "cursor": first + args["cursor"][1:]} if isinstance(args.get("cursor"), str) else args
            try:
                super()._check_history(mended)
            except InvalidArgsError:
                continue
            return mended
        return args


class CursorNotBound(DurableService):
    """Takes any cursor of its own for any list."""

    def _check_list(self, args: dict[str, Any]) -> None:
        _, prefix, _ = self._read(args)
        super()._check_list({**args, "prefix": prefix} if prefix is not None else args)

    def list(self, args: dict[str, Any]) -> object:
        _, _, after = self._read(args)
        items = [item for item in self._listed(args.get("prefix", "")) if after is None or item["name"] > after]
        shown = items[: args.get("limit", 50)]
        token = json.dumps(["documents", args.get("prefix", ""), shown[-1]["name"]]) if len(shown) < len(items) else ""
        return {"documents": shown, "next_cursor": base64.urlsafe_b64encode(token.encode()).decode() if token else None}

    def _read(self, args: dict[str, Any]) -> Any:
        try:
            kind, prefix, after = json.loads(base64.urlsafe_b64decode(args["cursor"]))
        except (KeyError, ValueError, TypeError):
            return None, None, None
        return (kind, prefix, after) if kind == "documents" else (None, None, None)


class CursorAtTheEnd(DurableService):
    def list(self, args: dict[str, Any]) -> object:
        result = super().list(args)
        assert isinstance(result, dict)
        return {**result, "next_cursor": result["next_cursor"] or "end"}


class AnotherDefault(DurableService):
    def list(self, args: dict[str, Any]) -> object:
        return super().list({"limit": 100, **args})


class DeletionsReadable(DurableService):
    def get(self, args: dict[str, Any]) -> object:
        entries = self._history(args["name"])
        if "revision" in args and args["revision"] <= len(entries):
            document = entries[args["revision"] - 1]["document"]
            return {"name": args["name"], "revision": args["revision"], "document": document}
        return super().get(args)


SERVICES = (
    Forgets,
    ForgetsKeys,
    ForgetsDeletedHistories,
    ForgetsOldRevisions,
    KeysOutsideTransactions,
    KeysPerOperation,
    KeysPerDocument,
    KeysIgnored,
    ReplaysAnything,
    ReplaysErrors,
    KeysInsideItems,
    ResultNotStored,
    BooleansAreNumbers,
    DocumentsComparedAsKept,
    ItemsComparedAsUnderstood,
    SavesOpenTransactions,
    NeverSavesCommits,
    CursorByOffset,
    CursorLax,
    HistoryCursorLax,
    CursorNotBound,
    CursorAtTheEnd,
    AnotherDefault,
    DeletionsReadable,
)


@pytest.mark.parametrize("service", SERVICES)
def test_service(service: type[DurableService]) -> None:
    fails("max", answering(answer, durable=service))


class Late(KillableDisk):
    """Takes what is to be stored and stores it only when the next request comes."""

    def __init__(self, disk: KillableDisk) -> None:
        super().__init__()
        self.disk = disk
        self.owed: Tables | None = None
        self.waits = True

    def load(self) -> Tables | None:
        return self.disk.load()

    def save(self, tables: Tables) -> None:
        self.owed = {name: dict(table) for name, table in tables.items()}
        if not self.waits:
            self.settle()

    def settle(self) -> None:
        if self.owed is not None:
            self.disk.save(self.owed)
        self.owed = None


@pytest.mark.parametrize("which", [b'"op"', b"idempotency_key", b'"op": "batch"', b"commit"])
def test_answer_before_store(which: bytes) -> None:
    def start(tier: str, family: Family, disk: KillableDisk) -> Respond:
        late = Late(disk)
        operations = build(tier, family, late)

        def respond(line: bytes) -> bytes:
            late.settle()
            late.waits = which.replace(b" ", b"") in line.replace(b" ", b"")
            return json.dumps(answer(line, operations)).encode()

        return respond

    fails("max", start)


class InPlace(KillableDisk):
    """Rewrites its one file: cut short, it has lost all."""

    def __init__(self, disk: KillableDisk) -> None:
        super().__init__()
        self.disk = disk

    def load(self) -> Tables | None:
        return self.disk.load()

    def save(self, tables: Tables) -> None:
        kept, self.disk.tables = tables, None
        for _ in ("truncate", "write"):
            self.disk.step()
        self.disk.tables = {name: dict(table) for name, table in kept.items()}
        self.disk.step()


class Halves(InPlace):
    """Stores documents and keys one after the other, each safely."""

    def save(self, tables: Tables) -> None:
        held = self.disk.load() or {name: {} for name in tables}
        for name in tables:
            self.disk.step()
            held = {**held, name: dict(tables[name])}
            self.disk.tables = held
            self.disk.step()


@pytest.mark.parametrize("files", [InPlace, Halves])
def test_not_atomic(files: type[InPlace]) -> None:
    def start(tier: str, family: Family, disk: KillableDisk) -> Respond:
        operations = build(tier, family, files(disk))
        return lambda line: json.dumps(answer(line, operations)).encode()

    fails("max", start)


def test_kills_are_imitated() -> None:
    disk = KillableDisk()
    disk.save({"t": {"a": 1}})
    for call, kept in ((1, 1), (3, 1), (4, 1), (5, 2)):
        disk.calls, disk.kill_at = 0, call
        disk.tables = {"t": {"a": 1}}
        with pytest.raises(Killed):
            disk.save({"t": {"a": 2}})
        assert disk.load() == {"t": {"a": kept}}
