"""Five toy functions, each with a reference, wrong solutions, calls and what must come of them."""

from typing import Any, NamedTuple

import msgspec

from proofyard.core import (
    Brief,
    GraderSpec,
    Hidden,
    Image,
    Limits,
    MemoryBlobs,
    Outcome,
    Reason,
    SandboxSpec,
    Solution,
    Step,
    Task,
    tree_of,
)
from proofyard.graders.functions import Call, FunctionParameters, Wanted

PRELOAD = ("collections", "decimal", "fractions", "heapq", "itertools", "re", "statistics")


class Toy(NamedTuple):
    name: str
    prompt: str
    reference: str
    calls: tuple[tuple[tuple[Any, ...], Any], ...]
    wrong: dict[str, tuple[Reason, str]]


def pair(*items: Any) -> dict[str, Any]:
    return {"$type": "tuple", "items": list(items)}


TOYS = (
    Toy(
        "clamp",
        "clamp(value, low, high): value, but at least low and at most high.",
        "def clamp(value, low, high):\n    return max(low, min(high, value))\n",
        (((5, 1, 3), 3), ((0, 1, 3), 1), ((2, 1, 3), 2), ((2.5, 1, 3), 2.5)),
        {
            "swapped": (Reason.WRONG_RESULT, "def clamp(value, low, high):\n    return min(low, max(high, value))\n"),
            "always equal": (
                Reason.WRONG_RESULT,
                "class Same(int):\n    def __eq__(self, other): return True\n    __hash__ = int.__hash__\n"
                "def clamp(value, low, high):\n    return Same(7)\n",
            ),
            "exits": (Reason.CRASH, "import os\ndef clamp(value, low, high):\n    os._exit(0)\n"),
        },
    ),
    Toy(
        "runs",
        "runs(text): list of (character, count) for each run of equal characters.",
        "import itertools\ndef runs(text):\n    return [(key, len(list(group))) for key, group in itertools.groupby(text)]\n",
        ((("aab",), [pair("a", 2), pair("b", 1)]), (("",), [])),
        {
            "lists": (
                Reason.WRONG_RESULT,
                "def runs(text):\n    return [[c, text.count(c)] for c in sorted(set(text))]\n",
            ),
            "missing": (Reason.MISSING_OPERATION, "def run(text):\n    return []\n"),
        },
    ),
    Toy(
        "divide",
        "divide(a, b): the exact quotient as a string 'p/q' in lowest terms; ZeroDivisionError if b is 0.",
        "from fractions import Fraction\ndef divide(a, b):\n    f = Fraction(a, b)\n"
        "    return f'{f.numerator}/{f.denominator}'\n",
        (((6, 4), "3/2"), ((1, 0), ZeroDivisionError), ((-4, 2), "-2/1")),
        {
            "no error": (
                Reason.ERROR_HANDLING,
                "from fractions import Fraction\ndef divide(a, b):\n    f = Fraction(a, b or 1)\n"
                "    return f'{f.numerator}/{f.denominator}'\n",
            ),
            "broken import": (Reason.IMPORT_ERROR, "import fraktions\n"),
            "syntax": (Reason.IMPORT_ERROR, "def divide(a, b)\n"),
        },
    ),
    Toy(
        "middle",
        "middle(values): the median of the numbers as a float.",
        "import statistics\ndef middle(values):\n    print('working')\n    return float(statistics.median(values))\n",
        ((([3, 1, 2],), 2.0), (([1, 2],), 1.5), (([10**20],), 1e20)),
        {
            "upper": (Reason.WRONG_RESULT, "def middle(values):\n    return float(sorted(values)[len(values) // 2])\n"),
            "forged": (
                Reason.WRONG_RESULT,
                "import json, os\ndef middle(values):\n    for fd in range(3, 20):\n        try:\n"
                '            os.write(fd, b\'{"id": 1, "value": 2.0}\\n\')\n        except OSError: pass\n    return 0.0\n',
            ),
        },
    ),
    Toy(
        "letters",
        "letters(text): the set of letters in the text, lower case.",
        "import re\ndef letters(text):\n    return set(re.findall('[a-z]', text.lower()))\n",
        ((("Hello",), {"$type": "set", "items": ["e", "h", "l", "o"]}), (("",), {"$type": "set", "items": []})),
        {
            "a list": (Reason.WRONG_RESULT, "def letters(text):\n    return sorted({c.lower() for c in text})\n"),
            "endless": (Reason.TIMEOUT, "def letters(text):\n    while True: pass\n"),
            "raises": (Reason.WRONG_RESULT, "def letters(text):\n    raise SystemExit(0)\n"),
        },
    ),
)


def task(toy: Toy, *, preload: tuple[str, ...] = PRELOAD, marks: tuple[str, str] = ("", "")) -> Task:
    """The toy as a task. `marks` go into what is expected (as one more result) and into the name of the reference."""
    blobs = MemoryBlobs()
    calls = [Call(args=args) for args, _ in toy.calls]
    wanted = [Wanted(raises=w.__name__) if isinstance(w, type) else Wanted(value=w) for _, w in toy.calls]
    if marks[0]:
        calls.append(calls[0])
        wanted.append(Wanted(value=marks[0]))
    solutions = [
        Solution(name=marks[1] or "reference", kind="reference", tree=tree_of({"solution.py": toy.reference}, blobs))
    ]
    for name, (reason, source) in toy.wrong.items():
        tree = tree_of({"solution.py": source}, blobs)
        solutions.append(Solution(name=name, kind="mutant", tree=tree, expected=Outcome.FAILED, reason=reason))
    spec = SandboxSpec(image=Image(preload=preload), limits=Limits(cpu_ms=1000, wall_ms=10_000))
    step = Step(
        brief=Brief(task=f"toy-{toy.name}", prompt=toy.prompt, entry="solution.py", work=spec),
        grader=GraderSpec(
            kind="functions",
            parameters=msgspec.json.encode(FunctionParameters(function=toy.name, calls=tuple(calls))).decode(),
        ),
        grading=spec,
        hidden=Hidden(expected=msgspec.json.encode(wanted).decode(), solutions=tuple(solutions)),
    )
    return Task(id=f"toy-{toy.name}", suite="toy", version="1", steps=(step,))
