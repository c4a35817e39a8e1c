"""Word frequency against regular expressions and plain counting."""

# ruff: noqa: RUF001 - look-alike characters are what this family is about

import re
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from proofyard.suites.scratch.families.word_frequency import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "regular expressions and counting"

TEXTS = st.lists(st.sampled_from([*"abB1é .!?'’-_\n²", "the", "THE", "ß", "SS"]), max_size=40).map("".join)
STOP = st.sampled_from(["the", "A", "b", "’", "(the)", "a’b", "the the", "-b", "1"])
# [^\W_] is every letter and every number; numbers other than 0-9 are blanked first.
TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def plain(text: str) -> str:
    return re.sub(r"[^\W\d_]|\d", lambda m: m[0] if m[0].isalpha() or m[0] in "0123456789" else " ", text)


def tokens(text: str) -> list[str]:
    return [
        m.replace("’", "'").casefold()
        for m in TOKEN.findall(plain(text))
        if not m.replace("-", "").isascii() or re.search("[a-zA-Z]", m)
    ]


def count(text: str, args: dict[str, Any]) -> dict[str, Any]:
    stop = {s.replace("’", "'").casefold() for s in args.get("stopwords", ()) if TOKEN.fullmatch(plain(s))}
    kept = [w for w in tokens(text) if len(w) >= args.get("min_length", 1) and w not in stop]
    order = sorted(set(kept))
    order.sort(key=kept.count, reverse=True)
    found = [{"word": w, "count": kept.count(w)} for w in order]
    return {"total": len(kept), "distinct": len(order), "words": found[: args.get("limit", 10)]}


@given(TEXTS, st.integers(1, 5), st.integers(1, 4), st.lists(STOP, max_size=2))
def test_top_as_counted_by_regular_expression(text: str, limit: int, shortest: int, stop: list[str]) -> None:
    args = {"text": text, "limit": limit, "min_length": shortest, "stopwords": stop}
    assert play(FAMILY, "top", args) == count(text, args)


def test_top_on_its_own_inputs() -> None:
    for args in of(FAMILY, "top", 300):
        assert play(FAMILY, "top", args) == count(args["text"], args)


def test_pairs_on_its_own_inputs() -> None:
    for args in of(FAMILY, "pairs", 400):
        seen: Counter[tuple[str, str]] = Counter()
        for sentence in args["text"].replace("!", ".").replace("?", ".").split("."):
            line = tokens(sentence)
            seen.update((line[i], line[i + 1]) for i in range(len(line) - 1))
        result = play(FAMILY, "pairs", args)
        assert result["total"] == sum(seen.values())
        rows = sorted((-n, first, second) for (first, second), n in seen.items())
        rows = rows[: args.get("limit", 10)]
        assert result["pairs"] == [{"first": f, "second": s, "count": -n} for n, f, s in rows]


@given(TEXTS, TEXTS)
def test_compare_against_counting(left: str, right: str) -> None:
    result = play(FAMILY, "compare", {"left": left, "right": right})
    ours, theirs = tokens(left), tokens(right)
    every = sorted({*ours, *theirs})
    if not every:
        assert result == {"code": "no_words"}
        return
    assert result["left_only"] == [w for w in every if w not in theirs]
    assert result["right_only"] == [w for w in every if w not in ours]
    assert result["common"] == [
        {"word": w, "left": ours.count(w), "right": theirs.count(w)} for w in every if w in ours and w in theirs
    ]
    small = sum(min(ours.count(w), theirs.count(w)) for w in every)
    great = sum(max(ours.count(w), theirs.count(w)) for w in every)
    doubled = 2 * result["overlap"] * great
    assert 200 * small - great < doubled <= 200 * small + great


@given(TEXTS)
def test_a_text_overlaps_itself_wholly(text: str) -> None:
    result = play(FAMILY, "compare", {"left": text, "right": text})
    assert result.get("overlap", 100) == 100


def test_worked_examples_of_the_contract() -> None:
    top = play(FAMILY, "top", {"text": "rock-n-roll don't -x y' (z) a--b c'-d 2nd 2024"})
    assert [w["word"] for w in top["words"]] == ["2nd", "a", "b", "c", "d", "don't", "rock-n-roll", "x", "y", "z"]


def test_a_stopword_that_is_no_word_matches_nothing() -> None:
    for stopword in ("(the)", "i\u0307", "-the", "the-", "the the", "42", "?"):
        args = {"text": "The İ 2nd", "stopwords": [stopword]}
        assert [w["word"] for w in play(FAMILY, "top", args)["words"]] == ["2nd", "i\u0307", "the"]
    for stopword in ("İ", "THE", "2ND"):
        assert play(FAMILY, "top", {"text": "The İ 2nd", "stopwords": [stopword]})["total"] == 2
