"""Contract, inputs and the golden case of the family `lru-cache`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import lru_cache as program

__all__ = ["FAMILY"]

NOTES = (
    "A cache holds at most `capacity` entries, each a key with a value. Its entries are ordered by when they were "
    "last **used**: `put` and a successful `get` use a key, nothing else does. Keys are compared exactly.",
    "Every request starts from an empty cache; nothing is kept between requests.",
)

SIMULATE = OperationDoc(
    name="simulate",
    summary="Runs steps on a cache with pinned entries.",
    parameters=(
        Param(name="capacity", type="integer, 1 to 50", text="the most entries the cache may hold"),
        Param(
            name="steps",
            type='array of 0 to 100 objects `{"do": string, ...}`',
            text='what to do: `{"do": "put", "key": string, "value": integer}`, `{"do": "resize", "capacity": '
            'integer}`, or `{"do": string, "key": string}` with `get`, `peek`, `delete`, `pin` or `unpin`; keys have '
            "1 to 30 code points, values are -1000000000 to 1000000000, capacities 1 to 50; other fields are ignored",
        ),
    ),
    result='`{"results": [...], "entries": [{"key": string, "value": integer, "pinned": boolean}, ...], "hits": '
    'integer, "misses": integer, "evicted": [string, ...]}`: the result of each step, the entries at the end, the '
    "most recently used first, the number of hits and misses, and all evicted keys in the order in which they were "
    "evicted (a key as often as it was).",
    errors=(
        ErrorDoc(
            code="cache_full",
            when="a `put` or a `resize` must evict more entries than there are unpinned ones",
            extra=(("step", "integer: the number of that step, counted from 1"),),
        ),
    ),
    rules=(
        "`put` of a key that is there replaces its value, uses it, keeps its pin and evicts nothing. `put` of a new "
        "key first evicts one entry if the cache is at its capacity, then stores the key, used and not pinned. The "
        "result is the array of the keys it evicted: `[]` or one key.",
        "`get` gives the value and uses the key: a hit; or `null`: a miss. `peek` gives the value or `null`, and is "
        "neither a use nor a hit nor a miss.",
        "`delete` removes the key with its pin and gives `true`, or `false` if it was not there. A deleted key is "
        "not an evicted one.",
        "`pin` keeps the key from being evicted and gives `true` (also if it was pinned already), or `false` if it "
        "is not there. `unpin` takes the pin away and gives `true`, or `false` if the key is not there or was not "
        "pinned. Neither is a use.",
        "`resize` sets the capacity and evicts as many entries as are too many. The result is the array of the keys "
        "it evicted, in order.",
        "An eviction takes the least recently used entry that is not pinned. The first step that fails decides; "
        "there is no result then.",
    ),
)

KEYS = Param(
    name="keys", type="array of 0 to 200 strings, each of 1 to 30 code points", text="the keys accessed, in order"
)
ACCESS = (
    "An access to a key that is in the cache is a hit and uses it. Any other access is a miss: the key is stored and "
    "used, and if the cache was at its capacity, the least recently used key is evicted first. Nothing is pinned."
)

SMALLEST = OperationDoc(
    name="smallest",
    summary="The smallest capacity that reaches a number of hits.",
    parameters=(KEYS, Param(name="hits", type="integer, 0 to 200", text="the least number of hits wanted")),
    result='`{"capacity": integer, "hits": integer}`: the smallest capacity, at least 1 and without upper limit, '
    "with which a cache, empty at first, has `hits` or more hits, and how many it has.",
    errors=(
        ErrorDoc(
            code="unattainable",
            when="no capacity gives so many hits",
            extra=(("most", "integer: the most hits any capacity gives"),),
        ),
    ),
    rules=(ACCESS,),
)

NAMES = ("a", "b", "c", "d", "A", "é", "日本", "k 1")
MIX = ("get", "get", "get", "put", "put", "put", "put", "peek", "delete", "pin", "unpin", "resize")


def generate(rng: Random) -> Input:
    """One input of a random operation; few keys make hits and evictions frequent."""
    op = rng.choice(("simulate", "simulate", "smallest"))
    if op == "simulate":
        names = rng.sample(NAMES, rng.randint(3, 6))
        steps = [_step(rng, names) for _ in range(rng.randint(6, 25))]
        return op, {"capacity": rng.randint(1, 4), "steps": steps}
    names = rng.sample(NAMES, rng.randint(2, 7))
    keys = [rng.choice(names) for _ in range(rng.randint(3, 30))]
    return op, {"keys": keys, "hits": rng.randint(0, max(1, len(keys) - len(names)))}


def _step(rng: Random, names: list[str]) -> dict[str, Any]:
    do = rng.choice(MIX)
    if do == "resize":
        return {"do": do, "capacity": rng.randint(2, 5)}
    if do == "put":
        return {"do": do, "key": rng.choice(names), "value": rng.randint(-99, 99)}
    return {"do": do, "key": rng.choice(names)}


WORDS = {"g": "get", "k": "peek", "d": "delete", "n": "pin", "u": "unpin"}


def _simulate(capacity: int, steps: str) -> Input:
    """Steps from a short text: `pa5` puts 5 at a, `r2` resizes to 2; g get, k peek, d delete, n pin, u unpin."""
    read: list[dict[str, Any]] = []
    for text in steps.split():
        if text[0] == "r":
            read.append({"do": "resize", "capacity": int(text[1:])})
        elif text[0] == "p":
            read.append({"do": "put", "key": text[1], "value": int(text[2:])})
        else:
            read.append({"do": WORDS[text[0]], "key": text[1:]})
    return "simulate", {"capacity": capacity, "steps": read}


LONG = [f"k{i}" for i in range(100)]

BOUNDARY: tuple[Input, ...] = (
    _simulate(2, "pa1 pb2 nb na ga pc3"),
    _simulate(1, ""),
    _simulate(1, "ga ka da na ua r1"),
    _simulate(1, "pa1 pa2 pb3 ga gb"),
    _simulate(2, "pa1 pb2 pa3 pc4 ga gb gc"),
    _simulate(2, "pa1 pb2 ga pc3 gb pd4"),
    _simulate(2, "pa1 pb2 ka pc3 ka kb"),
    _simulate(3, "pa1 pb2 pc3 na pd4 pe5 ua pf6"),
    _simulate(2, "pa1 pb2 na ub pc3 ub uc ua ua"),
    _simulate(2, "pa1 na pa2 pb3 pc4 pa5 ga"),
    _simulate(2, "pa1 na da pa2 pb3 pc4 da da ua"),
    _simulate(2, "pa1 na na ua pb2 pc3 na"),
    _simulate(3, "pa1 pb2 pc3 nb r1 r2 pd4 r1"),
    _simulate(3, "pa1 pb2 pc3 na nb r1"),
    _simulate(3, "pa1 pb2 pc3 na nb r2 pa9 pb8 pd7"),
    _simulate(1, "pa1 na pa2 r50 pb2 nb r2 pc3"),
    _simulate(5, "pe1 pd2 pc3 pb4 pa5 ge gc r2 ge gd gc"),
    _simulate(2, "pa0 pb-1000000000 ga kb pc1000000000 ga gb"),
    _simulate(2, "pa1 pA2 pé3 ga gA gé"),
    _simulate(2, "pa1 pb2 da pc3 pd4 pa5"),
    _simulate(2, "pa0 da da pa0 na ka ga"),
    (
        "simulate",
        {"capacity": 50, "steps": [{"do": "put", "key": f"k{i % 60}", "value": i, "junk": 1} for i in range(100)]},
    ),
    (
        "simulate",
        {
            "capacity": 1,
            "steps": [{"do": "put", "key": "k" * 30, "value": 1}, {"do": "get", "key": "k" * 29, "value": "x"}],
        },
    ),
    ("simulate", {"capacity": 1, "steps": [{"do": "resize", "capacity": 2, "key": 3}, {"do": "peek", "key": " "}]}),
    (
        "simulate",
        {
            "capacity": 1,
            "steps": [
                {"do": "put", "key": wide(30), "value": 1},
                *({"do": do, "key": wide(30)} for do in ("get", "peek", "pin", "unpin", "delete")),
            ],
        },
    ),
    ("smallest", {"keys": ["é" * 30, wide(30), wide(29), wide(30)], "hits": 1}),
    ("smallest", {"keys": [], "hits": 0}),
    ("smallest", {"keys": list("aAaA"), "hits": 2}),
    ("smallest", {"keys": list("abacabadabacaba"), "hits": 7}),
    ("smallest", {"keys": list("abacabadabacaba"), "hits": 8}),
    ("smallest", {"keys": [*LONG[:50], *LONG[:50], *LONG[:51], "k0"], "hits": 101}),
    ("smallest", {"keys": [*LONG[:50], *LONG[:50], *LONG[:51], "k0"], "hits": 102}),
    ("smallest", {"keys": [], "hits": 1}),
    ("smallest", {"keys": list("abcd"), "hits": 0}),
    ("smallest", {"keys": list("aab"), "hits": 0}),
    ("smallest", {"keys": list("abcabca"), "hits": 5}),
    ("smallest", {"keys": list("abcabc"), "hits": 1}),
    ("smallest", {"keys": list("aabbcabc"), "hits": 3}),
    ("smallest", {"keys": list("aabbcabc"), "hits": 2}),
    ("smallest", {"keys": list("abbacca"), "hits": 4}),
    ("smallest", {"keys": LONG * 2, "hits": 100}),
    ("smallest", {"keys": ["x"] * 200, "hits": 199}),
    ("smallest", {"keys": ["x"] * 200, "hits": 200}),
)


def _bad(*steps: Any) -> Input:
    return "simulate", {"capacity": 2, "steps": [{"do": "put", "key": "a", "value": 1}, *steps]}


MALFORMED: tuple[Input, ...] = (
    ("simulate", {"steps": []}),
    ("simulate", {"capacity": 2}),
    ("simulate", {"capacity": 0, "steps": []}),
    ("simulate", {"capacity": 51, "steps": []}),
    ("simulate", {"capacity": True, "steps": []}),
    ("simulate", {"capacity": 2.0, "steps": []}),
    ("simulate", {"capacity": None, "steps": []}),
    ("simulate", {"capacity": 2, "steps": {"do": "get", "key": "a"}}),
    ("simulate", {"capacity": 2, "steps": [{"do": "get", "key": "a"}] * 101}),
    _bad("get a"),
    _bad(["get", "a"]),
    _bad({"key": "a"}),
    _bad({"do": "GET", "key": "a"}),
    _bad({"do": None, "key": "a"}),
    _bad({"do": ["get"], "key": "a"}),
    *(_bad({"do": do}) for do in ("get", "peek", "delete", "pin", "unpin")),
    _bad({"do": "get", "key": ""}),
    _bad({"do": "get", "key": 1}),
    _bad({"do": "get", "key": "k" * 31}),
    _bad({"do": "put", "key": wide(31), "value": 1}),
    _bad(
        {"do": "pin", "key": "a"}, {"do": "resize", "capacity": 1}, {"do": "put", "key": "b", "value": 1}, {"do": "get"}
    ),
    _bad({"do": "put", "key": "a"}),
    _bad({"do": "put", "value": 1}),
    _bad({"do": "put", "key": "a", "value": None}),
    _bad({"do": "put", "key": "a", "value": True}),
    _bad({"do": "put", "key": "a", "value": 1.0}),
    _bad({"do": "put", "key": "a", "value": 1000000001}),
    _bad({"do": "put", "key": "a", "value": -1000000001}),
    _bad({"do": "resize"}),
    _bad({"do": "resize", "capacity": 0}),
    _bad({"do": "resize", "capacity": False}),
    _bad({"do": "resize", "capacity": 51}),
    ("smallest", {"keys": ["a"]}),
    ("smallest", {"keys": "abc", "hits": 1}),
    ("smallest", {"keys": ["a", None], "hits": 1}),
    ("smallest", {"keys": ["a"] * 201, "hits": 1}),
    ("smallest", {"keys": ["a"], "hits": None}),
    ("smallest", {"hits": 1}),
    ("smallest", {"keys": ["a"], "hits": -1}),
    ("smallest", {"keys": ["a"], "hits": 201}),
    ("smallest", {"keys": ["a"], "hits": True}),
    ("smallest", {"keys": ["a"], "hits": 0.0}),
    ("smallest", {"keys": [["a"]], "hits": 0}),
    ("smallest", {"keys": ["a", "a", ""], "hits": 200}),
    ("smallest", {"keys": ["a", wide(31)], "hits": 200}),
)

FAMILY = Family(
    number=64,
    slug="lru-cache",
    category="simulation",
    title="LRU cache",
    purpose="Simulates a cache that evicts the least recently used entry, with entries that can be pinned, and tells "
    "how the capacity decides the number of hits.",
    notes=NOTES,
    operations=(SIMULATE, SMALLEST),
    program=program,
    # Capacity 2. put a, put b: nothing goes. pin a: true. get a: 1, a hit; order b, a. put c: full, b is the least recently
    # used and unpinned: out. get b: null, a miss. peek a: 1, no use; order a, c. put d: full, a is the oldest but pinned, so
    # c goes. delete a: true, its pin goes with it. resize to 1: only d is left, nothing goes.
    golden=Case(
        op="simulate",
        args=_simulate(2, "pa1 pb2 na ga pc3 gb ka pd4 da r1")[1],
        expected={
            "results": [[], [], True, 1, ["b"], None, 1, ["c"], True, []],
            "entries": [{"key": "d", "value": 4, "pinned": False}],
            "hits": 1,
            "misses": 1,
            "evicted": ["b", "c"],
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
