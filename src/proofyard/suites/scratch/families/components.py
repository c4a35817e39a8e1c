"""Contract, inputs and the golden case of the family `components`."""

from random import Random
from typing import Any

from ..family import Case, ErrorDoc, Family, Input, OperationDoc, Param, wide
from ..program.families import components as program

__all__ = ["FAMILY"]

NOTES = (
    "A link `[a, b]` leads from `a` to `b`. The same link may be given several times, and these are several links; so "
    "are `[a, b]` and `[b, a]`. A link `[a, a]` from a node to itself is a **loop**.",
    "Whichever way links lead, two nodes are in the same **group** if one gets from the one to the other over zero or "
    "more links. Every node is in exactly one group; a node without links is a group of its own.",
    "Names are compared exactly, and ordered by code point, as Python compares strings.",
)

GRAPH = (
    Param(name="nodes", type="array of 1 to 20 strings, each of 1 to 30 code points", text="the names of all nodes"),
    Param(
        name="links",
        type="array of 0 to 40 arrays `[string, string]`",
        text="the links, each of exactly two names of 1 to 30 code points",
    ),
)

ERRORS = (
    ErrorDoc(code="duplicate_node", when="`nodes` lists a name twice"),
    ErrorDoc(
        code="unknown_node",
        when="a link holds a name that is not in `nodes`",
        extra=(("name", "string: the first such name, going through the links in order, in each from `a` to `b`"),),
    ),
)

GROUPS = OperationDoc(
    name="groups",
    summary="The groups of nodes, whichever way the links lead.",
    parameters=GRAPH,
    result='`{"groups": [{"nodes": [string, ...], "links": integer, "tree": boolean}, ...]}`: each group with its '
    "nodes, the number of links between them, and whether the group is a tree.",
    errors=ERRORS,
    rules=(
        "`nodes` is ordered by name. Groups with more nodes come first; of equally large ones the one whose first "
        "name is smaller.",
        "`links` counts every link given, repeated ones, loops and both directions each for itself. A group is a "
        "`tree` if it has exactly one link less than it has nodes. So a node without links is a tree.",
    ),
)

STRONG = OperationDoc(
    name="strong_groups",
    summary="The groups of nodes that can all reach each other along the direction of the links.",
    parameters=GRAPH,
    result='`{"groups": [{"nodes": [string, ...], "entry": boolean, "exit": boolean}, ...], "missing": integer}`: each '
    "strong group with its nodes, whether it is an entry and an exit, and how many links are missing to make all one.",
    errors=ERRORS,
    rules=(
        "Two nodes are in the same strong group if one gets from each to the other over zero or more links, all "
        "followed from `a` to `b`. `nodes` is ordered by name, and the groups by their first name.",
        "A strong group is an `entry` if no link leads into it from another strong group, and an `exit` if no link "
        "leads from it to another one. It may be both or neither.",
        "`missing` is 0 if there is just one strong group; otherwise it is the number of entries or the number of "
        "exits, whichever is greater.",
    ),
)

WEAK = OperationDoc(
    name="weak_points",
    summary="The links and the nodes without which a group would fall apart, whichever way the links lead.",
    parameters=GRAPH,
    result='`{"bridges": [[string, string], ...], "cut_nodes": [{"node": string, "parts": integer}, ...]}`: the links '
    "that are bridges, and the cut nodes with the number of parts their groups fall into.",
    errors=ERRORS,
    rules=(
        "A link is a bridge if there would be more groups without it (without that one link: of two links between "
        "the same nodes none is a bridge). A bridge is shown with its smaller name first; bridges are ordered by "
        "their first name, then by their second.",
        "Take a node away with all its links: what is left of its group is then in a number of groups, `parts`. The "
        "node is a cut node if `parts` is at least 2. Cut nodes are ordered by name.",
    ),
)

NAMES = ("b", "a", "B", "C", "é", "10", "9", "a1", "ä", "Zeta", "zeta", "east", "far end", "hub")


def generate(rng: Random) -> Input:
    """One input of a random operation; about as many links as nodes, so that all kinds of groups are frequent."""
    op = rng.choice(("groups", "strong_groups", "weak_points"))
    nodes = rng.sample(NAMES, rng.randint(5, 11))
    most = 2 * len(nodes) if op == "strong_groups" else len(nodes) + 2
    links = [[rng.choice(nodes), rng.choice(nodes)] for _ in range(rng.randint(len(nodes) - 2, most))]
    if rng.random() < 0.3:
        links += [rng.choice(links)[::-1] for _ in range(2)]
    if rng.random() < 0.04:
        rng.choice(links)[rng.randint(0, 1)] = "nowhere"
    if rng.random() < 0.03:
        nodes.append(nodes[0])
    return op, {"nodes": nodes, "links": links}


def _args(nodes: str, links: str = "") -> dict[str, Any]:
    """Arguments from short texts: nodes `a b c`, links `a-b b-c`."""
    return {"nodes": nodes.split(), "links": [link.split("-") for link in links.split()]}


WIDE = wide(30)
NARROW = "é" * 30
WIDE_LINK: dict[str, Any] = {"nodes": [NARROW, WIDE], "links": [[WIDE, NARROW]]}
TWENTY = " ".join(f"n{i}" for i in range(20))
LINE = " ".join(f"n{i}-n{i + 1}" for i in range(19))
RING = LINE + " n19-n0 n0-n0 " + LINE
STEPS = " ".join(f"n{7 * i % 20}-n{(7 * i + 12) % 20}" for i in range(20))
TWO_RINGS = "a-b b-c c-a c-d d-e e-f f-d"

BOUNDARY: tuple[Input, ...] = (
    ("weak_points", _args("f e d c b a", TWO_RINGS)),
    ("groups", _args("a b a", "a-x")),
    ("groups", _args("a b", "a-b y-x a-z")),
    ("groups", _args("a")),
    ("groups", _args("a", "a-a")),
    ("groups", _args("b a", "a-b a-b")),
    ("groups", _args("b a", "a-b b-a")),
    ("groups", _args("e d c b a", "e-c b-d")),
    ("groups", _args("a z y x w", "x-w y-x y-w a-z")),
    ("groups", _args("é e Z 10 9 a1 a", "é-9 Z-10")),
    ("groups", _args("a b c d e", "a-b c-b d-c d-e")),
    ("groups", _args("a b c d e", "d-e c-d b-c a-b e-e")),
    ("groups", _args(TWENTY, STEPS)),
    ("groups", WIDE_LINK),
    ("strong_groups", _args("a a")),
    ("strong_groups", _args("a b", "a-b b-c")),
    ("strong_groups", _args("a")),
    ("strong_groups", _args("b a", "a-a")),
    ("strong_groups", _args("b a", "a-b")),
    ("strong_groups", _args("b a", "a-b b-a")),
    ("strong_groups", _args("e d c b a", "d-e e-d d-c a-b")),
    ("strong_groups", _args("f e d c b a", TWO_RINGS)),
    ("strong_groups", _args("s t u v w x", "s-t s-u s-v w-v")),
    ("strong_groups", _args("s t u v", "t-s u-s v-s")),
    ("strong_groups", _args("m l k j i h", "h-i i-h i-j j-k k-j k-l l-m m-l")),
    ("strong_groups", _args("Z a é b", "b-Z Z-b é-a")),
    ("strong_groups", _args(TWENTY, RING)),
    ("strong_groups", WIDE_LINK),
    ("weak_points", _args("a b b")),
    ("weak_points", _args("a b", "q-a a-b")),
    ("weak_points", _args("a")),
    ("weak_points", _args("b a c", "b-a a-a")),
    ("weak_points", _args("b a", "b-a b-a")),
    ("weak_points", _args("b a", "b-a a-b")),
    ("weak_points", _args("hub z y x é B", "hub-z y-hub hub-x é-hub B-hub")),
    ("weak_points", _args("hub z y x q", "hub-z z-y y-hub x-hub hub-x q-q q-q")),
    ("weak_points", _args("a b c d e f g", "c-b b-a d-c f-e g-f")),
    ("weak_points", _args(TWENTY, RING)),
    ("weak_points", _args(TWENTY, LINE + " n15-n9")),
    ("weak_points", WIDE_LINK),
)

GOOD = _args("a b", "a-b")

MALFORMED: tuple[Input, ...] = (
    ("groups", {"links": []}),
    ("groups", {"nodes": ["a"]}),
    ("groups", {**GOOD, "nodes": []}),
    ("groups", {**GOOD, "nodes": "ab"}),
    ("groups", {**GOOD, "nodes": ["a", "b", ""]}),
    ("groups", {**GOOD, "nodes": ["a", "b", 3]}),
    ("groups", {**GOOD, "nodes": ["a", "b", "n" * 31]}),
    ("groups", {**GOOD, "nodes": ["a", "b", wide(31)]}),
    ("groups", {**GOOD, "nodes": [str(number) for number in range(21)]}),
    ("groups", {**GOOD, "links": {"a": "b"}}),
    ("groups", {**GOOD, "links": ["a", "b"]}),
    ("groups", {**GOOD, "links": [["a", "b"], "ab"]}),
    ("groups", {**GOOD, "links": [["a"]]}),
    ("groups", {**GOOD, "links": [["a", "b", "b"]]}),
    ("groups", {**GOOD, "links": [["a", ""]]}),
    ("groups", {**GOOD, "links": [["a", 1]]}),
    ("groups", {**GOOD, "links": [["a", wide(31)]]}),
    ("groups", {**GOOD, "links": [["a", "b"]] * 41}),
    ("groups", {"nodes": ["a", "a"], "links": [["a", "x"], ["x"]]}),
    ("strong_groups", {"nodes": ["a"]}),
    ("strong_groups", {"nodes": None, "links": []}),
    ("strong_groups", {**GOOD, "links": [["a", "b"], [None, "b"]]}),
    ("strong_groups", {**GOOD, "links": "a-b"}),
    ("weak_points", {"links": [["a", "b"]]}),
    ("weak_points", {**GOOD, "nodes": {"a": 1, "b": 2}}),
    ("weak_points", {**GOOD, "links": [["a", "b"], ["b", True]]}),
    ("weak_points", {**GOOD, "links": [[]]}),
)

FAMILY = Family(
    number=34,
    slug="components",
    category="graphs",
    title="Connected components",
    purpose="Tells how a graph with named nodes hangs together: its groups, the groups that hold when links are "
    "followed one way only, and the links and nodes without which it would fall apart.",
    notes=NOTES,
    operations=(GROUPS, STRONG, WEAK),
    program=program,
    # park-lake-zoo-park is a cycle, and the two links zoo-gate, gate-zoo too: {gate, lake, park, zoo} is strong. Links into it:
    # from depot; out of it: gate->mall. mall has a loop and no link to others: an exit. depot is an entry. inn has no
    # links: both. Entries: depot, inn. Exits: inn, mall. missing = 2.
    golden=Case(
        op="strong_groups",
        args=_args(
            "zoo park lake gate mall depot inn",
            "park-lake lake-zoo zoo-park zoo-gate gate-zoo gate-mall mall-mall depot-park",
        ),
        expected={
            "groups": [
                {"nodes": ["depot"], "entry": True, "exit": False},
                {"nodes": ["gate", "lake", "park", "zoo"], "entry": False, "exit": False},
                {"nodes": ["inn"], "entry": True, "exit": True},
                {"nodes": ["mall"], "entry": False, "exit": True},
            ],
            "missing": 2,
        },
    ),
    generate=generate,
    boundary=BOUNDARY,
    malformed=MALFORMED,
)
