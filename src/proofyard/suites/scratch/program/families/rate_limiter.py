"""Which requests a rate limiter lets pass: counting in windows, or with a token bucket for each key."""

from itertools import accumulate
from typing import Any

from ..arguments import array, enum, integer, optional, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

AMOUNT = integer(1, 1000)
SPAN = integer(1, 10**6)
REQUESTS = array(structure({"time": integer(0, 10**9), "key": string(1, 20)}, {"cost": AMOUNT}), high=60)


def check_window(args: dict[str, Any]) -> None:
    """Check the arguments of `window`."""
    required(args, "requests", REQUESTS)
    required(args, "limit", AMOUNT)
    required(args, "span", SPAN)
    required(args, "kind", enum("fixed", "sliding"))


def check_bucket(args: dict[str, Any]) -> None:
    """Check the arguments of `bucket`."""
    required(args, "requests", REQUESTS)
    required(args, "capacity", AMOUNT)
    required(args, "refill", AMOUNT)
    required(args, "span", SPAN)
    optional(args, "initial", integer(0, 1000))


def window(args: dict[str, Any]) -> object:
    """Count what passed in the window of each request."""
    limit, span = args["limit"], args["span"]
    passed: list[tuple[str, int, int]] = []
    results = []
    for key, now, cost in in_order(args["requests"]):
        begin = now - now % span if args["kind"] == "fixed" else now - span + 1
        counted = [(time, spent) for name, time, spent in passed if name == key and time >= begin]
        left = limit - sum(spent for _, spent in counted)
        retry = 0
        if cost > limit:
            retry = -1
        elif cost <= left:
            passed.append((key, now, cost))
            left -= cost
        elif args["kind"] == "fixed":
            retry = begin + span - now
        else:
            retry = wait(counted, cost - left) + span - now
        results.append({"allowed": retry == 0, "remaining": left, "retry_after": retry})
    return {"results": results}


def wait(counted: list[tuple[int, int]], missing: int) -> int:
    """The time of the entry with which, the oldest first, enough has left the window."""
    gone = accumulate(spent for _, spent in counted)
    return next(time for (time, _), total in zip(counted, gone, strict=True) if total >= missing)


def bucket(args: dict[str, Any]) -> object:
    """Pay for each request with tokens; a token has `span` parts, of which each millisecond brings `refill`."""
    refill, span = args["refill"], args["span"]
    full = args["capacity"] * span
    levels: dict[str, tuple[int, int]] = {}
    results = []
    for key, now, cost in in_order(args["requests"]):
        level, before = levels.get(key, (min(full, args.get("initial", args["capacity"]) * span), now))
        level = min(full, level + (now - before) * refill)
        retry = 0
        if cost > args["capacity"]:
            retry = -1
        elif cost * span <= level:
            level -= cost * span
        else:
            retry = -((level - cost * span) // refill)
        levels[key] = (level, now)
        results.append({"allowed": retry == 0, "remaining": level // span, "retry_after": retry})
    return {"results": results}


def in_order(requests: list[dict[str, Any]]) -> list[tuple[str, int, int]]:
    """Key, time and cost of each request, if time never goes back."""
    for index, request in enumerate(requests):
        if index > 0 and request["time"] < requests[index - 1]["time"]:
            raise DomainError("time_goes_back", "a request is earlier than the one before", index=index)
    return [(request["key"], request["time"], request.get("cost", 1)) for request in requests]


OPERATIONS = {
    "window": Operation(("requests", "limit", "span", "kind"), check_window, window),
    "bucket": Operation(("requests", "capacity", "refill", "span", "initial"), check_bucket, bucket),
}
