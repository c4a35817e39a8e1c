"""Flows against every cut and against networkx."""

from itertools import product
from typing import Any

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from proofyard.suites.scratch.families.max_flow import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "every cut, and networkx"

NAMES = ["s", "t", "b", "a", "é"]
EDGES = st.lists(
    st.fixed_dictionaries(
        {
            "from": st.sampled_from(NAMES),
            "to": st.sampled_from(NAMES),
            "capacity": st.integers(0, 4),
            "flow": st.integers(0, 4),
        }
    ),
    max_size=8,
)


def cuts(args: dict[str, Any]) -> list[tuple[int, set[str]]]:
    """All cuts: capacity and source side."""
    named = {edge[end] for edge in args["edges"] for end in ("from", "to")}
    inner = sorted(named - {args["source"], args["sink"]})
    found = []
    for bits in product((False, True), repeat=len(inner)):
        side = {args["source"], *(name for name, bit in zip(inner, bits, strict=True) if bit)}
        crossing = [e["capacity"] for e in args["edges"] if e["from"] in side and e["to"] not in side]
        found.append((sum(crossing), side))
    return found


def limit(args: dict[str, Any], changed: int = -1, by: int = 0) -> int:
    """The maximum if the capacity of one edge is changed."""
    edges = [{**e, "capacity": e["capacity"] + by * (n == changed)} for n, e in enumerate(args["edges"])]
    return min(cuts({**args, "edges": edges}), key=lambda cut: cut[0])[0]


def flow(args: dict[str, Any]) -> Any:
    value, side = min(cuts(args), key=lambda cut: (cut[0], len(cut[1])))
    across = [n for n, e in enumerate(args["edges"], 1) if {e["from"]} <= side and not {e["to"]} <= side]
    return {"value": value, "source_side": sorted(side), "cut": across}


def changes(args: dict[str, Any]) -> Any:
    now = limit(args)
    places = range(len(args["edges"]))
    return {
        "raising": [n + 1 for n in places if limit(args, n, 1) > now],
        "lowering": [n + 1 for n in places if args["edges"][n]["capacity"] >= 1 and limit(args, n, -1) < now],
    }


def verify(args: dict[str, Any]) -> Any:
    def gain(node: str) -> int:
        into = sum(e["flow"] for e in args["edges"] if e["to"] == node)
        return into - sum(e["flow"] for e in args["edges"] if e["from"] == node)

    over = [n for n, e in enumerate(args["edges"], 1) if e["capacity"] < e["flow"]]
    inner = {e[end] for e in args["edges"] for end in ("from", "to")} - {args["source"], args["sink"]}
    wrong = [{"node": node, "excess": gain(node)} for node in sorted(inner) if gain(node) != 0]
    value = -gain(args["source"])
    good = not over and not wrong
    return {"value": value, "over": over, "unbalanced": wrong, "maximum": good and value == limit(args)}


WANTED = {"flow": flow, "changes": changes, "verify": verify}


@given(EDGES)
def test_small_networks(edges: list[Any]) -> None:
    args = {"edges": edges, "source": "s", "sink": "t"}
    for op, wanted in WANTED.items():
        assert play(FAMILY, op, args) == wanted(args)


def test_its_own_inputs() -> None:
    for op, wanted in WANTED.items():
        for args in of(FAMILY, op, 100):
            if args["source"] == args["sink"]:
                assert play(FAMILY, op, args) == {"code": "same_node"}
            elif len(args["edges"]) < 30:
                assert play(FAMILY, op, args) == wanted(args)


def test_values_are_those_of_networkx() -> None:
    for args in of(FAMILY, "flow", 300):
        if args["source"] != args["sink"]:
            made = nx.DiGraph()
            made.add_nodes_from([args["source"], args["sink"]])
            for edge in args["edges"]:
                known = made.get_edge_data(edge["from"], edge["to"], {"capacity": 0})["capacity"]
                made.add_edge(edge["from"], edge["to"], capacity=known + edge["capacity"])
            result = play(FAMILY, "flow", args)
            assert result["value"] == nx.maximum_flow_value(made, args["source"], args["sink"])
            assert result["value"] == sum(args["edges"][n - 1]["capacity"] for n in result["cut"])
