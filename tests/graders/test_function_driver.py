import json
import math
import subprocess
import sys
from collections import ChainMap, Counter, OrderedDict
from pathlib import Path
from typing import Any

import pytest

from proofyard.graders import function_driver
from proofyard.graders.function_driver import encoded


class Odd(int):
    pass


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        (True, True),
        (10**30, 10**30),
        (1.5, 1.5),
        ("x", "x"),
        ([1, [2]], [1, [2]]),
        ({"a": (1,)}, {"a": {"$type": "tuple", "items": [1]}}),
        ({1: 2}, {"$type": "dict", "items": [[1, 2]]}),
        ({3, 1, 2}, {"$type": "set", "items": [1, 2, 3]}),
        (frozenset(), {"$type": "frozenset", "items": []}),
        (b"\x00\xff", {"$type": "bytes", "text": "00ff"}),
        (math.inf, {"$type": "float", "text": "inf"}),
        (math.nan, {"$type": "float", "text": "nan"}),
        (Odd(1), {"$type": f"{Odd.__module__}.Odd"}),
        (OrderedDict(a=1), {"$type": "collections.OrderedDict", "items": [["a", 1]]}),
        (Counter("aa"), {"$type": "collections.Counter", "items": [["a", 2]]}),
        (ChainMap(), {"$type": "collections.ChainMap"}),
        (len, {"$type": "builtins.builtin_function_or_method"}),
    ],
)
def test_types_are_kept_apart(value: Any, text: Any) -> None:
    assert encoded(value) == text
    assert type(encoded(value)) is type(text)


def test_it_runs_on_the_standard_library_alone_and_keeps_prints_apart(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("ONE = 1\n")
    (tmp_path / "given.py").write_text(
        "import helper\nprint('loading')\ndef f(a, b=0):\n    print('working', input if False else '')\n"
        "    if a < 0: raise KeyError(a)\n    return (a + b + helper.ONE,)\n"
    )
    asked: list[dict[str, Any]] = [
        {"id": 1, "load": True},
        {"id": 2, "args": [1], "kwargs": {"b": 5}},
        {"id": 3, "args": [-1], "kwargs": {}},
        {"id": 4, "args": [], "kwargs": {}},
    ]
    driver = Path(function_driver.__file__)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(driver), str(tmp_path / "given.py"), "f"],
        input="".join(json.dumps(request) + "\n" for request in asked).encode(),
        capture_output=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers[0] == {"id": 1, "loaded": True}
    assert answers[1] == {"id": 2, "value": {"$type": "tuple", "items": [7]}}
    assert answers[2] == {"id": 3, "raises": "KeyError", "message": "-1"}
    assert (answers[3]["id"], answers[3]["raises"]) == (4, "TypeError")
    assert len(answers) == 4
    assert done.stderr.decode().split() == ["loading", "working", "working"]
