"""Case conversion against a splitter that goes character by character and looks at the neighbours."""

from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofyard.suites.scratch.families.case_convert import FAMILY
from tests.suites.families.harness import of, play

INDEPENDENT = "a splitter character by character"

NAMES = st.lists(st.sampled_from([*"abABC12_- 'é", "ab", "AB", "\u212a"]), max_size=9).map("".join)
STYLES = ["camel", "pascal", "title", "snake", "kebab", "constant"]
SMALL = dict(zip(ascii_uppercase, ascii_lowercase, strict=True))
GREAT = dict(zip(ascii_lowercase, ascii_uppercase, strict=True))


def words_of(name: str) -> list[str]:
    chars = [char for char in name if char != "'"]
    found = [""]
    for at, char in enumerate(chars):
        before = chars[at - 1] if at else "-"
        after = chars[at + 1] if at + 1 < len(chars) else "-"
        if char not in ascii_lowercase + ascii_uppercase + digits:
            found.append("")
            continue
        if char in ascii_uppercase:
            hump = before in ascii_lowercase + digits
            last = before in ascii_uppercase and after in ascii_lowercase
            if hump or last:
                found.append("")
        found[-1] += SMALL.get(char, char)
    return [word for word in found if word]


def write(words: list[str], style: str, acronyms: list[str]) -> str:
    made = ""
    for place, word in enumerate(words):
        spelled = next((a for a in acronyms if a.lower() == word), GREAT.get(word[0], word[0]) + word[1:])
        if style in {"snake", "constant"}:
            made += "_" * (place > 0) + (word if style == "snake" else "".join(GREAT.get(c, c) for c in word))
        elif style == "kebab":
            made += "-" * (place > 0) + word
        else:
            made += " " * (style == "title" and place > 0) + (word if style == "camel" and place == 0 else spelled)
    return made


def check_convert(args: dict[str, Any]) -> None:
    result = play(FAMILY, "convert", args)
    style, acronyms = args["style"], args.get("acronyms", [])
    split = [words_of(name) for name in args["names"]]
    if [] in split:
        assert result == {"code": "no_words", "name": split.index([]) + 1}
        return
    wanted: list[str] = []
    for words in split:
        tries = [words, *([*words, f"{n}"] for n in range(2, 30))]
        names = [write(attempt, style, acronyms) for attempt in tries]
        wanted.append(next(n for n in names if n not in wanted) if args.get("unique") else names[0])
    assert result == {"names": wanted}


def check_detect(name: str) -> None:
    words = words_of(name)
    styles = [style for style in STYLES if words and write(words, style, []) == name]
    assert play(FAMILY, "detect", {"name": name}) == {"words": words, "styles": styles}


@settings(max_examples=100)
@given(
    st.lists(NAMES, min_size=1, max_size=5),
    st.sampled_from(STYLES),
    st.lists(st.sampled_from(["AB", "aB", "A", "b", "2", "K", "a1"]), max_size=4),
    st.booleans(),
)
def test_convert_character_by_character(names: list[str], style: str, acronyms: list[str], unique: bool) -> None:
    check_convert({"names": names, "style": style, "acronyms": acronyms, "unique": unique})


@settings(max_examples=100)
@given(NAMES, st.sampled_from(STYLES))
def test_detect_character_by_character(name: str, style: str) -> None:
    check_detect(name)
    if words := words_of(name):
        check_detect(write(words, style, []))


@settings(max_examples=50)
@given(st.lists(NAMES.filter(words_of), min_size=1, max_size=6), st.sampled_from(STYLES))
def test_unique_names_are_all_different(names: list[str], style: str) -> None:
    made = play(FAMILY, "convert", {"names": names, "style": style, "unique": True})["names"]
    assert len(set(made)) == len(names)


def test_own_inputs() -> None:
    for args in of(FAMILY, "convert", 300):
        check_convert(args)
    for args in of(FAMILY, "detect", 300):
        check_detect(args["name"])
