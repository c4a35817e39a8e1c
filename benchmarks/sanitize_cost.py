"""CPU of sanitising an answer and flagging what is unsafe in it, against its length. Goal: linear up to 100 kB.

Ordinary answers, and texts made to be slow. For each kind: CPU of 100 kB over ten times that of 10 kB, the least of some
rounds. 1 is linear, 10 is quadratic. The goal is at most 2 (garbage collection and caches are in it), or 50 ms in all, where
times are too small to tell.
"""

import sys
import time
from collections.abc import Callable

from proofyard.source.sanitize import sanitize
from proofyard.source.unsafe import find_unsafe

SMALL, LARGE = 10_000, 100_000
ROUNDS = 2
GATE = 2.0
TOO_SHORT_S = 0.05

FUNCTION = (
    'def help_{n}(value):\n    """Return."""\n    if value > {n}:\n        return [value, "{n}"]\n    return None\n\n'
)
ENTRY = "def task_func(a):\n    return a\n\n"


def repeated(unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """A text of a length: a unit again and again, `{n}` in it counting."""
    numbered = "{n}" in unit

    def make(length: int) -> str:
        text, parts, n = len(before) + len(after), [], 0
        while text < length:
            part = unit.replace("{n}", str(n)) if numbered else unit
            parts.append(part)
            text += len(part)
            n += 1
        return before + "".join(parts) + after

    return make


def deeper(length: int) -> str:
    """Clauses each deeper than the last, again and again."""
    stair = "".join(f"{' ' * n}if x:\n" for n in range(90))
    return repeated(stair)(length)


KINDS: dict[str, Callable[[int], str]] = {
    "code alone": repeated(FUNCTION, ENTRY),
    "code in a fence": repeated(FUNCTION, "Here it is:\n```python\n" + ENTRY, "```\nThat is it.\n"),
    "prose with an apostrophe": repeated("It's what one wants (so they say), isn't it?\n", ENTRY),
    "prose and code in turn": repeated("The next one does more:\n\n" + FUNCTION, ENTRY),
    "blocks in turn": repeated("And:\n```python\n" + FUNCTION + "```\n", "```python\n" + ENTRY + "```\n"),
    "demonstrations": repeated("r{n} = task_func({n})\nprint(r{n})\n", ENTRY),
    "functions that break off": repeated("def f{n}():\n    x = 1\n    y y\n    z = 2\n", ENTRY),
    "one function, an error at its end": repeated("    x = {n}\n", ENTRY + "def f():\n", "    y y\n"),
    "one function, an error at its start": repeated("    x = {n}\n", ENTRY + "def f():\n    y y\n"),
    "a try without its handler": repeated("    x = {n}\n", ENTRY + "try:\n", "end of it\n"),
    "opening brackets": repeated("(\n", ENTRY),
    "calls never closed": repeated("x = f(\n", ENTRY),
    "brackets closed and opened": repeated(") + (\n", ENTRY + "x = (\n"),
    "backslashes": repeated("a + \\\n", ENTRY, "b b\n"),
    "backslashes in strings": repeated("'a\\\n", ENTRY),
    "triple quotes": repeated('"""\n', ENTRY),
    "triple quotes of two kinds": repeated("'''\n\"\"\"\n", ENTRY),
    "quotes that open and close": repeated('""" + """ + "\n', ENTRY),
    "decorators": repeated("@d\n", ENTRY, "end of it\n"),
    "tries": repeated("try:\n    x\n", ENTRY),
    "stairs": deeper,
    "fences": repeated("```\n", ENTRY),
    "Python fences": repeated("```python\n", ENTRY),
    "fences of two kinds": repeated("```python\n~~~\n", ENTRY),
    "open docstrings in fences": repeated('```python\ndef f():\n    """\n```\n', ENTRY),
    "thinking": repeated("<think>\n", ENTRY),
    "thoughts": repeated("</think>\n", ENTRY),
    "indented code": repeated("So:\n\n    x = {n}\n    y y\n\n", ENTRY),
    "one line of brackets": repeated("[", ENTRY),
    "one line of brackets in turn": repeated("()[]{}", ENTRY),
    "one line of quotes": repeated("'", ENTRY),
    "one line of triple quotes": repeated('"""a"""', ENTRY + "x = "),
    "one line of signs": repeated("-", ENTRY),
    "one line of sums": repeated("1+", ENTRY + "x = ", "1\n"),
    "one line of attributes": repeated("a.", ENTRY + "x = ", "a\n"),
    "one line of calls": repeated("f().", ENTRY + "x = ", "a\n"),
    "one line of statements": repeated("x = 1;", ENTRY, "y\n"),
    "one line of words": repeated("not ", ENTRY),
    "one line of lambdas": repeated("lambda:", ENTRY),
    "names for names": repeated("a{n} = b\nb = a{n}\n", ENTRY, "b.append(1)\n"),
    "functions in a chain": repeated("def f{n}():\n    return f{n}0()\n", ENTRY),
    "zero bytes": repeated("x = 1\n\0\n", ENTRY),
    "sequences of terminals": repeated("\x1b[31mx\x1b[0m\n", ENTRY),
}


def cpu(text: str) -> float:
    """Seconds of CPU to sanitise a text and to flag what is unsafe in it."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        find_unsafe(sanitize(text, "task_func").code)
        times.append(time.process_time() - start)
    return min(times)


def main() -> int:
    worst, failed = 0.0, []
    asked = sys.argv[1:] or KINDS
    for name in asked:
        make = KINDS[name]
        small, large = cpu(make(SMALL)), cpu(make(LARGE))
        ratio = large / small / (LARGE / SMALL)
        good = ratio <= GATE or large <= TOO_SHORT_S
        worst = max(worst, large)
        failed += [] if good else [name]
        verdict = "" if good else " FAILED"
        print(f"{name}: {small * 1000:.1f} ms at 10 kB, {large * 1000:.0f} ms at 100 kB, ratio {ratio:.2f}{verdict}")
    print(f"slowest {worst * 1000:.0f} ms; {len(KINDS)} kinds, {len(failed)} over {GATE}: {', '.join(failed) or 'ok'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
