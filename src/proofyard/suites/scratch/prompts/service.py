"""The operations on documents as prompts describe them, tier by tier. Levels: 1 intermediate, 2 hard, 3 max."""

from proofyard.suites.scratch.family import ErrorDoc, OperationDoc, Param
from proofyard.suites.scratch.program.paging import DEFAULT_LIMIT

__all__ = ["service_operations"]

_NAME = Param(name="name", type="string, 1 to 128 code points", text="which document")
_DOCUMENT = Param(
    name="document", type='object `{"op": string, "args": object}`', text="what the document holds (see *Documents*)"
)
_IF_REVISION = Param(
    name="if_revision",
    type="integer, at least 1",
    text="the revision the document must be at now; default: any",
    required=False,
)
_KEY = Param(
    name="idempotency_key",
    type="string, 1 to 128 code points",
    text="makes the request safe to send again (see *Retries*); default: none",
    required=False,
)
_LIMIT = Param(
    name="limit", type="integer, 1 to 100", text=f"how many items at most; default {DEFAULT_LIMIT}", required=False
)
_CURSOR = Param(
    name="cursor",
    type="string",
    text="`next_cursor` of an earlier page (see *Pages*); default: begin with the first item",
    required=False,
)

_NOT_FOUND = ErrorDoc(code="not_found", when="there is no document of that name")
_EXISTS = ErrorDoc(code="exists", when="there is a document of that name")
_CONFLICT = ErrorDoc(
    code="conflict",
    when="the document is not at revision `if_revision`",
    extra=(("revision", "integer, the revision the document is at"),),
)
_KEY_REUSE = ErrorDoc(code="key_reuse", when="`idempotency_key` belongs to another request (see *Retries*)")
_NO_TRANSACTION = ErrorDoc(code="no_transaction", when="no transaction is open")
_BATCH_FAILED = ErrorDoc(
    code="batch_failed",
    when="an item fails",
    extra=(
        ("index", "integer, the place of the first failing item, from 0"),
        ("item_code", "string, the code that item would have got as a request of its own"),
    ),
)


def service_operations(level: int) -> tuple[OperationDoc, ...]:
    """The operations on documents of a tier, in the order in which prompts show them."""
    operations = (*_changes(level), *_reads(level))
    return operations if level == 1 else (*operations, *_transactions())


def _changes(level: int) -> tuple[OperationDoc, ...]:
    result = '`{"name": string}`' if level == 1 else '`{"name": string, "revision": integer}`'
    shown = result if level == 1 else f"{result}: the revision this request made"
    key = (_KEY,) if level == 3 else ()
    first = (_KEY_REUSE,) if level == 3 else ()
    expected = (_IF_REVISION,) if level > 1 else ()
    conflict = (_CONFLICT,) if level > 1 else ()
    changes = (
        OperationDoc(
            name="create",
            summary="Adds a document under a name that no document has now.",
            parameters=(_NAME, _DOCUMENT, *key),
            result=shown,
            errors=(*first, _EXISTS),
        ),
        OperationDoc(
            name="update",
            summary="Replaces what a document holds, as a whole.",
            parameters=(_NAME, _DOCUMENT, *expected, *key),
            result=shown,
            errors=(*first, _NOT_FOUND, *conflict),
            rules=() if level == 1 else ("Replacing a document by the same content is an update like any other.",),
        ),
        OperationDoc(
            name="delete",
            summary="Removes a document.",
            parameters=(_NAME, *expected, *key),
            result=shown,
            errors=(*first, _NOT_FOUND, *conflict),
        ),
    )
    return changes if level == 1 else (*changes, _batch(key, first))


def _batch(key: tuple[Param, ...], first: tuple[ErrorDoc, ...]) -> OperationDoc:
    return OperationDoc(
        name="batch",
        summary="Carries out several changes: all of them, or none.",
        parameters=(
            Param(name="operations", type="array of 1 to 100 items", text="the changes, in order (see *Batches*)"),
            *key,
        ),
        result='`{"results": [object, ...]}`: the result of each item, in order, as the single operation would give it',
        errors=(*first, _BATCH_FAILED),
    )


def _reads(level: int) -> tuple[OperationDoc, ...]:
    revision = ', "revision": integer' if level > 1 else ""
    cursor = ', "next_cursor": string or null' if level == 3 else ""
    prefix = Param(
        name="prefix",
        type="string, 0 to 128 code points",
        text='only names that begin with it; default `""`',
        required=False,
    )
    listing = OperationDoc(
        name="list",
        summary="Lists the documents there are, ordered by name, code point by code point.",
        parameters=(prefix, _LIMIT, _CURSOR) if level == 3 else (prefix,),
        result=f'`{{"documents": [{{"name": string{revision}}}, ...]{cursor}}}`'
        + (": name and present revision of each" if level > 1 else ""),
        rules=("The prefix is compared code point by code point; no character in it has a special meaning.",),
    )
    evaluate = OperationDoc(
        name="evaluate",
        summary="Carries out the operation that a document holds.",
        parameters=(_NAME,),
        result="exactly the result which the document's `op` with its `args` has as a request",
        errors=(_NOT_FOUND, ErrorDoc(code="*any code of that operation*", when="the operation itself fails")),
    )
    operations = (_get(level, revision), evaluate, listing)
    return (*operations, _history()) if level == 3 else operations


def _get(level: int, revision: str) -> OperationDoc:
    old = Param(
        name="revision", type="integer, at least 1", text="which revision; default: the present one", required=False
    )
    gone = ErrorDoc(code="not_found", when="with `revision`: that revision does not exist or is a deletion")
    return OperationDoc(
        name="get",
        summary="Returns a document." if level < 3 else "Returns a document as it is, or as it was at a revision.",
        parameters=(_NAME, old) if level == 3 else (_NAME,),
        result=f'`{{"name": string{revision}, "document": {{"op": string, "args": object}}}}`'
        + (": the revision and what the document holds at it" if level > 1 else ""),
        errors=(ErrorDoc(code="not_found", when=f"without `revision`: {_NOT_FOUND.when}"), gone)
        if level == 3
        else (_NOT_FOUND,),
        rules=("With `revision`, a document that was deleted since can still be read.",) if level == 3 else (),
    )


def _history() -> OperationDoc:
    return OperationDoc(
        name="history",
        summary="Lists all revisions of a document, also of one that was deleted, the oldest first.",
        parameters=(_NAME, _LIMIT, _CURSOR),
        result='`{"revisions": [{"revision": integer, "action": string}, ...], "next_cursor": string or null}`: '
        '`action` is `"create"`, `"update"` or `"delete"`, whatever request or batch item made the revision',
        errors=(ErrorDoc(code="not_found", when="there is no revision of that name: no such document ever existed"),),
    )


def _transactions() -> tuple[OperationDoc, ...]:
    result = '`{"depth": integer}`: how many transactions are open now'
    return (
        OperationDoc(
            name="begin", summary="Opens a transaction inside the innermost open one.", parameters=(), result=result
        ),
        OperationDoc(
            name="commit",
            summary="Closes the innermost open transaction and keeps its changes.",
            parameters=(),
            result=result,
            errors=(_NO_TRANSACTION,),
        ),
        OperationDoc(
            name="rollback",
            summary="Closes the innermost open transaction and undoes its changes.",
            parameters=(),
            result=result,
            errors=(_NO_TRANSACTION,),
        ),
    )
