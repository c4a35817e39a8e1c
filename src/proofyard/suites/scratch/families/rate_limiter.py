"""Contract, inputs and the golden case of the family `rate-limiter`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import rate_limiter as program

__all__ = ["FAMILY"]

NOTES = (
    "Requests are taken in the order given. Each comes at a `time` in whole milliseconds, for a `key`, and has a "
    "`cost`, 1 if left out. Several may come at the same time; then the order given counts. Keys are compared exactly, "
    "and every key is limited by itself: requests for one key never matter to another.",
    "A request **passes** or is **refused**. A refused request uses nothing up and is forgotten.",
    "`retry_after` is 0 for a request that passes. For a refused one it is the smallest number of milliseconds d, 1 or "
    "more, so that the same request, if it came again d milliseconds after its time and nothing else came for its key "
    "in between, would pass; -1 if it would never pass.",
)

REQUESTS = Param(
    name="requests",
    type='array of 0 to 60 objects `{"time": integer, "key": string, "cost": integer}`',
    text="the requests; `time` is 0 to 1000000000, `key` has 1 to 20 code points, `cost` is 1 to 1000 and may be left "
    "out; other keys of the objects are ignored",
)
TIME = ErrorDoc(
    code="time_goes_back",
    when="the `time` of a request, whatever its key, is less than that of the request directly before it",
    extra=(("index", "integer: the place of the first such request in `requests`, counted from 0"),),
)
ROWS = '`{"results": [{"allowed": boolean, "remaining": integer, "retry_after": integer}, ...]}`: for each request in order '

WINDOW = OperationDoc(
    name="window",
    summary="Limits what passes in a window of time.",
    parameters=(
        REQUESTS,
        Param(name="limit", type="integer, 1 to 1000", text="the greatest sum of costs that passes in a window"),
        Param(name="span", type="integer, 1 to 1000000", text="the length of a window in milliseconds"),
        Param(name="kind", type="string, `fixed` or `sliding`", text="where windows lie"),
    ),
    result=f"{ROWS}whether it passes, `limit` minus all that has passed for its key in its window, its own cost "
    "included if it passes, and `retry_after`.",
    errors=(TIME,),
    rules=(
        "A request at time t passes if its cost and the costs of the earlier requests for its key that passed and lie "
        "in its window together are not more than `limit`.",
        "`fixed`: time is cut into windows that begin at the multiples of `span`, the first at 0; the beginning belongs "
        "to the window, the beginning of the next one does not. The window of a request is the one that t lies in.",
        "`sliding`: the window of a request is made of the times greater than t - `span` up to t: a request that "
        "passed exactly `span` milliseconds before no longer counts.",
        "A cost greater than `limit` never passes.",
    ),
)

BUCKET = OperationDoc(
    name="bucket",
    summary="Limits requests by a bucket of tokens for each key.",
    parameters=(
        REQUESTS,
        Param(name="capacity", type="integer, 1 to 1000", text="the most tokens a bucket holds"),
        Param(name="refill", type="integer, 1 to 1000", text="how many tokens come in `span` milliseconds"),
        Param(name="span", type="integer, 1 to 1000000", text="the milliseconds in which `refill` tokens come"),
        Param(
            name="initial",
            type="integer, 0 to 1000",
            text="the tokens in a new bucket, where more than `capacity` means `capacity`; default `capacity`",
            required=False,
        ),
    ),
    result=f"{ROWS}whether it passes, the whole tokens in the bucket of its key after it, a fraction of a token dropped, "
    "and `retry_after`.",
    errors=(TIME,),
    rules=(
        "The bucket of a key is new at the time of the first request for that key, passed or refused.",
        "Tokens come evenly and in fractions: in each millisecond `refill` / `span` tokens, computed exactly, without "
        "rounding and not in floating point. What would go beyond `capacity` is lost.",
        "A request passes if the bucket holds at least `cost` tokens at its time; it then takes `cost` tokens out. "
        "Only `remaining` is rounded; the bucket keeps its fraction of a token.",
        "A cost greater than `capacity` never passes.",
    ),
)

KEYS = ("a", "b", "A", "ключ", "k 1")


def generate(rng: Random) -> Input:
    """One input of a random operation, with about as many requests as the limit lets pass."""
    span = rng.choice((rng.randint(2, 20), rng.randint(50, 2000), rng.randint(2000, 90000)))
    keys = rng.sample(KEYS, rng.randint(1, 3))
    time, requests = rng.randint(0, 10**6), []
    for _ in range(rng.randint(6, 22)):
        request: dict[str, Any] = {"time": time, "key": rng.choice(keys)}
        if rng.random() < 0.5:
            request["cost"] = rng.randint(1, rng.choice((3, 3, 9)))
        requests.append(request)
        time += rng.choice((0, rng.randint(0, span // 2), rng.randint(1, span // 2)))
    if rng.random() < 0.05:
        requests[-1]["time"] = requests[-2]["time"] - 1
    if rng.random() < 0.55:
        kind = rng.choice(("fixed", "sliding", "sliding"))
        return "window", {"requests": requests, "limit": rng.randint(3, 8), "span": span, "kind": kind}
    args: dict[str, Any] = {
        "requests": requests,
        "capacity": rng.randint(3, 9),
        "refill": rng.randint(1, 7),
        "span": span,
    }
    if rng.random() < 0.4:
        args["initial"] = rng.randint(0, 10)
    return "bucket", args


def _requests(text: str) -> list[dict[str, Any]]:
    """Requests from a short text: `a5` is key a at time 5, `a5x3` the same with cost 3."""
    found = []
    for word in text.split():
        time, _, cost = word[1:].partition("x")
        request = {"time": int(time), "key": word[0]}
        found.append({**request, "cost": int(cost)} if cost else request)
    return found


def _window(text: str, limit: int, span: int, kind: str) -> Input:
    return "window", {"requests": _requests(text), "limit": limit, "span": span, "kind": kind}


def _bucket(text: str, capacity: int, refill: int, span: int, **more: Any) -> Input:
    return "bucket", {"requests": _requests(text), "capacity": capacity, "refill": refill, "span": span, **more}


WIDE = wide(20)
BOTH = ("fixed", "sliding")
MANY = " ".join(f"{'abc'[i % 3]}{i * i * 3}x{1 + i % 7}" for i in range(60))

BOUNDARY: tuple[Input, ...] = (
    _window("a3 b4x2 a5 a9 b11 a12x4 a13 a14 a19x3", 3, 10, "sliding"),
    *(_window("", 1, 1, kind) for kind in BOTH),
    *(_window("a0 a0", 1, 1, kind) for kind in BOTH),
    *(_window("a0 a1 a1 a2", 1, 1, kind) for kind in BOTH),
    *(_window("a9 a10 a18 a19 a20 a29", 1, 10, kind) for kind in BOTH),
    *(_window("a9 a10 a11 a19 a20 a21", 2, 10, kind) for kind in BOTH),
    *(_window("a5x3 a6x3 a7x4 a8x2 a8x6 a14x5 a15x3 a15x5 a16", 5, 10, kind) for kind in BOTH),
    *(_window("a3x1 a5x1 a5x1 a7x2 a8x5 a8x4 a8x3 a8x2 a8 a8x6", 5, 10, kind) for kind in BOTH),
    *(_window("a1 A1 b2 b3 a3 A4x3", 2, 100, kind) for kind in BOTH),
    *(_window("a999999999x1000 a1000000000x1000 a1000000000", 1000, 10**6, kind) for kind in BOTH),
    *(_window("a0 a0x999 a1x1000 a999999 a1000000x1000", 1000, 10**6, kind) for kind in BOTH),
    *(_window("a4x2 a4x3 a2 a1", 2, 10, kind) for kind in BOTH),
    *(_window(MANY, 11, 400, kind) for kind in BOTH),
    _window("a7x2 b6", 2, 10, "fixed"),
    _window("a5 a4 a9 a3", 2, 10, "sliding"),
    _window("a0 a3 a6 a9x3 a10x3 a12x3 a13x2 a15x2", 3, 10, "sliding"),
    _window("a2x2 a2x2 a4x4 a11x3 a12x4 a12", 4, 10, "sliding"),
    _window("a7 a7 a7 a12x2", 2, 5, "fixed"),
    (
        "window",
        {"requests": [{"time": 1, "key": WIDE}, {"time": 1, "key": WIDE[:19]}], "limit": 1, "span": 5, "kind": "fixed"},
    ),
    (
        "window",
        {
            "requests": [{"time": 1, "key": "a", "cost": 1, "junk": []}, {"time": 1, "key": "a", "who": None}],
            "limit": 1,
            "span": 3,
            "kind": "sliding",
        },
    ),
    _bucket("", 1, 1, 1),
    _bucket("a0 a0", 1, 1, 1),
    _bucket("a0 a0 a1 a1 a3 a3", 1, 1, 1),
    _bucket("a0 a0 a9 a10 a10", 1, 1, 10),
    _bucket("a0x2 a3 a4 a7 a8", 2, 1, 4),
    _bucket("a0x2 a1 a2 a3 a4 a4", 2, 3, 7),
    _bucket("a0x5 a1x5 a1x4 a1x1 a3x2", 5, 3, 7),
    _bucket("a0x3 a10x2 a11x3 a100x4 a100x3 a101", 3, 2, 7),
    _bucket("a5 a5 a6 b6 b7 A7", 4, 1, 3, initial=0),
    _bucket("a0x2 a1x2 a1 b2x3", 4, 1, 3, initial=2),
    _bucket("a0x5 a0x4 a0", 4, 1, 3, initial=5),
    _bucket("a0x4 a0", 4, 1, 3, initial=4),
    _bucket("a0x4 a0x3 a0", 4, 1, 3, initial=3),
    _bucket("a0x4 b1000 b1000x3 a1000x4", 4, 1, 3, initial=0),
    _bucket("a0 a2 a4 a6 a8 a10 a12", 1, 2, 5),
    _bucket("a0x6 a1 a1x6", 6, 1000, 7),
    _bucket("a0x1000 a1x1000 a1000000x1000 a1000000000x1000", 1000, 1, 10**6),
    _bucket("a0x1000 a1x1000 a999x999 a1000", 1000, 1000, 10**6),
    _bucket("a0 a1x1000 a5x999", 999, 1000, 1, initial=1000),
    _bucket("a3 a3 a2", 2, 1, 10),
    _bucket("a3 b2 a1", 2, 1, 10),
    _bucket(MANY, 12, 3, 100, initial=6),
    ("bucket", {"requests": [{"time": 1, "key": WIDE}] * 3, "capacity": 2, "refill": 1, "span": 9}),
)

GOOD: dict[str, Any] = {"requests": _requests("a1 a2x3"), "limit": 3, "span": 10, "kind": "fixed"}
POOL: dict[str, Any] = {"requests": _requests("a1 a2x3"), "capacity": 3, "refill": 1, "span": 10}


def _bad(**changes: Any) -> Input:
    """A window with one request of which fields are changed; a field changed to "gone" is taken away."""
    request = {k: v for k, v in {"time": 3, "key": "a", "cost": 1, **changes}.items() if v != "gone"}
    return "window", {**GOOD, "requests": [*_requests("a2 a1"), request]}


MALFORMED: tuple[Input, ...] = (
    *(("window", {k: v for k, v in GOOD.items() if k != name}) for name in GOOD),
    *(("bucket", {k: v for k, v in POOL.items() if k != name}) for name in POOL),
    ("window", {**GOOD, "requests": GOOD["requests"][0]}),
    ("window", {**GOOD, "requests": [[1, "a"]]}),
    ("window", {**GOOD, "requests": [GOOD["requests"][0]] * 61}),
    _bad(time="gone"),
    _bad(key="gone"),
    *(_bad(time=bad) for bad in (-1, 10**9 + 1, 1.0, True, "1", None)),
    *(_bad(key=bad) for bad in ("", wide(21), 5, None)),
    *(_bad(cost=bad) for bad in (0, -1, 1001, 1.0, True, None)),
    *(("window", {**GOOD, "limit": bad}) for bad in (0, 1001, 3.0, True, None)),
    *(("window", {**GOOD, "span": bad}) for bad in (0, 10**6 + 1, 3.0, True, None)),
    *(("window", {**GOOD, "kind": bad}) for bad in ("Fixed", "", True, None)),
    *(("bucket", {**POOL, "capacity": bad}) for bad in (0, 1001, 2.5, True, None)),
    *(("bucket", {**POOL, "refill": bad}) for bad in (0, 1001, 0.5, True, None)),
    *(("bucket", {**POOL, "span": bad}) for bad in (0, 10**6 + 1, "10")),
    *(("bucket", {**POOL, "initial": bad}) for bad in (-1, 1001, 2.0, False, None)),
    ("bucket", {**POOL, "requests": [*_requests("a2 a1"), {"time": 5, "key": "a", "cost": 0}]}),
)

FAMILY = Family(
    number=65,
    slug="rate-limiter",
    category="simulation",
    title="Rate limiter",
    purpose="Tells which requests a rate limiter lets pass, what is left, and when a refused request may come again: "
    "counting in windows, or with a bucket of tokens.",
    notes=NOTES,
    operations=(WINDOW, BUCKET),
    program=program,
    # 2 tokens come in 7 ms, 2/7 each ms; the bucket of a is new and full (3) at 10. 10: takes 2, 1 left. 12: 1 + 4/7, but 2 are
    # wanted: 3/7 are missing, and 2 ms bring 4/7. 12, b: a bucket of its own, new: 0 left. 13: 1 + 6/7; takes 1: 6/7, so 0
    # whole. 14: 4 is more than the capacity: never; 6/7 + 2/7 = 8/7 there: 1. 100: full again (3); takes 3: 0.
    golden=Case(
        op="bucket",
        args=_bucket("a10x2 a12x2 b12x3 a13 a14x4 a100x3", 3, 2, 7)[1],
        expected={
            "results": [
                {"allowed": True, "remaining": 1, "retry_after": 0},
                {"allowed": False, "remaining": 1, "retry_after": 2},
                {"allowed": True, "remaining": 0, "retry_after": 0},
                {"allowed": True, "remaining": 0, "retry_after": 0},
                {"allowed": False, "remaining": 1, "retry_after": -1},
                {"allowed": True, "remaining": 0, "retry_after": 0},
            ]
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
