"""Contract, inputs and the golden case of the family `spanning-tree`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import spanning_tree as program

__all__ = ["FAMILY"]

NOTES = (
    "Edges join their ends `a` and `b` and have no direction. Several may join the same two nodes, and an edge may "
    "join a node with itself. Edges are numbered from 1 in the order given.",
    "**Growing**: at first every node is a cluster of its own. Taking an edge makes one cluster of the clusters of "
    "its two ends. First all kept edges (those with `keep` true) are taken, in the order of their numbers. Then the "
    "other edges are considered one by one, in the order that the operation states, and an edge is taken if its ends "
    "are in different clusters, as long as there are more clusters than wanted.",
    "Names are compared exactly, and ordered by code point, as Python compares strings.",
)

GRAPH = (
    Param(name="nodes", type="array of 1 to 30 strings, each of 1 to 30 code points", text="the names of all nodes"),
    Param(
        name="edges",
        type='array of 0 to 80 objects `{"a": string, "b": string, "cost": integer, "keep": boolean}`',
        text="the edges; `a` and `b` have 1 to 30 code points, `cost` is -1000000 to 1000000, `keep` may be left out, "
        "which means false; other keys are ignored",
    ),
)

ERRORS = (
    ErrorDoc(code="duplicate_node", when="`nodes` lists a name twice"),
    ErrorDoc(
        code="unknown_node",
        when="an edge has an end that is not in `nodes`",
        extra=(("edge", "integer: the number of the first such edge"),),
    ),
    ErrorDoc(
        code="kept_cycle",
        when="both ends of a kept edge are in the same cluster already when it is its turn to be taken",
        extra=(("edge", "integer: the number of the first such edge"),),
    ),
)
DISCONNECTED = ErrorDoc(
    code="disconnected",
    when="all edges have been considered and there are still more clusters than wanted",
    extra=(("clusters", "integer: how many clusters there are then"),),
)

TREE = OperationDoc(
    name="tree",
    summary="The cheapest or the dearest set of edges that joins all nodes without a cycle.",
    parameters=(
        *GRAPH,
        Param(
            name="goal",
            type="string, `cheapest` or `dearest`",
            text="whether a small or a great total is wanted; default `cheapest`",
            required=False,
        ),
    ),
    result='`{"edges": [integer, ...], "total": integer}`: the numbers of all edges taken, kept ones included, '
    "ascending, and the sum of their costs.",
    errors=(*ERRORS, DISCONNECTED),
    rules=(
        "The graph grows until there is one cluster. With `cheapest` the edges that are not kept are considered by "
        "cost, the smallest first, with `dearest` the greatest first. With either goal, edges of equal cost are "
        "considered by the smaller of their two names, the smallest first, then by the greater of their two names, "
        "the smallest first, then by number. Whether the smaller name is `a` or `b` does not matter.",
        "With a single node `edges` is `[]` and `total` is 0.",
    ),
)

CLUSTERS = OperationDoc(
    name="clusters",
    summary="The nodes in a given number of clusters, those joined by cheap edges together.",
    parameters=(*GRAPH, Param(name="count", type="integer, 1 to 30", text="how many clusters are wanted")),
    result='`{"clusters": [[string, ...], ...], "spacing": integer or null}`: the clusters, each ordered by name, '
    "ordered by their first names; and the smallest cost of an edge whose ends are in two different clusters, `null` if "
    "there is no such edge.",
    errors=(
        *ERRORS,
        ErrorDoc(code="too_many", when="once the kept edges are taken there are fewer than `count` clusters"),
        DISCONNECTED,
    ),
    rules=("The graph grows, edges in the order of `tree` with `cheapest`, until there are `count` clusters.",),
)

NAMES = ("b", "a", "B", "C", "é", "10", "9", "a1", "ä", "Zeta", "zeta", "yard", "far end", "mill")


def generate(rng: Random) -> Input:
    """One input of a random operation: a connected graph, mostly, with many equal costs."""
    op = rng.choice(("tree", "tree", "clusters"))
    nodes = rng.sample(NAMES, rng.randint(4, 8))
    most = rng.choice((3, 6, 1000000))
    edges = [_edge(node, rng.choice(nodes[:place]), rng, most) for place, node in enumerate(nodes) if place > 0]
    edges += [_edge(rng.choice(nodes), rng.choice(nodes), rng, most) for _ in range(rng.randint(3, 8))]
    rng.shuffle(edges)
    if rng.random() < 0.04:
        edges = [edge for edge in edges if nodes[-1] not in (edge["a"], edge["b"])]
    if rng.random() < 0.6:
        rng.choice(edges)["keep"] = rng.random() < 0.8
    if rng.random() < 0.03:
        rng.choice(edges)["b"] = "nowhere"
    args: dict[str, Any] = {"nodes": rng.sample(nodes, len(nodes)), "edges": edges}
    if op == "clusters":
        args["count"] = rng.randint(1, len(nodes) - 2)
    elif rng.random() < 0.7:
        args["goal"] = rng.choice(("cheapest", "dearest", "dearest"))
    return op, args


def _edge(a: str, b: str, rng: Random, most: int) -> dict[str, Any]:
    return {"a": a, "b": b, "cost": rng.randint(-1, most)}


def _args(nodes: str, edges: str = "", **more: Any) -> dict[str, Any]:
    """Arguments from short texts: nodes `a b c`, edges `a-b:4 b-c:1!` (`!` keeps)."""
    read = []
    for text in edges.split():
        ends, cost = text.rstrip("!").split(":")
        a, b = ends.split("-")
        read.append({"a": a, "b": b, "cost": int(cost), **({"keep": True} if "!" in text else {})})
    return {"nodes": nodes.split(), "edges": read, **more}


WIDE = wide(30)
NARROW = WIDE[::-1]
WIDE_EDGE: dict[str, Any] = {"nodes": [WIDE, NARROW], "edges": [{"a": WIDE, "b": NARROW, "cost": 3}]}
THIRTY = " ".join(f"n{i}" for i in range(30))
MANY = " ".join(f"n{i * k % 30}-n{(i + 1) * k % 30}:{i * k % 11}" for k in (1, 7, 11) for i in range(30))
MOST = " ".join(MANY.split()[:80])
SQUARE = "a-b:1 b-c:1 c-d:1 d-a:1"

BOUNDARY: tuple[Input, ...] = (
    ("clusters", _args("a b c d e", "a-b:3 c-b:5 c-d:2 d-e:5 a-e:9", count=2)),
    ("tree", _args("a b a", "a-x:1")),
    ("tree", _args("a b", "a-b:1 a-b:1! a-b:2! a-c:1 d-a:1")),
    ("tree", _args("a b", "a-b:1 c-a:1 d-a:1")),
    ("tree", _args("a b c d", "a-b:1! c-b:1! d-d:1 a-c:1! a-a:1!")),
    ("tree", _args("a b", "a-b:1 b-b:-9!")),
    ("tree", _args("a b c d e", "a-b:1 c-d:1 b-a:4 e-e:1")),
    ("tree", _args("a b")),
    ("tree", _args("a")),
    ("tree", _args("a", "a-a:-5")),
    ("tree", _args("a b c", "c-b:-2 b-a:-3 a-c:-1")),
    ("tree", _args("a b c", "c-b:-2 b-a:-3 a-c:-1", goal="dearest")),
    ("tree", _args("a b c d", "d-c:1 d-a:1 c-b:1 b-a:1")),
    ("tree", _args("a b c d", "d-c:1 d-a:1 c-b:1 b-a:1", goal="dearest")),
    ("tree", _args("a b c d", "c-d:5 d-b:5 c-b:5 a-d:5 c-a:5", goal="cheapest")),
    ("tree", _args("a b", "b-a:2 a-b:2 b-a:1 a-b:1 b-a:1")),
    ("tree", _args("a b", "b-a:2 a-b:2 b-a:1 a-b:1 b-a:1", goal="dearest")),
    ("tree", _args("z é Z 10 9", "é-z:7 z-Z:7 Z-é:7 10-z:7 9-é:7 Z-9:7 10-é:7")),
    ("tree", _args("z é Z 10 9", "é-z:7 z-Z:7 Z-é:7 10-z:7 9-é:7 Z-9:7 10-é:7", goal="dearest")),
    ("tree", _args("a b c d", "a-b:9! b-c:1 c-a:1 d-c:2 b-d:8!")),
    ("tree", _args("a b c d", "a-b:1! b-c:7 c-a:9 d-c:2! b-d:8 a-d:9", goal="dearest")),
    ("tree", _args("a b c", "a-b:1000000 b-c:1000000 c-a:-1000000", goal="dearest")),
    ("tree", _args(THIRTY, MOST)),
    ("tree", _args(THIRTY, MOST, goal="dearest")),
    ("tree", {"nodes": ["a", "b"], "edges": [{"a": "a", "b": "b", "cost": 1, "keep": False, "width": None}]}),
    ("tree", WIDE_EDGE),
    ("clusters", _args("a b b", "a-b:1", count=3)),
    ("clusters", _args("a b", "a-b:1! z-a:1 b-a:1!", count=2)),
    ("clusters", _args("a b", "a-b:1! b-a:1!", count=2)),
    ("clusters", _args("a b c", "a-b:1! b-c:1!", count=2)),
    ("clusters", _args("a b c", "a-b:1", count=4)),
    ("clusters", _args("a b c d", "a-b:1 a-b:2", count=2)),
    ("clusters", _args("c b a", count=3)),
    ("clusters", _args("c b a", "a-c:4 a-a:-7", count=3)),
    ("clusters", _args("c b a", "a-c:4! a-b:9", count=2)),
    ("clusters", _args("d c b a", "d-a:1 " + SQUARE, count=2)),
    ("clusters", _args("a b c", "b-c:2 a-b:-2 c-a:3", count=1)),
    ("clusters", _args("B a é b", "é-B:2 b-a:2 a-é:3 B-b:5", count=2)),
    ("clusters", _args("p q r s t", "p-q:1 q-r:2 r-s:3 s-t:8! p-t:2", count=2)),
    ("clusters", _args(THIRTY, MOST, count=12)),
    ("clusters", _args(THIRTY, MOST, count=30)),
    ("clusters", {**WIDE_EDGE, "count": 2}),
)

GOOD = _args("a b", "a-b:1")
EDGE = GOOD["edges"][0]


def _without(name: str) -> dict[str, Any]:
    return {**GOOD, "edges": [EDGE, {key: value for key, value in EDGE.items() if key != name}]}


def _bad(**changes: Any) -> dict[str, Any]:
    return {**GOOD, "edges": [EDGE, {**EDGE, **changes}]}


MALFORMED: tuple[Input, ...] = (
    ("tree", {"edges": []}),
    ("tree", {"nodes": ["a"]}),
    ("tree", {**GOOD, "nodes": []}),
    ("tree", {**GOOD, "nodes": "ab"}),
    ("tree", {**GOOD, "nodes": ["a", "b", ""]}),
    ("tree", {**GOOD, "nodes": ["a", "b", "n" * 31]}),
    ("tree", {**GOOD, "nodes": ["a", "b", wide(31)]}),
    ("tree", {**GOOD, "nodes": [str(number) for number in range(31)]}),
    ("tree", {**GOOD, "edges": EDGE}),
    ("tree", {**GOOD, "edges": [["a", "b", 1]]}),
    ("tree", {**GOOD, "edges": [EDGE] * 81}),
    ("tree", _without("a")),
    ("tree", _without("b")),
    ("tree", _without("cost")),
    ("tree", _bad(a="")),
    ("tree", _bad(a=wide(31))),
    ("tree", _bad(b=1)),
    ("tree", _bad(b=wide(31))),
    ("tree", _bad(cost=1000001)),
    ("tree", _bad(cost=-1000001)),
    ("tree", _bad(cost=1.0)),
    ("tree", _bad(cost=True)),
    ("tree", _bad(keep=1)),
    ("tree", _bad(keep=None)),
    ("tree", _bad(keep="true")),
    ("tree", {**GOOD, "goal": "Cheapest"}),
    ("tree", {**GOOD, "goal": None}),
    ("tree", {**GOOD, "goal": -1}),
    ("tree", {"nodes": ["a", "a"], "edges": [{**EDGE, "b": "z"}, {**EDGE, "cost": "1"}]}),
    ("clusters", GOOD),
    ("clusters", {"nodes": ["a"], "count": 1}),
    ("clusters", {"edges": [], "count": 1}),
    ("clusters", {**GOOD, "count": 0}),
    ("clusters", {**GOOD, "count": 31}),
    ("clusters", {**GOOD, "count": True}),
    ("clusters", {**GOOD, "count": 2.0}),
    ("clusters", {**GOOD, "count": None}),
    ("clusters", {**_bad(cost=None), "count": 1}),
)

FAMILY = Family(
    number=35,
    slug="spanning-tree",
    category="graphs",
    title="Spanning trees",
    purpose="Joins the nodes of an undirected graph by its edges: the cheapest or dearest tree with some edges given, "
    "and clusters of nodes that are near to each other.",
    notes=NOTES,
    operations=(TREE, CLUSTERS),
    program=program,
    # Kept: edge 5, fort-mill for 9. Then cost 2: edges 2 (dock-mill), 4 (dock-fort), 6 (dock-port), by names 4, 2, 6.
    # 4 joins dock to fort and mill, 2 would close a cycle, 6 joins port. Cost 3: 1 (fort-tower), 3 (mill-tower), in this order;
    # 1 is taken, and all are joined. Total 9 + 2 + 2 + 3 = 16.
    golden=Case(
        op="tree",
        args=_args(
            "tower port mill fort dock", "tower-fort:3 mill-dock:2 mill-tower:3 dock-fort:2 fort-mill:9! port-dock:2"
        ),
        expected={"edges": [1, 4, 5, 6], "total": 16},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
