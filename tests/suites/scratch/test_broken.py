"""Programs with one fault each: the scenarios of the tier must catch every one of them."""

import json
import signal
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

from proofyard.core import Outcome
from proofyard.suites.scratch.families import FAMILIES
from proofyard.suites.scratch.family import Family
from proofyard.suites.scratch.program import arguments
from proofyard.suites.scratch.program.documents import DocumentService
from proofyard.suites.scratch.program.durable import DurableService
from proofyard.suites.scratch.program.envelope import answer
from proofyard.suites.scratch.program.errors import DomainError, InvalidArgsError
from proofyard.suites.scratch.program.operation import Operation
from proofyard.suites.scratch.program.revisions import HISTORIES, RevisionService
from proofyard.suites.scratch.program.store import Store

from .inprocess import SUITE, KillableDisk, Respond, build, grade, loaded, reference

SLUG = "word-frequency"
Answers = Callable[[bytes, dict[str, Operation]], Any]


def fails(tier: str, start: Callable[[str, Family, KillableDisk], Respond], slug: str = SLUG) -> None:
    found = grade(tier, slug, start)
    assert found.outcome == Outcome.FAILED
    assert found.evidence.where


def answering(answers: Answers, **parts: Any) -> Callable[[str, Family, KillableDisk], Respond]:
    def start(tier: str, family: Family, disk: KillableDisk) -> Respond:
        operations = build(tier, family, disk, **parts)
        return lambda line: json.dumps(answers(line, operations)).encode()

    return start


def altered(change: Callable[[bytes, dict[str, Any]], Any]) -> Answers:
    """The right answer, changed."""
    return lambda line, operations: change(line, answer(line, operations))


def code_of(response: dict[str, Any]) -> str:
    return "" if response["ok"] else response["error"]["code"]


def without_extra(line: bytes, response: dict[str, Any]) -> Any:
    if not response["ok"]:
        response["error"] = {key: response["error"][key] for key in ("code", "message")}
    return response


def lenient(line: bytes) -> bytes:
    """A line as a forgiving reader would take it."""
    return line.decode("utf-8-sig", errors="replace").replace("NaN", "0").replace("\t", " ").encode()


ENVELOPE: dict[str, Answers] = {
    "constant id": altered(lambda line, r: {**r, "id": 1}),
    "id as string": altered(lambda line, r: {**r, "id": str(r["id"])}),
    "id as float": altered(lambda line, r: {**r, "id": float(r["id"]) if r["id"] == 0 else r["id"]}),
    "id lost in errors": altered(lambda line, r: r if r["ok"] else {**r, "id": None}),
    "id lost in bad_request": altered(lambda line, r: {**r, "id": None} if code_of(r) == "bad_request" else r),
    "id normalised": altered(
        lambda line, r: {**r, "id": unicodedata.normalize("NFC", r["id"])} if isinstance(r["id"], str) else r
    ),
    "errors swallowed": altered(lambda line, r: r if r["ok"] else {"id": r["id"], "ok": True, "result": None}),
    "one code for all errors": altered(
        lambda line, r: r if r["ok"] else {**r, "error": {"code": "invalid_args", "message": ""}}
    ),
    "message is no string": altered(lambda line, r: r if r["ok"] else {**r, "error": {**r["error"], "message": None}}),
    "an extra key in the result": altered(lambda line, r: {**r, "result": {**r["result"], "x": 1}} if r["ok"] else r),
    "ok as a number": altered(lambda line, r: {**r, "ok": int(r["ok"])}),
    "a forgiving reader": lambda line, operations: answer(lenient(line), operations),
    "lines split at U+2028": lambda line, operations: answer(
        line.decode(errors="replace").splitlines()[0].encode(), operations
    ),
    "a carriage return ends a line": lambda line, operations: answer(
        line.strip(b" \t\r\n").split(b"\r")[0], operations
    ),
    "null args taken for none": lambda line, operations: answer(
        line.replace(b'"args": null', b'"args": {}'), operations
    ),
    "unknown operations before bad requests": lambda line, operations: (
        {"id": json.loads(line)["id"], "ok": False, "error": {"code": "unknown_op", "message": ""}}
        if b"nope" in line and b'"order"' in line
        else answer(line, operations)
    ),
    "a fraction taken for an integer": lambda line, operations: answer(line.replace(b"1.0", b"1"), operations),
}


def skipping(blank: Callable[[bytes], bool]) -> Callable[[str, Family, KillableDisk], Respond]:
    """The reference, which gives no response to some lines."""

    def start(tier: str, family: Family, disk: KillableDisk) -> Respond:
        operations = build(tier, family, disk)
        return lambda line: b"" if blank(line) else json.dumps(answer(line, operations)).encode()

    return start


@pytest.mark.parametrize("tier", ["easy", "intermediate", "hard", "max"])
def test_a_last_line_without_a_line_feed_is_dropped(tier: str) -> None:
    fails(tier, skipping(lambda line: not line.endswith(b"\n")))


@pytest.mark.parametrize(
    "blank",
    [
        lambda line: line.isspace(),
        lambda line: line.decode(errors="replace").isspace(),
        lambda line: not line.strip(b" \t\r\n\x0b"),
        lambda line: not line.strip(b" \t\r\n\x0c"),
    ],
)
def test_other_white_space_taken_for_blank(blank: Callable[[bytes], bool]) -> None:
    fails("easy", skipping(blank))


def by_domain_first(line: bytes, operations: dict[str, Operation]) -> Any:
    """Domain codes before arguments that are null, wherever the operation itself comes upon them."""
    response = answer(line, operations)
    if response["ok"] or response["error"]["code"] != "invalid_args":
        return response
    request = json.loads(line)
    args = request.get("args", {})
    if list(args.values()).count(None) != 1:  # other wrong values may keep an operation busy for ever
        return response
    code, extra = domain_error(operations[request["op"]], args)
    return {**response, "error": {"code": code, "message": "", **extra}} if code else response


class StuckError(Exception):
    pass


def stuck(signum: int, frame: object) -> None:
    raise StuckError


def domain_error(operation: Operation, args: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The code with which an operation ends on unchecked arguments, "" if it ends otherwise or not soon."""
    before = signal.signal(signal.SIGVTALRM, stuck)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.5)
    try:
        operation.run(args)
    except DomainError as error:
        return error.code, error.extra
    except Exception:
        return "", {}
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return "", {}


def comes_first(slug: str) -> bool:
    """Whether an operation comes upon a domain code before it has looked at every argument."""
    family = FAMILIES[slug]
    return any(
        domain_error(operation, args)[0] and domain_error(operation, {**args, name: None})[0]
        for op, args in family.boundary
        for operation in [family.program.OPERATIONS[op]]
        for name in operation.parameters
    )


DOMAINS = [slug for slug in FAMILIES if comes_first(slug)]


def test_most_families_come_upon_a_domain_code_first() -> None:
    assert len(DOMAINS) > len(FAMILIES) // 2


@pytest.mark.parametrize("slug", DOMAINS)
def test_domain_codes_before_wrong_arguments(slug: str) -> None:
    fails("easy", answering(by_domain_first), slug)


LENGTHS = [
    slug
    for slug in FAMILIES
    if any("code points" in p.type + p.text for o in FAMILIES[slug].operations for p in o.parameters)
]


def test_most_families_take_strings_of_limited_length() -> None:
    assert len(LENGTHS) > len(FAMILIES) // 2


@pytest.mark.parametrize("measure", [lambda text: len(text.encode("utf-16-le")) // 2, lambda text: len(text.encode())])
@pytest.mark.parametrize("slug", LENGTHS)
def test_lengths_in_other_units(slug: str, measure: Callable[[str], int], monkeypatch: pytest.MonkeyPatch) -> None:
    loaded(SUITE, next(i for i in SUITE.ids("easy") if i.endswith(f"-{slug}")))
    monkeypatch.setattr(
        arguments, "len", lambda value: measure(value) if isinstance(value, str) else len(value), raising=False
    )
    fails("easy", reference, slug)


@pytest.mark.parametrize("name", ENVELOPE)
def test_envelope(name: str) -> None:
    fails("easy", answering(ENVELOPE[name]))


def test_results_of_the_public_examples_only() -> None:
    """A program which knows the worked examples by heart and refuses everything else."""
    known = {b"g-1", b'"id":2', b'"id":3', b"four", b'"id":5'}
    fails("easy", answering(lambda line, o: answer(line if any(k in line for k in known) else b"?", o)))


class Unsorted(DocumentService):
    def list(self, args: dict[str, Any]) -> object:
        return {"documents": [{"name": n} for n in self.documents if n.startswith(args.get("prefix", ""))]}


class FoldedOrder(DocumentService):
    def list(self, args: dict[str, Any]) -> object:
        found = super().list(args)
        return {"documents": sorted(found["documents"], key=lambda d: d["name"].casefold())}  # type: ignore[index]


class Utf16Order(DocumentService):
    def list(self, args: dict[str, Any]) -> object:
        found = super().list(args)
        return {"documents": sorted(found["documents"], key=lambda d: d["name"].encode("utf-16-be"))}  # type: ignore[index]


class FoldedPrefix(DocumentService):
    def list(self, args: dict[str, Any]) -> object:
        prefix = args.get("prefix", "").casefold()
        return {"documents": [{"name": n} for n in sorted(self.documents) if n.casefold().startswith(prefix)]}


class Upsert(DocumentService):
    def update(self, args: dict[str, Any]) -> object:
        return self._put(args)


class Overwrite(DocumentService):
    def create(self, args: dict[str, Any]) -> object:
        return self._put(args)


class Trimmed(DocumentService):
    def create(self, args: dict[str, Any]) -> object:
        super().create({**args, "name": args["name"].strip()})
        return {"name": args["name"]}


class Normalised(DocumentService):
    def create(self, args: dict[str, Any]) -> object:
        return super().create({**args, "name": unicodedata.normalize("NFC", args["name"])})


class LengthInUnits(DocumentService):
    def _check_write(self, args: dict[str, Any]) -> None:
        super()._check_write(args)
        if len(args["name"].encode("utf-16-le")) > 256:
            raise InvalidArgsError("too long")


class LengthInBytes(DocumentService):
    def _check_name(self, args: dict[str, Any]) -> None:
        super()._check_name(args)
        if len(args["name"].encode()) > 128:
            raise InvalidArgsError("too long")


class PrefixLengthInUnits(DocumentService):
    def _check_list(self, args: dict[str, Any]) -> None:
        super()._check_list(args)
        if len(args.get("prefix", "").encode("utf-16-le")) > 256:
            raise InvalidArgsError("too long")


class EvaluatedOnWrite(DocumentService):
    def _put(self, args: dict[str, Any]) -> object:
        self._family[args["document"]["op"]].run(args["document"]["args"])
        return super()._put(args)


class UncheckedOnWrite(DocumentService):
    def _check_write(self, args: dict[str, Any]) -> None:
        self._check_name(args)
        document = args.get("document")
        if not isinstance(document, dict) or not isinstance(document.get("args"), dict):
            raise InvalidArgsError("document")

    def _put(self, args: dict[str, Any]) -> object:
        self.documents[args["name"]] = {key: args["document"].get(key) for key in ("op", "args")}
        return {"name": args["name"]}


class KeepsExtraKeys(DocumentService):
    def _put(self, args: dict[str, Any]) -> object:
        self.documents[args["name"]] = args["document"]
        return {"name": args["name"]}


class DropsUnknownArguments(DocumentService):
    def _put(self, args: dict[str, Any]) -> object:
        op, own = args["document"]["op"], args["document"]["args"]
        known = {key: own[key] for key in self._family[op].parameters if key in own}
        self.documents[args["name"]] = {"op": op, "args": known}
        return {"name": args["name"]}


class MissingBeforeWrong(DocumentService):
    def _check_write(self, args: dict[str, Any]) -> None:
        if args.get("name") == "missing":
            self._find("missing")
        super()._check_write(args)


SERVICES = (
    Unsorted,
    FoldedOrder,
    Utf16Order,
    FoldedPrefix,
    Upsert,
    Overwrite,
    Trimmed,
    Normalised,
    LengthInUnits,
    LengthInBytes,
    PrefixLengthInUnits,
    EvaluatedOnWrite,
    UncheckedOnWrite,
    KeepsExtraKeys,
    DropsUnknownArguments,
    MissingBeforeWrong,
)


@pytest.mark.parametrize("service", SERVICES)
def test_documents(service: type[DocumentService]) -> None:
    fails("intermediate", answering(answer, documents=service))


def test_state_kept_over_a_restart_that_should_not_be() -> None:
    kept: dict[str, Any] = {}

    class Immortal(DocumentService):
        def __init__(self, family: Any) -> None:
            super().__init__(family)
            self.documents = kept

    fails("intermediate", answering(answer, documents=Immortal))


class BatchNotAtomic(RevisionService):
    def batch(self, args: dict[str, Any]) -> object:
        store, results = self.store, []
        for index, item in enumerate(args["operations"]):
            try:
                results.append(self._change(item))
            except (InvalidArgsError, DomainError) as error:
                code = getattr(error, "code", "invalid_args")
                raise DomainError("batch_failed", "", index=index, item_code=code) from None
        assert store is self.store
        return {"results": results}


class BatchCheckedAhead(RevisionService):
    def batch(self, args: dict[str, Any]) -> object:
        for index, item in enumerate(args["operations"]):
            if not isinstance(item, dict) or item.get("op") not in ("create", "update", "delete"):
                raise DomainError("batch_failed", "", index=index, item_code="invalid_args")
        return super().batch(args)


class BatchUndoesAll(RevisionService):
    def batch(self, args: dict[str, Any]) -> object:
        try:
            return super().batch(args)
        except DomainError:
            while self.store.depth:
                self.store.rollback()
            raise


class BatchBlind(RevisionService):
    """Later items do not see earlier ones."""

    def batch(self, args: dict[str, Any]) -> object:
        before = {name: self._exists(name) for name in self.store.tables[HISTORIES]}
        for index, item in enumerate(args["operations"]):
            if (
                isinstance(item, dict)
                and item.get("op") == "create"
                and before.get(str(item.get("args", {}).get("name")))
            ):
                raise DomainError("batch_failed", "", index=index, item_code="exists")
        return super().batch(args)


class RollbackKeeps(Store):
    def rollback(self) -> None:
        self._close()


class InnerCommitIsFinal(Store):
    def commit(self) -> None:
        super().commit()
        for number in range(len(self.snapshots)):
            self.snapshots[number] = {name: dict(table) for name, table in self.tables.items()}


class Shallow(Store):
    def begin(self) -> None:
        if len(self.snapshots) == 32:
            raise DomainError("too_deep", "")
        super().begin()


class FlatTransactions(Store):
    def begin(self) -> None:
        if self.snapshots:
            self.snapshots.append(self.snapshots[-1])
        else:
            super().begin()


class RevisionsNotGivenBack(RevisionService):
    counters: dict[str, int] | None = None

    def _append(self, name: str, action: str, document: Any) -> object:
        self.counters = self.counters or {}
        self.counters[name] = self.counters.get(name, 0) + 1
        super()._append(name, action, document)
        return {"name": name, "revision": self.counters[name]}


class RecreationStartsAgain(RevisionService):
    def create(self, args: dict[str, Any]) -> object:
        if not self._exists(args["name"]):
            self.store.tables[HISTORIES].pop(args["name"], None)
        return super().create(args)


class DeletionUsesNoRevision(RevisionService):
    def delete(self, args: dict[str, Any]) -> object:
        self._expected(args)
        name = args["name"]
        entries = self._history(name)
        self.store.tables[HISTORIES][name] = [*entries[:-1], {**entries[-1], "action": "delete"}]
        return {"name": name, "revision": len(entries)}


class SameContentIsNoUpdate(RevisionService):
    def update(self, args: dict[str, Any]) -> object:
        self._expected(args)
        entries = self._history(args["name"])
        if entries[-1]["document"] == args["document"]:
            return {"name": args["name"], "revision": len(entries)}
        return super().update(args)


class ConflictBeforeMissing(RevisionService):
    def _expected(self, args: dict[str, Any]) -> None:
        if "if_revision" in args and args["if_revision"] != len(self._history(args["name"])):
            raise DomainError("conflict", "", revision=len(self._history(args["name"])))
        super()._expected(args)


class NoConflicts(RevisionService):
    def _expected(self, args: dict[str, Any]) -> None:
        self._live(args["name"])


class NewerIsFine(RevisionService):
    def _expected(self, args: dict[str, Any]) -> None:
        revision = len(self._live(args["name"]))
        if args.get("if_revision", revision) < revision:
            raise DomainError("conflict", "", revision=revision)


REVISIONS = (
    BatchNotAtomic,
    BatchCheckedAhead,
    BatchUndoesAll,
    BatchBlind,
    RevisionsNotGivenBack,
    RecreationStartsAgain,
    DeletionUsesNoRevision,
    SameContentIsNoUpdate,
    ConflictBeforeMissing,
    NoConflicts,
    NewerIsFine,
)


@pytest.mark.parametrize("service", REVISIONS)
def test_revisions(service: type[RevisionService]) -> None:
    fails("hard", answering(answer, revisions=service))


@pytest.mark.parametrize("store", [RollbackKeeps, InnerCommitIsFinal, FlatTransactions, Shallow])
def test_transactions(store: type[Store]) -> None:
    fails("hard", answering(answer, store=store))


def test_error_fields() -> None:
    fails("hard", answering(altered(without_extra)))


def test_the_reference_is_not_caught() -> None:
    assert grade("easy", SLUG, reference).outcome == Outcome.PASSED
    assert grade("intermediate", SLUG, answering(answer, documents=DocumentService)).outcome == Outcome.PASSED
    assert grade("hard", SLUG, answering(answer, revisions=RevisionService, store=Store)).outcome == Outcome.PASSED
    assert grade("max", SLUG, answering(answer, durable=DurableService)).outcome == Outcome.PASSED
