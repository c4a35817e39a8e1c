"""A shortcut and the reference side by side in this process: whether any request of a task tells them apart.

Nothing is killed here, and a program is only its operations: faults that show in how a program runs are not for this.
"""

import base64
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from itertools import count
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Final

from proofyard.core import Row, Scenario
from proofyard.suites.scratch.script import resolved
from proofyard.suites.scratch.tiers import Tier

__all__ = ["first_difference"]

_SERVICES: Final = {"intermediate": "documents", "hard": "revisions", "max": "durable"}
_numbers = count()


def first_difference(
    tier: Tier, module: str, reference: Mapping[str, str], other: Mapping[str, str], scenarios: Sequence[Scenario]
) -> str:
    """Where the two programs, given as path -> text, answer differently, in one line; "" if they never do.

    module: the family's. What an error says to a person is left out.
    """
    with _imported(reference) as one, _imported(other) as two:
        for scenario in scenarios:
            with TemporaryDirectory() as first, TemporaryDirectory() as second:
                sides = (_Side(one, tier, module, first), _Side(two, tier, module, second))
                for number, session in enumerate(scenario.sessions, start=1):
                    for side in sides:
                        side.start()
                    for place, row in enumerate(session.rows, start=1):
                        right, found = (side.answer(row) for side in sides)
                        if right != found:
                            where = f"scenario {scenario.name}, session {number}, row {place}"
                            return f"{where}: answers {found[:120]}, the reference {right[:120]}"
    return ""


class _Side:
    """One of the programs at work on a scenario, with a state folder of its own."""

    def __init__(self, root: str, tier: Tier, module: str, folder: str) -> None:
        self._program = f"{root}.program"
        self._family = f"{self._program}.families.{module}"
        self._tier = tier
        self._folder = folder
        self._bound: dict[str, str] = {}
        self._answer = import_module(f"{self._program}.envelope").answer

    def start(self) -> None:
        """Begin a new process, so to speak: what is not in the folder is gone."""
        own = import_module(self._family).OPERATIONS
        if self._tier.level == 0:
            self._operations = own
            return
        service = import_module(f"{self._program}.{_SERVICES[self._tier.name]}")
        self._operations = service.operations(own, *([self._folder] if self._tier.durable else []))

    def answer(self, row: Row) -> str:
        """The response to a row as canonical text, or how the program fails; "" for a line that gets none."""
        if row.raw or row.send is None:
            line = base64.b64decode(row.raw)
        else:
            line = json.dumps(resolved(_with_ids(row.send), self._bound)).encode()
        if not row.expect:
            return ""
        try:
            response = json.loads(json.dumps(self._answer(line, self._operations)))
        except Exception as error:
            return f"nothing: {type(error).__name__}: {error}"
        self._bind(row.expect[-1], response)
        return json.dumps(_without_message(response), sort_keys=True)

    def _bind(self, expected: Any, response: dict[str, Any]) -> None:
        wanted, result = expected.get("result"), response.get("result")
        if isinstance(wanted, dict) and isinstance(wanted.get("next_cursor"), dict) and isinstance(result, dict):
            name = wanted["next_cursor"].get("$bind")
            if name is not None:
                self._bound[name] = str(result.get("next_cursor"))


def _with_ids(send: Any) -> Any:
    """The request with an id in the place of a placeholder."""
    identity = send.get("id") if isinstance(send, dict) else None
    if isinstance(identity, dict) and "$id" in identity:
        return {**send, "id": 7 if identity.get("type") == "integer" else identity["$id"]}
    return send


def _without_message(response: dict[str, Any]) -> dict[str, Any]:
    error = response.get("error")
    if not isinstance(error, dict):
        return response
    return {**response, "error": {key: value for key, value in error.items() if key != "message"}}


class _Texts(MetaPathFinder, Loader):
    """Modules from texts, below one package."""

    def __init__(self, root: str, files: Mapping[str, str]) -> None:
        self._texts = {root: ("", True)}
        for path, text in files.items():
            parts = path.removesuffix(".py").split("/")
            package = parts[-1] == "__init__"
            name = ".".join([root, *(parts[:-1] if package else parts)])
            self._texts[name] = (text, package)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module of that name, if it is one of these."""
        del path, target
        if fullname not in self._texts:
            return None
        return ModuleSpec(fullname, self, is_package=self._texts[fullname][1])

    def exec_module(self, module: ModuleType) -> None:
        """Run a module's text."""
        exec(compile(self._texts[module.__name__][0], module.__name__, "exec"), module.__dict__)


@contextmanager
def _imported(files: Mapping[str, str]) -> Iterator[str]:
    """Make the modules of a program importable; yields the package they are in."""
    root = f"_proofyard_side_{next(_numbers)}"
    finder = _Texts(root, files)
    sys.meta_path.append(finder)
    try:
        yield root
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name == root or name.startswith(f"{root}.")]:
            del sys.modules[name]
