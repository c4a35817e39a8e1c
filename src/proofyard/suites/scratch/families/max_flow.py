"""Contract, inputs and the golden case of the family `max-flow`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import max_flow as program

__all__ = ["FAMILY"]

NOTES = (
    "The **nodes** are all names that occur as `from` or `to` of an edge, and `source` and `sink`, whether or not an "
    "edge touches them. Edges are numbered from 1 in the order given. There may be several edges from one node to another, "
    "edges in both directions, edges into the source and out of the sink, and edges from a node to itself.",
    "A **flow** sends an amount, an integer, over every edge from `from` to `to`: at least 0 and at most the edge's "
    "`capacity`; at every node except `source` and `sink`, what comes in is what goes out. Its **value** is what "
    "goes out of `source` less what comes in there. The **maximum** is the greatest value that a flow can have.",
    "A **cut** divides the nodes in two sides, of which one has `source`, the other `sink`. Its capacity is the sum of "
    "the capacities of the edges that lead from the source's side to the sink's side. The smallest capacity of a cut is "
    "the maximum.",
    "Names are compared exactly, and ordered by code point, as Python compares strings.",
)

EDGE = '{"from": string, "to": string, "capacity": integer}'
ENDS = (
    Param(name="source", type="string, 1 to 30 code points", text="the node where the flow begins"),
    Param(name="sink", type="string, 1 to 30 code points", text="the node where it ends"),
)
NETWORK = (
    Param(
        name="edges",
        type=f"array of 0 to 30 objects `{EDGE}`",
        text="the edges; names have 1 to 30 code points, `capacity` is 0 to 1000000; other keys are ignored",
    ),
    *ENDS,
)

ERRORS = (ErrorDoc(code="same_node", when="`source` and `sink` are equal"),)

FLOW = OperationDoc(
    name="flow",
    summary="The maximum, and a cut that limits it.",
    parameters=NETWORK,
    result='`{"value": integer, "source_side": [string, ...], "cut": [integer, ...]}`: the maximum; the nodes on the '
    "source's side of the chosen cut, ordered by name; and the numbers of the edges from this side to the other, "
    "ascending.",
    errors=ERRORS,
    rules=(
        "Of all cuts of the smallest capacity, exactly one has the fewest nodes on the source's side: it is the one "
        "returned. So a node that no path of edges with capacity leads to is never on this side.",
        "`cut` lists all edges from the source's side to the other, those of capacity 0 too, and none that leads back.",
    ),
)

CHANGES = OperationDoc(
    name="changes",
    summary="The edges whose capacities matter to the maximum.",
    parameters=NETWORK,
    result='`{"raising": [integer, ...], "lowering": [integer, ...]}`: the numbers of edges, ascending.',
    errors=ERRORS,
    rules=(
        "`raising` lists each edge for which the maximum would be greater if the capacity of this edge alone were greater "
        "by 1 (also where that would be more than 1000000).",
        "`lowering` lists each edge with a capacity of at least 1 for which the maximum would be smaller if the "
        "capacity of this edge alone were smaller by 1.",
    ),
)

VERIFY = OperationDoc(
    name="verify",
    summary="Whether given amounts are a flow, and whether it is as great as possible.",
    parameters=(
        Param(
            name="edges",
            type='array of 0 to 30 objects `{"from": string, "to": string, "capacity": integer, "flow": integer}`',
            text="the edges; names have 1 to 30 code points, `capacity` and `flow`, the amount sent, are 0 to 1000000; "
            "other keys are ignored",
        ),
        *ENDS,
    ),
    result='`{"value": integer, "over": [integer, ...], "unbalanced": [{"node": string, "excess": integer}, ...], '
    '"maximum": boolean}`: the value (what goes out of `source` less what comes in, also if the amounts are no flow; it '
    "may be negative); what is wrong; and whether the amounts are a flow whose value is the maximum.",
    errors=ERRORS,
    rules=(
        "`over` lists the numbers of the edges whose `flow` is greater than their `capacity`, ascending.",
        "`unbalanced` lists the nodes except `source` and `sink` where what comes in is not what goes out, ordered by "
        "name; `excess` is what comes in less what goes out. An amount from a node to itself comes in and goes out.",
    ),
)

NAMES = ("b", "a", "B", "C", "é", "10", "9", "hub", "Zeta", "sea")


def generate(rng: Random) -> Input:
    """One input of a random operation on a random network, mostly in two to three steps from source to sink."""
    op = rng.choice(("flow", "changes", "verify"))
    inner = rng.sample(NAMES, rng.randint(3, 5))
    most = rng.choice((3, 9, 1000000))
    ranked = ["src", *inner, "end"]
    edges = []
    for _ in range(rng.randint(7, 13)):
        start = rng.randint(0, len(inner))
        end = rng.randint(start + 1, min(start + 3, len(inner) + 1))
        edges.append(_edge(ranked[start], ranked[end], rng.randint(0 if rng.random() < 0.2 else 1, most)))
    edges += [_edge(rng.choice(ranked), rng.choice(ranked), rng.randint(0, most)) for _ in range(rng.randint(0, 3))]
    if op == "verify":
        edges = _filled(rng, [*edges, _edge("src", inner[0], most), _edge(inner[0], "end", most)])
    rng.shuffle(edges)
    source = "end" if rng.random() < 0.07 else "src"
    return op, {"edges": edges, "source": source, "sink": "end"}


def _filled(rng: Random, edges: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same edges with amounts: several walks to the sink; sometimes one amount is off."""
    amounts = [0] * len(edges)
    for _ in range(rng.randint(4, 12)):
        walk: list[int] = []
        node = "src"
        while node != "end" and len(walk) < 8:
            free = [n for n, edge in enumerate(edges) if edge["from"] == node and amounts[n] < edge["capacity"]]
            if not free:
                break
            walk.append(rng.choice(free))
            node = edges[walk[-1]]["to"]
        if node == "end":
            amount = min(edges[number]["capacity"] - amounts[number] for number in walk)
            for number in set(walk):
                amounts[number] += max(1, amount // walk.count(number)) * walk.count(number)
    if rng.random() < 0.4:
        amounts[rng.randrange(len(edges))] += rng.randint(1, 3)
    return [{**edge, "flow": min(amount, 1000000)} for edge, amount in zip(edges, amounts, strict=True)]


def _edge(start: str, end: str, capacity: int) -> dict[str, Any]:
    return {"from": start, "to": end, "capacity": capacity}


def _args(edges: str, source: str = "s", sink: str = "t") -> dict[str, Any]:
    """Arguments from short texts: edges `s-a:4 a-t:3/2`, the amount sent after the slash."""
    read = []
    for text in edges.split():
        ends, amounts = text.split(":")
        capacity, *sent = map(int, amounts.split("/"))
        start, end = ends.split("-")
        read.append({**_edge(start, end, capacity), **({"flow": sent[0]} if sent else {})})
    return {"edges": read, "source": source, "sink": sink}


WIDE, ALSO_WIDE = wide(30), wide(30)[::-1]
WIDE_EDGE = {"from": WIDE, "to": ALSO_WIDE, "capacity": 3}
WIDE_ARGS: dict[str, Any] = {"edges": [WIDE_EDGE], "source": WIDE, "sink": ALSO_WIDE}
THIRTY = " ".join(f"n{i}-n{(i * 5 + k) % 11}:{(i * k * 7) % 13}" for k in (1, 3, 4) for i in range(10))
FORTH_AND_BACK = "s-a:1 s-b:1 a-c:1 b-c:1 b-d:1 c-t:1 d-t:1"
MILLION = "s-a:1000000 s-b:1000000 a-b:1 a-t:1000000 b-t:1000000"

BOUNDARY: tuple[Input, ...] = (
    ("changes", _args("s-a:4 s-b:2 a-b:3 a-t:1 b-t:9 b-s:5")),
    ("flow", _args("s-a:1", "s", "s")),
    ("flow", _args("")),
    ("flow", _args("a-b:5")),
    ("flow", _args("t-s:5")),
    ("flow", _args("s-t:0")),
    ("flow", _args("s-t:7")),
    ("flow", _args("s-t:7 s-t:2 t-s:3 s-t:0")),
    ("flow", _args("s-a:3 a-t:3")),
    ("flow", _args("s-a:3 a-t:2 a-a:9")),
    ("flow", _args("s-a:9 a-b:4 b-a:7 b-c:4 c-t:5 a-c:0 b-s:6")),
    ("flow", _args("s-b:3 s-a:3 b-x:2 a-x:2 x-t:9 b-Z:0 q-b:8")),
    ("flow", _args("a-s:5 s-a:2 t-a:9 a-t:1")),
    ("flow", _args(FORTH_AND_BACK)),
    ("flow", _args("s-a:1 a-b:1 b-t:1 s-b:1 a-t:1")),
    ("flow", _args("s-é:5 s-e:5 s-E:5 s-9:5 s-10:5 é-t:4 e-t:4 E-t:4 9-t:4 10-t:4")),
    ("flow", _args(MILLION)),
    ("flow", _args(THIRTY, "n0", "n10")),
    ("flow", _args(THIRTY, "n2", "n7")),
    ("flow", WIDE_ARGS),
    ("changes", _args("s-a:1", "t", "t")),
    ("changes", _args("")),
    ("changes", _args("s-a:2 b-t:2 a-b:0")),
    ("changes", _args("s-t:0 t-s:4 s-s:1")),
    ("changes", _args("s-a:3 a-b:3 b-t:3 a-a:3")),
    ("changes", _args("s-t:1 s-t:1000000 s-a:2 a-t:2 a-t:0")),
    ("changes", _args("s-a:2 s-b:1 a-t:1 b-t:1 a-b:0 b-a:1")),
    ("changes", _args("s-a:2 s-b:1 a-t:1 b-t:2 a-b:2 b-a:1")),
    ("changes", _args(FORTH_AND_BACK)),
    ("changes", _args("s-a:3 a-b:2 b-a:1 b-c:2 c-b:2 c-t:3 t-c:1 a-s:1")),
    ("changes", _args(THIRTY, "n0", "n10")),
    ("changes", _args(THIRTY, "n10", "n3")),
    ("changes", WIDE_ARGS),
    ("verify", _args("s-a:1/2", "s", "s")),
    ("verify", _args("")),
    ("verify", _args("s-a:3/2 a-t:2/2")),
    ("verify", _args("s-a:3/1 a-t:2/1")),
    ("verify", _args("s-a:3/3 a-t:2/3")),
    ("verify", _args("s-a:3/2 a-t:2/1 s-t:1/1")),
    ("verify", _args("s-a:3/1 a-t:2/2")),
    ("verify", _args("s-a:3/2 a-t:2/2 z-y:1/0 a-a:4/3 b-b:1/2")),
    ("verify", _args("s-Z:5/4 Z-t:5/2 s-é:5/4 é-a:5/5 a-t:5/0 t-b:9/3")),
    ("verify", _args("s-t:5/3 t-s:5/5")),
    ("verify", _args("s-t:5/5 t-s:5/3")),
    ("verify", _args("s-a:2/2 a-s:2/1 a-t:1/1")),
    ("verify", _args("s-t:5/5 a-b:2/1 b-a:2/1")),
    ("verify", _args("s-t:5/5 a-t:2/1 s-a:0/1")),
    ("verify", _args("s-t:1000000/1000000 s-t:0/1000000")),
    ("verify", _args(" ".join(f"{text}/{i % 4}" for i, text in enumerate(THIRTY.split())), "n0", "n10")),
    ("verify", {**WIDE_ARGS, "edges": [{**WIDE_EDGE, "flow": 3}]}),
)

GOOD = _args("s-a:2 a-t:2")
SENT = _args("s-a:2/1 a-t:2/1")
EDGE_SA = SENT["edges"][0]


def _bad(**changes: Any) -> dict[str, Any]:
    """A good network and one more edge in which fields are changed; a field changed to "gone" is taken away."""
    edge = {key: value for key, value in {**EDGE_SA, **changes}.items() if value != "gone"}
    return {**SENT, "edges": [*SENT["edges"], edge]}


MALFORMED: tuple[Input, ...] = (
    ("flow", {"edges": [], "source": "s"}),
    ("flow", {"edges": [], "sink": "t"}),
    ("flow", {"source": "s", "sink": "t"}),
    ("flow", {**GOOD, "source": ""}),
    ("flow", {**GOOD, "source": wide(31)}),
    ("flow", {**GOOD, "sink": wide(31)}),
    ("flow", {**GOOD, "sink": 1}),
    ("flow", {**GOOD, "sink": None}),
    ("flow", {**GOOD, "edges": EDGE_SA}),
    ("flow", {**GOOD, "edges": ["s-a"]}),
    ("flow", {**GOOD, "edges": [EDGE_SA] * 31}),
    ("flow", _bad(**{"from": "gone"})),
    ("flow", _bad(to="gone")),
    ("flow", _bad(capacity="gone")),
    ("flow", _bad(**{"from": ""})),
    ("flow", _bad(**{"from": wide(31)})),
    ("flow", _bad(to=wide(31))),
    ("flow", _bad(to=["a"])),
    ("flow", _bad(capacity=-1)),
    ("flow", _bad(capacity=1000001)),
    ("flow", _bad(capacity=1.0)),
    ("flow", _bad(capacity=True)),
    ("flow", _bad(capacity="1")),
    ("flow", {**_bad(capacity=None), "sink": "s"}),
    ("changes", {"edges": [], "source": "s"}),
    ("changes", _bad(capacity=False)),
    ("changes", {**GOOD, "source": ["s"]}),
    ("changes", {**GOOD, "edges": None}),
    ("verify", GOOD),
    ("verify", {**SENT, "source": "s" * 31}),
    ("verify", _bad(flow="gone")),
    ("verify", _bad(flow=None)),
    ("verify", _bad(flow=-1)),
    ("verify", _bad(flow=1000001)),
    ("verify", _bad(flow=1.0)),
    ("verify", _bad(flow=True)),
    ("verify", _bad(capacity=-1)),
    ("verify", {**SENT, "edges": [EDGE_SA] * 31}),
)

FAMILY = Family(
    number=37,
    slug="max-flow",
    category="graphs",
    title="Maximum flow",
    purpose="Tells how much can flow through a network with limited capacities, which cut limits it, which capacities "
    "matter, and whether given amounts are a flow.",
    notes=NOTES,
    operations=(FLOW, CHANGES, VERIFY),
    program=program,
    # lake-weir-town can carry 4 (the second edge), lake-mill-town 3 (the fourth); weir still gets 1 from mill over edge 5, but
    # its edge to town is full. So 7. Cuts: {lake} 6 + 5 = 11, {lake, mill} 6 + 3 + 1 = 10, {lake, weir} 4 + 0 + 5 = 9, {lake,
    # mill, weir} 4 + 3 + 0 = 7, with port 4 + 3 + 5. Edge 6 leads back and does not count; edge 7, of capacity 0, leads across.
    golden=Case(
        op="flow",
        args=_args(
            "lake-weir:6 weir-town:4 lake-mill:5 mill-town:3 mill-weir:1 town-mill:8 weir-port:0 port-town:5",
            "lake",
            "town",
        ),
        expected={"value": 7, "source_side": ["lake", "mill", "weir"], "cut": [2, 4, 7]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
