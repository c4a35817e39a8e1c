"""Edit distances against shortest paths in a grid, found by networkx."""

from typing import Any

import networkx as nx  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.edit_distance import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "networkx: shortest paths in the grid of both texts"

LETTERS = "krsdi"
TEXTS = st.text("abc", max_size=6)
COSTS = st.dictionaries(st.sampled_from(["replace", "swap", "delete", "insert"]), st.integers(0, 4))


def grid(left: str, right: str, costs: dict[str, int]) -> nx.DiGraph:
    """All steps as edges, from the end of each step to its beginning."""
    graph = nx.DiGraph()
    graph.add_node((len(left), len(right)))
    for i in range(len(left) + 1):
        for j in range(len(right) + 1):
            steps = []
            if i < len(left):
                steps.append(("d", i + 1, j, costs.get("delete", 1)))
            if j < len(right):
                steps.append(("i", i, j + 1, costs.get("insert", 1)))
            if i < len(left) and j < len(right):
                same = left[i] == right[j]
                steps.append(("k", i + 1, j + 1, 0) if same else ("r", i + 1, j + 1, costs.get("replace", 1)))
            if i + 1 < len(left) and j + 1 < len(right) and (left[i], left[i + 1]) == (right[j + 1], right[j]):
                steps.append(("s", i + 2, j + 2, costs.get("swap", 1)))
            for letter, down, across, cost in steps:
                graph.add_edge((down, across), (i, j), weight=cost, letter=letter)
    return graph


def check_script(args: dict[str, Any]) -> None:
    """The script is a path with the least cost, and at each place no earlier letter would be as cheap."""
    graph = grid(args["left"], args["right"], args)
    end = len(args["left"]), len(args["right"])
    left = nx.single_source_dijkstra_path_length(graph, end)
    result = play(FAMILY, "script", args)
    assert result["distance"] == left[0, 0]
    place = 0, 0
    for letter in result["script"]:
        cheapest = [
            (LETTERS.index(step["letter"]), after)
            for after, _, step in graph.in_edges(place, data=True)
            if left[after] + step["weight"] == left[place]
        ]
        rank, place = min(cheapest)
        assert letter == LETTERS[rank]
    assert place == end


def check_nearest(args: dict[str, Any]) -> None:
    word = args["word"]
    far = {}
    for other in args["words"]:
        lengths = nx.single_source_dijkstra_path_length(grid(word, other, {}), (len(word), len(other)))
        far[other] = lengths[0, 0]
    near = sorted(other for other in far if far[other] <= args.get("within", 2))
    near.sort(key=lambda other: max(n for n in range(13) if other[:n] == word[:n] and n <= len(other)), reverse=True)
    near.sort(key=lambda other: far[other])
    result = play(FAMILY, "nearest", args)
    if near:
        assert result == {"words": [{"word": other, "distance": far[other]} for other in near]}
    else:
        assert result == {"code": "none_near", "distance": min(far.values())}


@settings(max_examples=40)
@given(TEXTS, TEXTS, COSTS)
def test_script_is_the_first_shortest_path(left: str, right: str, costs: dict[str, int]) -> None:
    check_script({"left": left, "right": right, **costs})


@settings(max_examples=40)
@given(TEXTS, TEXTS, st.integers(0, 4))
def test_the_distance_is_the_same_both_ways(left: str, right: str, cost: int) -> None:
    there = play(FAMILY, "script", {"left": left, "right": right, "delete": cost, "swap": 2})
    back = play(FAMILY, "script", {"left": right, "right": left, "insert": cost, "swap": 2})
    assert there["distance"] == back["distance"]


@settings(max_examples=40)
@given(TEXTS.filter(bool), st.lists(TEXTS.filter(bool), min_size=1, max_size=6), st.integers(0, 4))
def test_nearest_by_sorting(word: str, words: list[str], within: int) -> None:
    check_nearest({"word": word, "words": words, "within": within})


def test_own_inputs() -> None:
    for args in of(FAMILY, "script", 30):
        check_script(args)
    for args in of(FAMILY, "nearest", 40):
        check_nearest(args)
