"""Rate limits: a window asks again and again what has passed, and a bucket counts in parts of a token."""

from collections.abc import Callable
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

Test = Callable[[Any], bool]
Answer = dict[str, Any]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _integer(least: int, most: int) -> Test:
    """Integers from `least` to `most`."""
    return lambda value: type(value) is int and least <= value <= most


def _text(most: int) -> Test:
    """Strings of 1 to `most` code points."""
    return lambda value: isinstance(value, str) and 1 <= len(value) <= most


def _word(*words: str) -> Test:
    """Some words and nothing else."""
    return lambda value: value in words


def _array(least: int, most: int, item: Test) -> Test:
    """Arrays of so many items, each of them right."""
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(item, value))


def _keys(needed: dict[str, Test], optional: dict[str, Test] | None = None) -> Test:
    """Objects with all needed keys, where these and the optional ones are right."""
    tests = needed | (optional or {})
    return lambda value: (
        isinstance(value, dict)
        and all(name in value for name in needed)
        and all(test(value[name]) for name, test in tests.items() if name in value)
    )


_REQUESTS = _array(0, 60, _keys({"time": _integer(0, 1_000_000_000), "key": _text(20)}, {"cost": _integer(1, 1000)}))
_NEEDED: dict[str, dict[str, Test]] = {
    "window": {
        "requests": _REQUESTS,
        "limit": _integer(1, 1000),
        "span": _integer(1, 1_000_000),
        "kind": _word("fixed", "sliding"),
    },
    "bucket": {
        "requests": _REQUESTS,
        "capacity": _integer(1, 1000),
        "refill": _integer(1, 1000),
        "span": _integer(1, 1_000_000),
    },
}
_OPTIONAL: dict[str, dict[str, Test]] = {"window": {}, "bucket": {"initial": _integer(0, 1000)}}

OPS: dict[str, tuple[str, ...]] = {op: (*_NEEDED[op], *_OPTIONAL[op]) for op in _NEEDED}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    return _keys(_NEEDED[op], _OPTIONAL[op])(args)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    requests = args["requests"]
    for index in range(1, len(requests)):
        if requests[index]["time"] < requests[index - 1]["time"]:
            raise Refused("time_goes_back", index=index)
    limiters: dict[str, _Window | _Bucket] = {}
    results = []
    for request in requests:
        if request["key"] not in limiters:
            limiters[request["key"]] = (_Window if op == "window" else _Bucket)(args, request["time"])
        results.append(limiters[request["key"]].answer(request["time"], request.get("cost", 1)))
    return {"results": results}


def _answer(remaining: int, retry_after: int) -> Answer:
    """What is told about one request."""
    return {"allowed": retry_after == 0, "remaining": remaining, "retry_after": retry_after}


class _Window:
    """The windows of one key."""

    def __init__(self, args: dict[str, Any], _: int) -> None:
        self.limit: int = args["limit"]
        self.span: int = args["span"]
        self.fixed: bool = args["kind"] == "fixed"
        self.passed: list[tuple[int, int]] = []

    def left(self, time: int) -> int:
        """What the window of a time still lets pass."""
        first = time - time % self.span if self.fixed else time - self.span + 1
        return self.limit - sum(cost for at, cost in self.passed if at >= first)

    def answer(self, time: int, cost: int) -> Answer:
        """Takes a request."""
        if cost > self.limit:
            return _answer(self.left(time), -1)
        if cost <= self.left(time):
            self.passed.append((time, cost))
            return _answer(self.left(time), 0)
        changes = [at - at % self.span + self.span if self.fixed else at + self.span for at, _ in self.passed]
        again = min(at for at in changes if at > time and cost <= self.left(at))
        return _answer(self.left(time), again - time)


class _Bucket:
    """The bucket of one key; `level` counts parts of which `span` are a token."""

    def __init__(self, args: dict[str, Any], time: int) -> None:
        self.capacity: int = args["capacity"]
        self.refill: int = args["refill"]
        self.span: int = args["span"]
        self.level: int = min(args.get("initial", self.capacity), self.capacity) * self.span
        self.time = time

    def answer(self, time: int, cost: int) -> Answer:
        """Takes a request."""
        self.level = min(self.level + (time - self.time) * self.refill, self.capacity * self.span)
        self.time = time
        lacking = cost * self.span - self.level
        if lacking <= 0:
            self.level = -lacking
            return _answer(self.level // self.span, 0)
        wait = -1 if cost > self.capacity else -(-lacking // self.refill)
        return _answer(self.level // self.span, wait)
