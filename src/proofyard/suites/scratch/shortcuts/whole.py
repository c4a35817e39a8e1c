"""Shortcuts that are programs of their own: they know no more than the public examples."""

import json
from collections.abc import Iterator
from typing import Any

from proofyard.core import Blobs, Example, Outcome, Reason, Solution, tree_of

__all__ = ["constant_answers", "echo_examples"]

_ECHO = '''\
"""Knows the worked examples by heart and refuses everything else."""

import json
import sys

KNOWN = {known!r}


def read(line):
    try:
        return json.loads(line)
    except ValueError:
        return line.strip()


for line in sys.stdin:
    if line.strip(" \\t\\r\\n"):
        request = read(line)
        answer = KNOWN.get(json.dumps(request, sort_keys=True))
        if answer is None:
            identity = request.get("id") if isinstance(request, dict) else None
            error = {{"code": "invalid_args", "message": ""}}
            answer = json.dumps({{"id": identity, "ok": False, "error": error}})
        print(answer, flush=True)
'''

_CONSTANT = '''\
"""Answers every request with the result of the first worked example."""

import json
import sys

RESULT = {result!r}

for line in sys.stdin:
    if line.strip(" \\t\\r\\n"):
        try:
            request = json.loads(line)
            answer = {{"id": request["id"], "ok": True, "result": RESULT}}
        except Exception:
            answer = {{"id": None, "ok": False, "error": {{"code": "bad_json", "message": ""}}}}
        print(json.dumps(answer), flush=True)
'''


def echo_examples(examples: tuple[Example, ...], blobs: Blobs) -> Solution:
    """A program that answers the requests of the public examples with their responses."""
    known = {json.dumps(_read(request), sort_keys=True): answer for request, answer in _rows(examples)}
    return _solution("echo-examples", _ECHO.format(known=known), blobs)


def constant_answers(examples: tuple[Example, ...], blobs: Blobs) -> Solution:
    """A program that answers everything with the result of the first public example."""
    result = json.loads(next(answer for _, answer in _rows(examples)))["result"]
    return _solution("constant-answers", _CONSTANT.format(result=result), blobs)


def _rows(examples: tuple[Example, ...]) -> Iterator[tuple[str, str]]:
    for example in examples:
        yield from zip(example.input.splitlines(), example.output.splitlines(), strict=True)


def _read(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return line.strip()


def _solution(name: str, text: str, blobs: Blobs) -> Solution:
    return Solution(
        name=name,
        kind="shortcut",
        tree=tree_of({"main.py": text}, blobs),
        expected=Outcome.FAILED,
        reason=Reason.WRONG_RESULT,
    )
