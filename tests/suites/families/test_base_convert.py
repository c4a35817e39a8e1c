"""Base conversion against Python's `int`, the value of the digits place by place, and the definition of rounding."""

import re
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.base_convert import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "Python's int(), sums over places, a regular expression for the faults"

ORDER = "0123456789abcdefghijklmnopqrstuvwxyz"
BASES = st.integers(2, 36) | st.integers(-36, -2)
ROUGH = st.text(st.sampled_from("01179aAzZ_.-_ +$"), min_size=1, max_size=10)


def fault(text: str, base: int, pointed: bool) -> int | None:
    """The first position that no regular expression of a beginning reaches; None if the text is right."""
    last = abs(base) - 1
    digit = f"[0-{last}]" if last < 10 else f"[0-9a-{ORDER[last]}A-{ORDER[last].upper()}]"
    run = f"{digit}(_?{digit})*"
    point = rf"(\.({run})?)?" if pointed else ""
    # A beginning: a sign, then runs; a mark may hang at its end.
    beginnings = [f"-?({run})?", f"-?{run}_", rf"-?{run}{point}", rf"-?{run}\.{run}_" if pointed else "-?"]
    full = f"-?{run}" + (rf"(\.{run})?" if pointed else "")
    if re.fullmatch(full, text):
        return None
    reach = [n for n in range(len(text) + 1) if any(re.fullmatch(b, text[:n]) for b in beginnings)]
    return max(reach)


def value(text: str, base: int) -> Fraction:
    whole, _, rest = text.replace("_", "").lower().lstrip("-").partition(".")
    total = sum((Fraction(base) ** n * ORDER.index(c) for n, c in enumerate(reversed(whole))), Fraction(0))
    total += sum((Fraction(base) ** -n * ORDER.index(c) for n, c in enumerate(rest, 1)), Fraction(0))
    return -total if text[0] == "-" else total


def check_convert(args: dict[str, Any]) -> None:
    result = play(FAMILY, "convert", args)
    base, group = args["to_base"], args.get("group")
    position = fault(args["digits"], args["from_base"], False)
    if position is not None:
        assert result == {"code": "bad_digit", "position": position}
        return
    digits = result["digits"]
    plain = digits.replace("_", "")
    wanted = value(args["digits"], args["from_base"])
    assert value(plain, base) == wanted
    if base > 0:
        assert int(plain, base) == wanted
    if args["from_base"] > 0:
        assert int(args["digits"], args["from_base"]) == wanted
    assert plain.startswith("-") == (wanted < 0 < base)
    body = plain.removeprefix("-")
    assert all(ORDER.index(c) < abs(base) for c in body)
    assert body == "0" or body[0] != "0"
    parts = digits.removeprefix("-").split("_")
    assert [len(p) for p in parts[1:]] == [group] * (len(parts) - 1)
    assert 0 < len(parts[0]) <= (group or len(body))


def check_expand(args: dict[str, Any]) -> None:
    result = play(FAMILY, "expand", args)
    base, places = args["to_base"], args["places"]
    position = fault(args["digits"], args["from_base"], True)
    if position is not None:
        assert result == {"code": "bad_digit", "position": position}
        return
    digits = result["digits"]
    wanted, got = value(args["digits"], args["from_base"]), value(digits, base)
    assert result["exact"] == (wanted == got)
    half = Fraction(1, 2 * base**places)
    assert abs(got - wanted) <= half
    assert abs(got - wanted) < half or abs(got) > abs(wanted)
    assert digits.startswith("-") == (got < 0)
    whole, point, rest = digits.lstrip("-").partition(".")
    assert (len(rest), bool(point)) == (places, places > 0)
    assert whole == "0" or whole[0] != "0"
    assert set(whole + rest) <= set(ORDER[:base])


@st.composite
def numbers(draw: st.DrawFn, base: int, pointed: bool) -> str:
    run = st.text(st.sampled_from(ORDER[: abs(base)]), min_size=1, max_size=9)
    text = draw(st.sampled_from(["", "-"])) + "_".join(draw(st.lists(run, min_size=1, max_size=2)))
    return text + ("." + draw(run) if pointed and draw(st.booleans()) else "")


@settings(max_examples=100)
@given(BASES.flatmap(lambda b: st.tuples(numbers(b, False) | ROUGH, st.just(b), BASES, st.none() | st.integers(1, 4))))
def test_integers(drawn: tuple[str, int, int, int | None]) -> None:
    text, from_base, to_base, group = drawn
    args: dict[str, Any] = {"digits": text, "from_base": from_base, "to_base": to_base}
    check_convert({**args, "group": group} if group else args)


@settings(max_examples=100)
@given(
    st.integers(2, 36).flatmap(lambda b: st.tuples(numbers(b, True) | ROUGH, st.just(b))),
    st.integers(2, 36),
    st.integers(0, 5),
)
def test_fractions(drawn: tuple[str, int], to_base: int, places: int) -> None:
    check_expand({"digits": drawn[0], "from_base": drawn[1], "to_base": to_base, "places": places})


def test_its_own_inputs() -> None:
    for args in of(FAMILY, "convert", 300):
        check_convert(args)
    for args in of(FAMILY, "expand", 300):
        check_expand(args)
