import pytest

from proofyard.source.sanitize import Removed, sanitize, trim
from proofyard.source.sanitize_parts import Kind
from proofyard.source.unsafe import find_unsafe

F = "def f():\n    return {}\n"

KEPT = {
    "imports": "import os\nfrom a import b as c\n" + F.format(1),
    "a guarded import": "try:\n    import json\nexcept ImportError:\n    json = None\n" + F.format(1),
    "an import for one version": "import sys\nif sys.version_info > (3, 9):\n    import tomllib\n" + F.format(1),
    "a decorated entry point": "from functools import cache\n\n\n@cache\n" + F.format(1),
    "a decorated helper": "@dataclass\nclass P:\n    x: int = 1\n\n\n" + F.format("P()"),
    "what a decorator registers": "REG = []\ndef mark(g):\n    REG.append(g)\n    return g\n@mark\ndef one(): pass\n"
    + F.format("REG"),
    "a tuple assigned": "a, b = 1, 2\n" + F.format("a"),
    "an augmented assignment": "X = 1\nX += 1\n" + F.format("X"),
    "an annotated assignment": "X: int = 1\n" + F.format("X"),
    "a chained assignment": "X = Y = []\nY.append(1)\n" + F.format("X"),
    "a lambda": "g = lambda x: x + K\nK = 1\n" + F.format("g(1)"),
    "async": "async def g():\n    return 1\n\n\nasync def f():\n    return await g()\n",
    "a change of a value": "X = []\nX.append(1)\nX[0] = 2\ndel X[0]\n" + F.format("X"),
    "a change under another name": "X = []\nY = X\nY.append(1)\n" + F.format("X"),
    "a loop that fills a table": "T = {}\nfor i in range(3):\n    T[i] = i * i\n" + F.format("T"),
    "what is set up elsewhere": "import random, matplotlib\nrandom.seed(0)\nmatplotlib.use('Agg')\n" + F.format(1),
    "a setting by a function of its own": "S = {}\ndef prepare():\n    S['a'] = 1\n\nprepare()\n" + F.format("S"),
    "a global filled by a call": "def fill():\n    global G\n    G = 1\n\nfill()\n" + F.format("G"),
    "a table the program fills itself": "T = {}\n" + F.format("T") + "T[1] = f()\n",
    "the last definition": "def g():\n    return 1\ndef g():\n    return 2\n" + F.format("g()"),
    "a wrapped entry point": F.format(1) + "f = cache(f)\n",
    "a registered entry point": "import reg\n" + F.format(1) + "reg.register(f)\n",
    "methods wanted by name": "def g(): pass\n" + F.format("globals()['g']"),
    "a class in an annotation": "class N: pass\ndef f(x: 'List[N]'):\n    return x\n",
    "a subclass of what is wanted": "class A: pass\nclass B(A): pass\n" + F.format("A.__subclasses__()"),
    "a constant nobody uses": "LIMIT = 5\n" + F.format(1),
    "a docstring": '"""About."""\n' + F.format(1),
    "the values of a demonstration, if wanted": "D = [1]\n" + F.format("D") + "\n",
}


@pytest.mark.parametrize("what", KEPT)
def test_kept_word_for_word(what: str) -> None:
    assert trim(KEPT[what], ["f"]) == (KEPT[what], ())


REMOVED = {
    "a main guard": ("if __name__ == '__main__':\n    f()\n", Kind.GUARD),
    "a main guard the other way round": ("if '__main__' == __name__ and X:\n    f()\n", Kind.GUARD),
    "a print": ("print(f())\n", Kind.DEMO),
    "a call": ("f()\n", Kind.DEMO),
    "a result": ("r = f()\n", Kind.DEMO),
    "a test": ("assert f() == 1\n", Kind.DEMO),
    "a loop of tests": ("for x in [1]:\n    y = f()\n    assert y == x\n", Kind.DEMO),
    "an attempt": ("try:\n    f()\nexcept Exception as error:\n    print(error)\n", Kind.DEMO),
    "a timing": ("timeit.timeit(lambda: f())\n", Kind.DEMO),
    "a call of main": ("main()\n", Kind.DEMO),
    "tests": ("unittest.main()\n", Kind.DEMO),
    "an end": ("sys.exit(0)\n", Kind.DEMO),
    "an input": ("input('Press')\n", Kind.DEMO),
    "a plot": ("plt.show()\n", Kind.DEMO),
    "a function nobody uses": ("def g():\n    return f()\n", Kind.DEFINITION),
    "a class nobody uses": ("class T(unittest.TestCase):\n    def test(self): f()\n", Kind.DEFINITION),
    "words": ("Explanation\n", Kind.NOTHING),
    "words after a colon": ("Note: this\n", Kind.NOTHING),
    "a stray return": ("return f\n", Kind.NOTHING),
}


@pytest.mark.parametrize("what", REMOVED)
def test_removed(what: str) -> None:
    text, kind = REMOVED[what]
    before = "import os\n" + F.format(1)
    code, removed = trim(f"{before}\n# Example:\n{text}", ["f"])
    assert code == before
    assert removed == (Removed(6, 5 + text.count("\n"), kind),)


def test_what_only_demonstrations_want_goes_with_them() -> None:
    before = "import pandas as pd\n" + F.format(1)
    demo = "df = pd.read_csv('x.csv')\ndf.drop(1)\nr = f(df)\nr.plot()\nprint(r)\nsuite = load(TestF)\nrun(suite)\n"
    tests = "class TestF(unittest.TestCase):\n    def test(self): f()\n"
    assert trim(before + tests + demo, ["f"])[0] == before


def test_a_deletion_goes_with_what_it_deletes() -> None:
    program = "x = 1\n" + F.format(1) + "print(f(x))\ndel x\n"
    assert trim(program, ["f"])[0] == "x = 1\n" + F.format(1) + "del x\n"


def test_names_that_others_may_want() -> None:
    program = "def g():\n    return 1\n" + F.format(1)
    assert trim(program, ["f", "g"])[0] == program
    assert trim(program, ["f"])[0] == F.format(1)


def test_statements_that_share_a_line_stay_together() -> None:
    program = F.format(1) + "import os; print(f())\nprint(f()); f()\n"
    assert trim(program, ["f"])[0] == F.format(1) + "import os; print(f())\n"


def test_comments_of_a_string_above_are_no_comments() -> None:
    program = "X = '''\n# a\n# b'''\nprint(f())\n" + F.format("X")
    assert trim(program, ["f"])[0] == "X = '''\n# a\n# b'''\n" + F.format("X")


def test_future_imports_come_first() -> None:
    program = "import os\nfrom __future__ import annotations\n" + F.format(1)
    assert trim(program, ["f"])[0] == "from __future__ import annotations\nimport os\n" + F.format(1)


@pytest.mark.parametrize("program", ["print(1)\n", "def g(): pass\ng()\n", "f(\n", ""])
def test_a_program_without_the_entry_point_stays_as_it_is(program: str) -> None:
    assert trim(program, ["f"]) == (program, ())


DEEP = {
    "clauses": "if x:\n    print(1)\n" + "elif x:\n    print(1)\n" * 600,
    "attributes": "x = 1; y = a" + ".a" * 900 + "\n",
    "calls": "x = 1; y = a" + "()" * 900 + "\n",
    "signs": "y = " + "-" * 900 + "1\n",
    "sums": "y = " + "1+" * 900 + "1\n",
    "brackets": "y = " + "(" * 150 + ")" * 150 + "\n",
    "decorators": "@a" + ".b" * 900 + "\ndef g(): pass\n",
}


@pytest.mark.parametrize("kind", DEEP)
def test_a_program_nested_deeply_is_no_harm(kind: str) -> None:
    program = DEEP[kind] + F.format(1)
    code, _ = trim(program, ["f"])
    assert code.endswith(F.format(1))
    assert sanitize(program, "f").defines
    assert find_unsafe(program) == ()


def test_of_an_answer() -> None:
    found = sanitize("So:\n```python\n" + F.format(1) + "print(f())\n```\n", "f")
    assert found == (F.format(1), "fenced", 1, False, True, (Removed(3, 3, Kind.DEMO),))
    assert sanitize("Sorry, no (", "f") == ("", "none", 1, False, False, ())


def test_a_program_that_was_trimmed_stays_so() -> None:
    once = trim("X = []\nX.append(1)\n" + F.format("X") + "r = f()\nprint(r)\n", ["f"])[0]
    assert trim(once, ["f"]) == (once, ())
