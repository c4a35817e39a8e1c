import random

import pytest

from proofyard.source.extract_parse import parses
from proofyard.source.extract_runs import Run, Runs

LINES = [
    *(
        "x = 1",
        "def f(a):",
        "    return a",
        "    if a:",
        "        b = (a +",
        "        c)",
        "    else:",
        "try:",
        "    y = 2",
    ),
    *(
        "except E:",
        "finally:",
        "    z",
        "match x:",
        "    case 1:",
        "        q",
        "@dec",
        "class A:",
        "    '''doc",
        "    '''",
    ),
    *(
        "'''",
        '"""',
        "Here's the code:",
        "(see",
        "below)",
        'text = """abc',
        '""" + f(1)',
        "a + \\",
        "b",
        "# comment",
        "",
    ),
    *(
        "    # inner",
        "   ",
        "```",
        "foo(1,",
        "  2)",
        "[1,",
        "]",
        "x = {",
        "'abc\\",
        "def'",
        "elif b:",
        "\tq = 1",
        "  r = 1",
    ),
    *(
        "    try:",
        "        t",
        "    except:",
        "        u",
        "    finally:",
        "if x: y",
        "else: z",
        "try: x",
        "    @dec",
        "x; y",
    ),
    *(
        "    def m(self):",
        "        return '''",
        "        '''",
        "        while 2:",
        "            break",
        "@dec(",
        "s = r'\\'",
    ),
]


def every_pair(lines: list[str]) -> list[int]:
    """Where the longest run from each line ends, by trying them all."""
    ends = []
    for start in range(len(lines)):
        stops = [stop for stop in range(start + 1, len(lines) + 1) if parses("\n".join(lines[start:stop]))]
        ends.append(max(stops, default=start))
    return [*ends, len(lines)]


@pytest.mark.parametrize("seed", range(4))
def test_the_same_runs_as_by_trying_every_pair_of_lines(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        pool = chance.sample(LINES, chance.randint(3, 20))
        lines = [chance.choice(pool) for _ in range(chance.randint(1, 12))]
        assert Runs("\n".join(lines), limited=False).ends() == every_pair(lines), lines


def test_runs_do_not_overlap_and_all_parse() -> None:
    text = "Here's one:\n\nx = 1\n\ndef f():\n    return x\n\nAnd another (see:\n\ny = 2\nz z\nclass A:\n    pass\n    w w\n"
    runs = Runs(text)
    assert list(runs.disjoint()) == [Run(2, 7, 3), Run(9, 10, 1), Run(11, 13, 2)]
    assert runs.text(2, 4) == "x = 1\n"


KINDS = {
    "an error at the end of a long function": lambda n: "def f():\n" + "    x = 1\n" * n + "    y y\n",
    "a try without its handler": lambda n: "try:\n" + "    x = 1\n" * n + "end of it\n",
    "functions that break off": lambda n: "def f():\n    x = 1\n    y y\n" * n,
    "brackets never closed": lambda n: "(\n" * n,
    "backslashes": lambda n: "a + \\\n" * n + "b b\n",
    "decorators": lambda n: "@d\n" * n + "end of it\n",
    "triple quotes": lambda n: "'''\n\"\"\"\n" * n,
    "prose": lambda n: "It's so (or not).\n" * n,
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_parsed_and_scanned_grows_as_the_text_does(kind: str) -> None:
    share = []
    for count in (200, 3200):
        text = KINDS[kind](count)
        runs = Runs(text)
        list(runs.disjoint())
        share.append(runs.work / len(text))
    assert share[1] <= 2 * share[0] + 1
    assert share[1] <= 110


def test_an_entry_after_a_text_that_wears_the_search_out_is_still_found() -> None:
    text = "a + \\\n" * 3000 + "b b\n" + "def task():\n    return 1\n"
    assert Runs(text).text(*list(Runs(text).disjoint())[-1][:2]) == "def task():\n    return 1\n"
