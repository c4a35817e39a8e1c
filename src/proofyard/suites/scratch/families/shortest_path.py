"""Contract, inputs and the golden case of the family `shortest-path`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import shortest_path as program

__all__ = ["FAMILY"]

NOTES = (
    "An edge leads from `from` to `to` and, unless `directed` is true, back as well with the same weight. Edges may "
    "be parallel (several between the same nodes, of which any may be taken) and may lead from a node to itself.",
    "The **length** of a path is the sum of its weights (`distance`) and its number of edges (`edges`). Of two paths "
    "the one with the smaller distance is better; at equal distance the one with fewer edges.",
    "Names of nodes are compared exactly and ordered by code point, as Python compares strings; sequences of names "
    "are compared name by name.",
)

GRAPH = (
    Param(name="nodes", type="array of 1 to 40 strings, each of 1 to 30 code points", text="the names of all nodes"),
    Param(
        name="edges",
        type='array of 0 to 200 objects `{"from": string, "to": string, "weight": integer}`',
        text="the edges; names have 1 to 30 code points, weights are 0 to 1000000; other keys are ignored",
    ),
    Param(name="directed", type="boolean", text="whether edges lead one way only; default false", required=False),
    Param(name="source", type="string, 1 to 30 code points", text="the node where paths start"),
)
GRAPH_ERRORS = (
    ErrorDoc(code="duplicate_node", when="`nodes` lists a name twice"),
    ErrorDoc(code="unknown_node", when="an edge, `source` or `target` names a node that is not in `nodes`"),
)

PATH = OperationDoc(
    name="path",
    summary="The best path from one node to another.",
    parameters=(*GRAPH, Param(name="target", type="string, 1 to 30 code points", text="the node where the path ends")),
    result='`{"distance": integer, "edges": integer, "path": [string, ...]}`: the length of the best path, and its '
    "nodes from `source` to `target`, both included.",
    errors=(*GRAPH_ERRORS, ErrorDoc(code="unreachable", when="no path leads from `source` to `target`")),
    rules=(
        "Of several paths with equal distance and equally many edges, the one whose sequence of names is smallest is "
        "returned.",
        "If `source` is `target`, the path is that one node, with distance 0 and 0 edges.",
    ),
)

DISTANCES = OperationDoc(
    name="distances",
    summary="How far every node is from one node.",
    parameters=GRAPH,
    result='`{"reached": [{"node": string, "distance": integer, "edges": integer}, ...], "unreached": [string, '
    "...]}`: all nodes that a path from `source` leads to (`source` itself with 0 and 0) with the length of the best "
    "path, and the others.",
    errors=(
        GRAPH_ERRORS[0],
        ErrorDoc(code="unknown_node", when="an edge or `source` names a node that is not in `nodes`"),
    ),
    rules=("`reached` is ordered by distance, then by edges, then by name; `unreached` by name.",),
)

NAMES = ("a", "b", "c", "d", "e", "f", "B", "A1", "a2", "é", "Zürich", "東京", "node 10", "node 9")


def generate(rng: Random) -> Input:
    """One input on a random graph; small weights make ties frequent."""
    op = rng.choice(("path", "path", "distances"))
    nodes = rng.sample(NAMES, rng.randint(2, 9))
    most = rng.choice((2, 3, 20, 1000))
    count = rng.randint(len(nodes) - 1, 3 * len(nodes))
    edges = [{"from": rng.choice(nodes), "to": rng.choice(nodes), "weight": rng.randint(0, most)} for _ in range(count)]
    args: dict[str, Any] = {"nodes": nodes, "edges": edges, "source": rng.choice(nodes)}
    if rng.random() < 0.6:
        args["directed"] = rng.random() < 0.7
    if op == "path":
        args["target"] = rng.choice(nodes if rng.random() < 0.97 else NAMES)
    return op, args


def _args(nodes: str, edges: str, source: str, target: str | None = None, **more: Any) -> dict[str, Any]:
    """Arguments from short texts: nodes `a b c`, edges `a-b:1 b-c:2`."""
    read = []
    for edge in edges.split():
        ends, weight = edge.split(":")
        start, end = ends.split("-")
        read.append({"from": start, "to": end, "weight": int(weight)})
    args: dict[str, Any] = {"nodes": nodes.split(), "edges": read, "source": source, **more}
    return args if target is None else {**args, "target": target}


LINE = " ".join(f"n{i}-n{i + 1}:1000000" for i in range(39))
ALL = " ".join(f"n{i}" for i in range(40))

BOUNDARY: tuple[Input, ...] = (
    ("path", _args("a b c", "a-b:4 c-b:1", "b", "c", directed=True)),
    ("path", _args("a b a", "a-x:1", "a", "b")),
    ("path", _args("a b", "a-b:1", "a", "c")),
    ("path", _args("a b", "a-b:1", "c", "b")),
    ("path", _args("a b", "a-b:1 a-c:1", "a", "b")),
    ("path", _args("a b", "c-b:1", "a", "a")),
    ("path", _args("a", "", "a", "a")),
    ("path", _args("a", "a-a:7", "a", "a")),
    ("path", _args("a b", "", "a", "b")),
    ("path", _args("a b c", "c-b:4 b-a:1", "a", "c")),
    ("path", _args("a b c", "c-b:4 b-a:1", "a", "c", directed=False)),
    ("path", _args("s a b t", "s-a:1 a-t:1 s-b:1 b-t:1", "s", "t", directed=True)),
    ("path", _args("s b a t", "s-b:0 b-a:0 a-t:0 s-t:0", "s", "t")),
    ("path", _args("s b a t", "s-b:0 b-a:0 a-t:1 s-t:2", "s", "t")),
    ("path", _args("s a b t", "s-t:5 s-a:2 a-t:3 s-b:2 b-t:2", "s", "t")),
    ("path", _args("s a b c t", "s-a:1 a-c:1 c-t:3 s-b:2 b-t:3", "s", "t")),
    ("path", _args("s z a1 a2 t", "s-z:1 z-a1:1 a1-t:1 s-a2:1 a2-z:1 z-t:1", "s", "t", directed=True)),
    ("path", _args("s B a é Z t", "s-a:1 a-t:1 s-B:1 B-t:1 s-é:1 é-t:1 s-Z:1 Z-t:1", "s", "t")),
    ("path", _args("s n9 n10 t", "s-n9:2 n9-t:2 s-n10:2 n10-t:2", "s", "t")),
    ("path", _args("s m n t", "s-m:3 s-m:1 m-n:2 m-n:2 n-t:0 t-s:1", "s", "t", directed=True)),
    ("path", _args("s a b t", "s-a:0 a-b:0 b-a:0 b-s:0 b-t:9 a-t:9", "s", "t", directed=True)),
    ("path", _args("s \U0001f600 \uffee t", "s-\U0001f600:1 \U0001f600-t:1 s-\uffee:1 \uffee-t:1", "s", "t")),
    ("path", _args(ALL, LINE, "n0", "n39", directed=True)),
    ("path", _args(ALL, LINE, "n39", "n0", directed=True)),
    ("path", _args("a b", "a-b:1000000 " * 199 + "a-b:999999", "b", "a")),
    (
        "path",
        {
            "nodes": ["x y", "n" * 30],
            "edges": [{"from": "x y", "to": "n" * 30, "weight": 2}],
            "source": "x y",
            "target": "n" * 30,
        },
    ),
    ("path", _args(f"{wide(30)} {wide(29)}", f"{wide(30)}-{wide(29)}:1 {wide(29)}-{wide(30)}:2", wide(30), wide(30))),
    ("distances", _args(f"{wide(30)} b", f"{wide(30)}-b:1 b-{wide(30)}:2", wide(30))),
    ("distances", _args("a a", "", "a")),
    ("distances", _args("a b", "a-b:1", "z")),
    ("distances", _args("a b", "a-z:1", "a")),
    ("distances", _args("a", "", "a")),
    ("distances", _args("q p o n", "p-q:1", "n")),
    ("distances", _args("d c b a", "d-c:0 c-b:0 d-b:0 b-a:0", "d")),
    ("distances", _args("s a b c d", "s-b:2 s-a:1 a-c:1 s-d:2", "s", directed=True)),
    ("distances", _args("s a b", "a-s:1 s-b:5 b-a:1 s-b:4", "s", directed=True)),
    ("distances", _args("s a b", "a-s:1 s-b:5 b-a:1 s-b:4", "s")),
    ("distances", _args("É é e E s", "s-É:3 s-é:3 s-e:3 s-E:3", "s")),
    ("distances", _args("s a b t", "s-a:1 a-b:1 b-t:1 s-t:3 t-s:0", "s", directed=True)),
)

GOOD = _args("a b", "a-b:1", "a", "b")
EDGE = {"from": "a", "to": "b", "weight": 1}


def _without(name: str) -> dict[str, Any]:
    return {key: value for key, value in GOOD.items() if key != name}


MALFORMED: tuple[Input, ...] = (
    ("path", _without("nodes")),
    ("path", _without("edges")),
    ("path", _without("source")),
    ("path", _without("target")),
    ("path", {**GOOD, "nodes": []}),
    ("path", {**GOOD, "nodes": "ab"}),
    ("path", {**GOOD, "nodes": ["a", "b", ""]}),
    ("path", {**GOOD, "nodes": ["a", "b", 3]}),
    ("path", {**GOOD, "nodes": ["a", "b", "n" * 31]}),
    ("path", {**GOOD, "nodes": [str(number) for number in range(41)]}),
    ("path", {**GOOD, "nodes": ["a", "b", wide(31)]}),
    ("path", {**GOOD, "edges": [{**EDGE, "to": wide(31)}]}),
    ("path", {**GOOD, "target": wide(31)}),
    ("path", {**GOOD, "nodes": ["a", "b", "a"], "edges": [{**EDGE, "to": "z"}, {**EDGE, "weight": -1}]}),
    ("path", {**GOOD, "edges": {}}),
    ("path", {**GOOD, "edges": [["a", "b", 1]]}),
    ("path", {**GOOD, "edges": [EDGE] * 201}),
    ("path", {**GOOD, "edges": [{"from": "a", "to": "b"}]}),
    ("path", {**GOOD, "edges": [{"from": "a", "weight": 1}]}),
    ("path", {**GOOD, "edges": [{"to": "a", "weight": 1}]}),
    ("path", {**GOOD, "edges": [EDGE, {**EDGE, "weight": -1}]}),
    ("path", {**GOOD, "edges": [EDGE, {**EDGE, "weight": 1000001}]}),
    ("path", {**GOOD, "edges": [{**EDGE, "weight": 1.0}]}),
    ("path", {**GOOD, "edges": [{**EDGE, "weight": True}]}),
    ("path", {**GOOD, "edges": [{**EDGE, "weight": None}]}),
    ("path", {**GOOD, "edges": [{**EDGE, "to": 1}]}),
    ("path", {**GOOD, "edges": [{**EDGE, "from": ""}]}),
    ("path", {**GOOD, "directed": 1}),
    ("path", {**GOOD, "directed": None}),
    ("path", {**GOOD, "source": None}),
    ("path", {**GOOD, "target": ["b"]}),
    ("path", {**GOOD, "target": ""}),
    ("distances", _without("source")),
    ("distances", {**GOOD, "source": "n" * 31}),
    ("distances", {**GOOD, "directed": "true"}),
    ("distances", {**GOOD, "nodes": ["a", "a"], "source": 1}),
)

FAMILY = Family(
    number=32,
    slug="shortest-path",
    category="graphs",
    title="Shortest paths",
    purpose="Finds shortest paths in graphs with named nodes and weighted edges, with ties broken so that the answer "
    "is unique.",
    notes=NOTES,
    operations=(PATH, DISTANCES),
    program=program,
    # Undirected. dock-mill-port: 3 + 2 = 5. dock-ford-port: 1 + 4 = 5. dock-ford-mill-port: 1 + 2 + 2 = 5, but 3 edges. The
    # direct edge weighs 6. Two paths of distance 5 with 2 edges remain, and ford comes before mill.
    golden=Case(
        op="path",
        args=_args(
            "port mill dock ford",
            "dock-mill:3 mill-port:2 port-ford:4 dock-ford:1 ford-mill:2 port-dock:6",
            "dock",
            "port",
        ),
        expected={"distance": 5, "edges": 2, "path": ["dock", "ford", "port"]},
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
