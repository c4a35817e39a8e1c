"""The text that prompts share. `{...}` fields are filled in by `prompt`."""

# ruff: noqa: E501 - a row of a Markdown table is one line

__all__ = [
    "BATCHES",
    "DOCUMENTS",
    "DURABILITY",
    "MEMORY",
    "PAGES",
    "PROGRAM",
    "PROTOCOL",
    "RETRIES",
    "REVISIONS",
    "TRANSACTIONS",
]

PROGRAM = """\
## The program

Build it from an empty folder. The entry point is `main.py`; put any other files beside it (modules, data, folders).

- It is started as `python {command}`{arguments}
- Working folder: `{project}`, which holds your files. They are read-only while the program runs.
- Writable: {writable}. Nothing else, and there is no network.
- CPython {python} or newer, standard library only: no other packages are installed. It runs with `-E -s -S -B` (no
  `PYTHON*` environment variables, no site-packages, no bytecode written). The locale is C.UTF-8.
- Limits for each start of the program: {cpu} s of CPU time, {wall} s of wall time, {memory} MiB of address space a
  process and {tree_memory} MiB of memory in all, {pids} processes and threads, {files} open files, {file_size} MiB a
  file, {output} MiB of output in all, {line} MiB a line.
- What you submit: at most {max_files} regular files, {max_size} MiB in all; no symbolic links.
- Standard error is not read by the tests.
"""

PROTOCOL = """\
## Requests and responses

Requests come on standard input, one JSON value a line, and responses go to standard output, one a line, in the same
order. The next request is sent only after the response to the one before it has arrived, so **flush every response**.

- The input is UTF-8. Only a line feed ends a line. A line that is empty or holds nothing but spaces, tabs and
  carriage returns gets no response; one that holds any other character is not blank. A carriage return, before the
  line feed or between two tokens, is harmless white space. A last line without a line feed is a request like any
  other, and answered though no line feed ever comes.
- At the end of input the program ends with exit code 0 and writes nothing more.
- After an error of any kind the program goes on with the next line.

A request is an object:

```
{{"id": <string or integer>, "op": <string>, "args": <object>}}
```

`id` may be any string, also `""`, or any integer, also one that fits no machine word. An integer is a JSON number
written without a fraction and without an exponent: `1.0` and `1e2` are none. `args` may be left out, which means
`{{}}`; `null` is not the same as left out. Keys are case-sensitive, and unknown keys of the request are ignored. A
response repeats the id exactly:

```
{{"id": <the id>, "ok": true, "result": <JSON value>}}
{{"id": <the id>, "ok": false, "error": {{"code": <string>, "message": <string>}}}}
```

`message` is any text for a person. `result` has exactly the keys described here; the response itself and `error` may
have more. The order of keys is free. Strings are compared code point by code point, integers exactly. Where this page
says *number*, a result counts as right within a relative or absolute error of 1e-9.

### Errors, in the order in which they are looked for

The first that applies decides.

| code | when | `id` in the response |
| --- | --- | --- |
| `bad_json` | the line is not JSON by RFC 8259. `NaN`, `Infinity`, text after the value, comments, a byte order mark, bytes that are not UTF-8, an unescaped control character in a string: all of these are `bad_json` | `null` |
| `bad_request` | the line is JSON but no object; `id` is missing or neither a string nor an integer; `op` is missing or no string; `args` is there and no object | the id if it is itself valid, else `null` |
| `unknown_op` | this page describes no operation of that name | the id |
| `invalid_args` | an argument is missing, has the wrong type or is out of its range | the id |
| the codes of the operation | as listed with it, in the order given there | the id |

An argument of the wrong type is `invalid_args` also where it is optional; `null` is a value of the wrong type unless
the table allows it. A boolean is neither an integer nor a number. *Integer* is as for `id`; *number* takes integers,
fractions and exponents. The length of a string is counted in code points. All of this holds at any depth of `args`,
and any `invalid_args`, wherever in `args` it is, comes before any code of the operation. Unknown keys in `args` are
ignored.

You need not be ready for integers of more than 4000 digits, the integer `-0`, fractions beyond the range of a double,
repeated keys in one object, lone surrogates (`\\ud800`), or arrays and objects nested more than 32 deep: they are
never sent.
"""

DOCUMENTS = """\
## Documents

Besides carrying out an operation directly, the program keeps named documents. A document holds one operation of this
program and its arguments: `{{"op": string, "args": object}}`, both needed. `op` must be one of {family}.

- When a document is written (`create`, `update`), `args` must be valid for `op` by type and range: whatever is
  `invalid_args` for a request of that operation is `invalid_args` for the document. The operation's own error codes
  come only when the document is evaluated.
- `args` is kept by value as it was sent: unknown arguments are included, optional ones are not filled in, an integer
  stays an integer, `true` stays `true`. Other keys beside `op` and `args` are dropped.
- A name is any string of 1 to 128 code points: upper and lower case differ, nothing is trimmed or normalised, and no
  character has a special meaning.
"""

MEMORY = "- Documents live as long as the program runs. A new start begins with none.\n"

REVISIONS = """\
## Revisions

Every document has a revision, counted for each name by itself. The first `create` makes revision 1, and each
`update`, `delete` and later `create` of that name makes the next: created (1), updated (2), deleted (3), created
again (4). A deletion uses up a number, so a name that is created again goes on counting.

With `if_revision`, `update` and `delete` succeed only if the document is at that revision. A missing document is
`not_found` whatever `if_revision` says. An `update` or `delete` that fails changes nothing and uses up no number.
"""

BATCHES = """\
## Batches

An item is an object `{{"op": "create", "update" or "delete", "args": object}}` with the arguments of that
operation{except_key}.

Items are carried out in order, each on what the earlier ones left. The first item that fails decides: the answer is
`batch_failed` with its `index` and, as `item_code`, its code (`invalid_args`, `exists`, `not_found` or `conflict`),
and none of the items is applied; revisions are given back. An item that is no object, whose `op` is not one of the
three, or whose `args` are missing or no object, fails with `invalid_args` at its turn. Unknown keys of an item and of
its `args` are ignored. The request itself is `invalid_args` only if `operations` is missing, is no array, or has no
item or more than 100{key}.

A failed batch inside a transaction undoes only the batch.
"""

TRANSACTIONS = """\
## Transactions

`begin` opens a transaction; transactions nest to any depth. All reads (`get`, `list`, `evaluate`{history}) see what
was written so far, open transactions included. `rollback` undoes every change since the matching `begin`, those of
inner transactions that were committed included, and gives revisions back. `commit` of an inner transaction hands its
changes to the one around it; `commit` of the outermost makes them final. Errors leave transactions open. At the end
of input, open transactions are rolled back.
"""

DURABILITY = """\
## Durability

`DIR` exists when the program starts, and is empty at the very first start. Only one program uses it at a time. All
that you keep must be in `DIR`; each start may find `/tmp` empty.

- Once the response to a successful change (`create`, `update`, `delete`, `batch`) outside of any transaction, or to
  the `commit` of an outermost transaction, has begun to be written, the change must survive. The program may be
  killed (SIGKILL, no warning) at any moment, even inside the very call that writes the response; the next start on
  the same `DIR` must have it. So store first, then answer.
- The program may as well be killed in the middle of storing: between any two system calls, and inside one that
  writes, which may then be cut short at any byte. Then the request that was not answered has happened either wholly
  or not at all, and everything acknowledged before is there. The next start may find what a write that was cut short
  has left, and changes made after it must be as safe as any.
- Only SIGKILL is simulated, no loss of power: what a system call has written before the kill is there.
- The changes of a transaction that is still open when the program ends or is killed are lost, also those of inner
  transactions that were committed.
- Documents, revisions, histories and idempotency keys are durable alike.
- Do not store through a memory map: whether such a change survives is not defined here.
"""

RETRIES = """\
## Retries

`create`, `update`, `delete` and `batch` take an `idempotency_key`. When such a request succeeds, its result is stored
under the key, together with the change. A later request with that key

- has the same payload: nothing is done, and the response is the stored result with the id of the new request,
  whatever has become of the document since;
- has another payload: `key_reuse`.

The payload is `op` and all arguments of that operation in the tables here, except the key itself; unknown arguments
do not belong to it. Two payloads are the same if they are the same JSON values (the order of keys in objects does not
matter); an argument left out is not the same as one given, and `true` is not `1`. Documents and batch items are
compared as they were sent, with all their keys, also those that are dropped or unknown. Numbers that differ only in
how they are written (`1` and `1.0`) are never the only difference.

`invalid_args` comes before the key is looked up; the key comes before everything else (`exists`, `not_found`,
`conflict`, `batch_failed`). A request that fails stores nothing, and its key stays free. Keys are global: they belong
to no document and no operation, and differ by case. A key stored inside a transaction that is rolled back, or lost,
is free again; inside the transaction it is already in force. In other operations, and inside batch items,
`idempotency_key` is an unknown argument.
"""

PAGES = """\
## Pages

`list` and `history` return at most `limit` items, and `next_cursor`: a non-empty string if items are left after them,
`null` if not. Sent as `cursor` with the same `prefix` (for `list`; left out is the same as `""`) or the same `name`
(for `history`), it continues right after the last item of that page: by name, or by revision, not by count, so that a
page neither repeats nor skips what was there all the time, whatever was added or removed in between. `limit` may
differ from page to page. A cursor stays good when it was used, after restarts, and after the last item it names was
deleted. What is inside it is up to you. Any other value of `cursor` is `invalid_args`, also if there is no such
document: a cursor of another prefix, of another name or of the other operation, and a cursor in which a character
was altered or added. Never sent are a cursor that a program gave on another `DIR`, and one that was given inside a
transaction which has been rolled back or lost since.
"""
