"""Topological orders against every order that networkx lists, its generations and its transitive reduction."""

from typing import Any

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.topological_order import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "networkx"

NAMES = ["b", "a", "B", "é", "10"]
PAIRS = st.lists(
    st.sampled_from(NAMES[:4]).flatmap(lambda a: st.tuples(st.just(a), st.sampled_from(NAMES))), max_size=8
)


def graph(args: dict[str, Any]) -> Any:
    made = nx.DiGraph()
    made.add_nodes_from(args["items"])
    made.add_edges_from(args["pairs"])
    return made


def error(args: dict[str, Any]) -> Any:
    """The domain error that is due, if any."""
    items = args["items"]
    if len(set(items)) < len(items):
        return {"code": "duplicate_item"}
    if not {name for pair in args["pairs"] for name in pair} <= set(items):
        return {"code": "unknown_item"}
    on_cycles = {name for cycle in nx.strongly_connected_components(graph(args)) if len(cycle) > 1 for name in cycle}
    on_cycles |= {a for a, b in args["pairs"] if a == b}
    return {"code": "cycle", "items": sorted(on_cycles)} if on_cycles else None


def best(args: dict[str, Any]) -> list[str]:
    """Of all orders: the smallest, or the one in which the smallest name stands first of all, then the next smallest."""
    orders = list(nx.all_topological_sorts(graph(args)))
    if args.get("fill") != "back":
        return min(orders)
    return min(orders, key=lambda order: [order.index(name) for name in sorted(order)])


def greedy(args: dict[str, Any]) -> list[str]:
    if args.get("fill") != "back":
        return list(nx.lexicographical_topological_sort(graph(args)))
    ranks = {name: -rank for rank, name in enumerate(sorted(args["items"]))}
    return list(nx.lexicographical_topological_sort(graph(args).reverse(), key=ranks.__getitem__))[::-1]


def check_levels(args: dict[str, Any]) -> None:
    assert play(FAMILY, "levels", args) == {"levels": [sorted(g) for g in nx.topological_generations(graph(args))]}


def check_reduce(args: dict[str, Any]) -> None:
    kept = sorted(map(list, nx.transitive_reduction(graph(args)).edges))
    assert play(FAMILY, "reduce", args) == {"pairs": kept, "removed": len(args["pairs"]) - len(kept)}


@settings(max_examples=60)
@given(PAIRS, st.sampled_from(["front", "back"]))
def test_everything_on_small_graphs(pairs: list[Any], fill: str) -> None:
    args = {"items": NAMES, "pairs": [list(pair) for pair in pairs]}
    if code := error(args):
        assert all(play(FAMILY, op, args) == code for op in ("sequence", "levels", "reduce"))
        args["pairs"] = [sorted(pair) for pair in args["pairs"] if pair[0] != pair[1]]
    assert play(FAMILY, "sequence", {**args, "fill": fill}) == {"order": best({**args, "fill": fill})}
    check_levels(args)
    check_reduce(args)


def test_sequence_on_its_own_inputs() -> None:
    for args in of(FAMILY, "sequence", 200):
        assert play(FAMILY, "sequence", args) == (error(args) or {"order": greedy(args)})


def test_levels_and_reduce_on_their_own_inputs() -> None:
    for op, check in (("levels", check_levels), ("reduce", check_reduce)):
        for args in of(FAMILY, op, 300):
            if code := error(args):
                assert play(FAMILY, op, args) == code
            else:
                check(args)
