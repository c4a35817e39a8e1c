"""Random requests for showing that a mutant does the same as the reference: valid ones under fresh seeds, spoilt ones, and
for the tiers' own program whole histories of documents, revisions, transactions, keys, pages and broken lines.
"""

import json
from collections.abc import Callable
from random import Random
from typing import Any, Final

from proofyard.suites.scratch.family import Family, Input
from proofyard.suites.scratch.tiers import Tier

__all__ = ["CURSOR", "Wild"]

CURSOR: Final = "$cursor"
"""Stands in a request for the `next_cursor` that the program gave last, with a letter after it if that is to be altered."""

_JUNK: Final[tuple[Any, ...]] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    1.0,
    2**70,
    "",
    "x",
    [],
    [1],
    {},
    {"op": "create"},
    {"$": 1},
)
_NAMES: Final = ("a", "b", "ab", "B", "é", "\U0001f600", "a b", "n" * 128, "é" * 128)
_WRONG_NAMES: Final = ("", "n" * 129, 5, None, True, ["a"])
_KEYS: Final = ("k", "K", "k1", "\U0001f600" * 128)
_SERVICE: Final = {
    0: (),
    1: ("create", "create", "get", "update", "delete", "list", "evaluate"),
    2: ("batch", "batch", "begin", "begin", "commit", "rollback"),
    3: ("history", "history"),
}
_DOCUMENTS: Final = 12


class Wild:
    """Requests of one seed."""

    def __init__(self, tier: Tier, family: Family, seed: str) -> None:
        self._random = Random(seed)
        self._tier = tier
        self._family = family
        self._documents = [self._input() for _ in range(_DOCUMENTS)]
        self._operations = [op for level, ops in _SERVICE.items() if level <= tier.level for op in ops]
        self._makers: dict[str, Callable[[], dict[str, Any]]] = {
            "create": self._write,
            "update": lambda: self._at_revision(self._write()),
            "delete": lambda: self._at_revision(self._named()),
            "get": self._get,
            "list": lambda: self._paged(self._maybe({}, prefix=lambda: self._random.choice(("", "a", "n", *_NAMES)))),
            "history": lambda: self._paged(self._named()),
            "evaluate": self._named,
            "batch": self._batch,
        }

    def line(self) -> bytes:
        """One line, with `CURSOR` where a cursor is wanted."""
        identity = self._random.choice((self._random.randrange(10**9), f"id-{self._random.randrange(10**6)}", ""))
        op, args = self._request()
        request: Any = {"id": identity, "op": op, "args": args}
        if self._random.random() < 0.05:
            request = self._spoilt(request)
        line = json.dumps(request, ensure_ascii=self._random.random() < 0.5).encode()
        if self._random.random() < 0.01:
            cut = self._random.randrange(1, len(line))
            line = self._random.choice((line[:cut], line[cut:], line + b"}", b"\xff" + line, b'{"id": 1, "op": NaN}'))
        return line if line.strip(b" \t\r\n") else b"[]"

    def chance(self, share: float) -> bool:
        """True in that share of all cases."""
        return self._random.random() < share

    def _request(self) -> Input:
        own = not self._operations or self._random.random() < 0.1
        op, args = self._input() if own else self._service()
        if self._random.random() < 0.1:
            args = self._spoilt(args)
        return ("unknown" if self._random.random() < 0.01 else op), args

    def _input(self) -> Input:
        if self._random.random() < 0.1:
            op, args = self._random.choice(self._family.malformed)
        else:
            op, args = self._family.generate(self._random)
        return op, dict(args)

    def _service(self) -> Input:
        op = self._random.choice(self._operations)
        args = self._makers[op]() if op in self._makers else {}
        if self._tier.durable and op in {"create", "update", "delete", "batch"}:
            args = self._maybe(args, idempotency_key=lambda: self._random.choice((*_KEYS, "", 3)))
        return op, args

    def _named(self) -> dict[str, Any]:
        wrong = self._random.random() < 0.05
        return {"name": self._random.choice(_WRONG_NAMES if wrong else _NAMES)}

    def _write(self) -> dict[str, Any]:
        op, args = self._random.choice(self._documents)
        document: Any = {"op": op, "args": args}
        if self._random.random() < 0.1:
            document = self._spoilt(document)
        return {**self._named(), "document": document}

    def _at_revision(self, args: dict[str, Any]) -> dict[str, Any]:
        if self._tier.level < 2:
            return args
        return self._maybe(args, if_revision=lambda: self._random.choice((1, 2, 3, 4, 5, 6, 0, "1")))

    def _get(self) -> dict[str, Any]:
        if not self._tier.durable:
            return self._named()
        return self._maybe(self._named(), revision=lambda: self._random.choice((1, 2, 3, 4, 5, 9, 0, -1, 1.0)))

    def _paged(self, args: dict[str, Any]) -> dict[str, Any]:
        if not self._tier.durable:
            return args
        args = self._maybe(args, limit=lambda: self._random.choice((1, 1, 2, 3, 100, 0, 101, True)))
        return self._maybe(args, cursor=lambda: self._random.choice((CURSOR, CURSOR, CURSOR + "A", "", "bm8", 7)))

    def _batch(self) -> dict[str, Any]:
        items: list[Any] = []
        for _ in range(self._random.choice((1, 1, 2, 3, 4))):
            op = self._random.choice(("create", "update", "delete"))
            items.append({"op": op, "args": self._makers[op]()})
        if self._random.random() < 0.15:
            items[-1] = self._spoilt(items[-1])
        return {"operations": items if self._random.random() < 0.98 else items * 30}

    def _maybe(self, args: dict[str, Any], **more: Callable[[], Any]) -> dict[str, Any]:
        """The arguments, with each of these in one half of all cases."""
        return {**args, **{name: make() for name, make in more.items() if self._random.random() < 0.5}}

    def _spoilt(self, value: dict[str, Any]) -> Any:
        """An object with one key gone, added, or holding something else; rarely something else altogether."""
        how = self._random.random()
        if how < 0.1 or not value:
            return self._random.choice(_JUNK)
        key = self._random.choice(list(value))
        if how < 0.4:
            return {name: item for name, item in value.items() if name != key}
        junk = self._random.choice(_JUNK)
        return {**value, "extra" if how < 0.5 else key: junk}
