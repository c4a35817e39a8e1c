"""Semantic versions against pairwise comparison by the rules, ranges as plain bounds, and every selection of packages."""

from functools import cmp_to_key
from itertools import product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.version import Version

from proofyard.suites.scratch.families.semver_resolve import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "every selection of packages, pairwise comparison, Python's packaging for releases"

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"
DIGITS = "0123456789"


def is_number(text: str) -> bool:
    return text != "" and set(text) <= set(DIGITS) and (text == "0" or text[0] != "0")


def is_version(text: str) -> bool:
    core, dash, rest = text.partition("-")
    numbers = core.split(".")
    if len(numbers) != 3 or not all(map(is_number, numbers)):
        return False
    labels = rest.split(".") if dash else []
    return all(
        set(label) <= set(LETTERS + DIGITS) and (is_number(label) or set(label) & set(LETTERS)) for label in labels
    )


def numbers_of(text: str) -> list[int]:
    return [int(part) for part in text.partition("-")[0].split(".")]


def labels_of(text: str) -> list[str]:
    return text.partition("-")[2].split(".") if "-" in text else []


def compare(left: str, right: str) -> int:
    """Less than 0, 0, or more than 0, by the steps of the semantic versioning specification."""
    for a, b in zip(numbers_of(left), numbers_of(right), strict=True):
        if a != b:
            return a - b
    one, other = labels_of(left), labels_of(right)
    if not one or not other:
        return bool(other) - bool(one)
    for x, y in zip(one, other, strict=False):
        if x == y:
            continue
        if x.isdigit() and y.isdigit():
            return int(x) - int(y)
        if x.isdigit() != y.isdigit():
            return -1 if x.isdigit() else 1
        return -1 if x < y else 1
    return len(one) - len(other)


def bounds(comparator: str) -> list[tuple[str, str]] | None:
    """A comparator as bounds: (sign, version), where `<<` compares the numbers only."""
    for sign in ("<=", ">=", "<", ">", "=", "^", "~", ""):
        if comparator.startswith(sign):
            base = comparator[len(sign) :]
            break
    if not is_version(base):
        return None
    x, y, z = numbers_of(base)
    if sign == "^":
        upper = f"{x + 1}.0.0" if x else f"0.{y + 1}.0" if y else f"0.0.{z + 1}"
        return [(">=", base), ("<<", upper)]
    if sign == "~":
        return [(">=", base), ("<<", f"{x}.{y + 1}.0")]
    return [(sign or "=", base)]


def parse(text: str) -> list[list[list[tuple[str, str]]]] | None:
    result: list[list[list[tuple[str, str]]]] = []
    for part in text.split("||"):
        words = [word for word in part.split(" ") if word]
        found = [bounds(word) for word in words]
        if words == ["*"]:
            result.append([])
        elif not words or None in found:
            return None
        else:
            result.append([bound for bound in found if bound])
    return result


def holds(version: str, sign: str, base: str) -> bool:
    if sign == "<<":
        return numbers_of(version) < numbers_of(base)
    order = compare(version, base)
    return {"=": order == 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[sign]


def fits(version: str, text: str) -> bool:
    for alternative in parse(text) or []:
        named = [base for bound in alternative for base in [bound[0][1]] if "-" in base]
        allowed = "-" not in version or any(numbers_of(base) == numbers_of(version) for base in named)
        if allowed and all(holds(version, sign, base) for bound in alternative for sign, base in bound):
            return True
    return False


def check_match(args: dict[str, Any]) -> None:
    result = play(FAMILY, "match", args)
    if not all(map(is_version, args["versions"])):
        assert result == {"code": "bad_version"}
    elif parse(args["range"]) is None:
        assert result == {"code": "bad_range"}
    else:
        matching = [v for v in args["versions"] if fits(v, args["range"])]
        matching.sort(key=cmp_to_key(compare), reverse=True)
        assert result == {"best": matching[0] if matching else None, "matching": matching}
        releases = [v for v in args["versions"] if "-" not in v and "*" in args["range"].split()]
        assert [v for v in result["matching"] if v in releases] == sorted(releases, key=Version, reverse=True)


def check_resolve(args: dict[str, Any]) -> None:
    result = play(FAMILY, "resolve", args)
    packages, needs = args["packages"], args["needs"]
    ranges = [*needs.values(), *(text for package in packages for text in package["needs"].values())]
    pairs = [(package["name"], package["version"]) for package in packages]
    if not all(is_version(version) for _, version in pairs):
        assert result == {"code": "bad_version"}
    elif any(parse(text) is None for text in ranges):
        assert result == {"code": "bad_range"}
    elif len(set(pairs)) < len(pairs):
        assert result == {"code": "duplicate"}
    else:
        best = best_selection(packages, needs)
        assert result == ({"code": "no_solution"} if best is None else {"selected": best})


def best_selection(packages: list[dict[str, Any]], needs: dict[str, str]) -> dict[str, str] | None:
    """Of all sound selections the one whose decisions, in their order, are the greatest."""
    names = sorted({package["name"] for package in packages})
    by_pair = {(package["name"], package["version"]): package["needs"] for package in packages}
    options = [[None, *(version for name, version in by_pair if name == wanted)] for wanted in names]
    best: tuple[list[str], dict[str, str]] | None = None
    for choice in product(*options):
        selected = {name: version for name, version in zip(names, choice, strict=True) if version is not None}
        if not sound(selected, by_pair, needs):
            continue
        order = decisions(selected, by_pair, needs)
        if len(order) == len(selected) and (best is None or beats(order, best[0], selected, best[1])):
            best = (order, selected)
    return best and best[1]


def sound(selected: dict[str, str], by_pair: dict[Any, dict[str, str]], needs: dict[str, str]) -> bool:
    for group in (needs, *(by_pair[pair] for pair in selected.items())):
        for name, text in group.items():
            if name not in selected or not fits(selected[name], text):
                return False
    return True


def decisions(selected: dict[str, str], by_pair: dict[Any, dict[str, str]], needs: dict[str, str]) -> list[str]:
    """The names in the order in which they become decided."""
    order: list[str] = []
    while True:
        known = {*needs, *(need for name in order for need in by_pair[name, selected[name]])} - set(order)
        if not known:
            return order
        order.append(min(known))


def beats(order: list[str], other: list[str], selected: dict[str, str], rival: dict[str, str]) -> bool:
    """As long as two selections agree, so does the next name; the first version that differs decides."""
    for name, same in zip(order, other, strict=False):
        assert name == same
        if selected[name] != rival[name]:
            return compare(selected[name], rival[name]) > 0
    raise AssertionError("two equal selections")


VERSIONS = st.builds(
    lambda numbers, label: ".".join(map(str, numbers)) + label,
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 3)),
    st.sampled_from(["", "", "-a", "-a.1", "-1", "-10", "-2", "-b", "-a-1"]),
)
COMPARATORS = st.builds(str.__add__, st.sampled_from(["", "=", "<", "<=", ">", ">=", "^", "~"]), VERSIONS)
RANGES = st.lists(
    st.lists(COMPARATORS, min_size=1, max_size=2).map(" ".join) | st.just("*"), min_size=1, max_size=2
).map(" || ".join)
ROUGH = st.text(st.sampled_from("0123.-a*|^~<>= "), min_size=1, max_size=12)
SMALL = st.sampled_from(["*", "1.0.0", "^1.0.0", "<2.0.0", ">=2.0.0"])
NEEDS = st.dictionaries(st.sampled_from("abcd"), SMALL, max_size=2)
PACKAGES = st.dictionaries(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["1.0.0", "1.5.0", "2.0.0"])), NEEDS, max_size=8
)


@settings(max_examples=60, deadline=None)
@given(RANGES | ROUGH, st.lists(VERSIONS, max_size=8), ROUGH)
def test_matches(text: str, versions: list[str], rough: str) -> None:
    check_match({"range": text, "versions": versions})
    check_match({"range": "*", "versions": [rough]})


@settings(max_examples=60, deadline=None)
@given(PACKAGES, NEEDS)
def test_selections(packages: dict[tuple[str, str], dict[str, str]], needs: dict[str, str]) -> None:
    offered = [{"name": name, "version": version, "needs": more} for (name, version), more in packages.items()]
    check_resolve({"packages": offered, "needs": needs})


def test_its_own_inputs() -> None:
    for args in of(FAMILY, "match", 200):
        check_match(args)
    for args in of(FAMILY, "resolve", 60):
        check_resolve(args)
