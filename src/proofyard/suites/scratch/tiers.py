"""The four tiers: which program files make each up, how its `main.py` starts it, and its place in the sandbox."""

from dataclasses import dataclass

from proofyard.core import UnknownNameError

__all__ = ["PROJECT_DIR", "STATE_DIR", "TIERS", "Tier", "tier_named"]

PROJECT_DIR = "/workspace/project"
STATE_DIR = "/workspace/state"

_COMMON = ("__init__", "errors", "operation", "arguments", "envelope", "serve")

_EASY_MAIN = """\
from program.families.{module} import OPERATIONS
from program.serve import serve

serve(OPERATIONS)
"""

_SERVICE_MAIN = """\
from program.{service} import operations
from program.families.{module} import OPERATIONS
from program.serve import serve

serve(operations(OPERATIONS))
"""

_DURABLE_MAIN = """\
import sys

from program.{service} import operations, state_dir
from program.families.{module} import OPERATIONS
from program.serve import serve

serve(operations(OPERATIONS, state_dir(sys.argv[1:])))
"""


@dataclass(frozen=True, kw_only=True)
class Tier:
    """One tier. files: the modules of `program/` that a submission of the reference holds. level: 0 for the lowest."""

    name: str
    level: int
    files: tuple[str, ...]
    main: str

    @property
    def durable(self) -> bool:
        """Whether the program keeps state in a folder."""
        return self.name == "max"

    @property
    def argv(self) -> tuple[str, ...]:
        """The arguments the program is started with."""
        return ("--state-dir", STATE_DIR) if self.durable else ()


def _tiers() -> tuple[Tier, ...]:
    documents = (*_COMMON, "document")
    revisions = (*documents, "store", "revisions")
    return (
        Tier(name="easy", level=0, files=_COMMON, main=_EASY_MAIN),
        Tier(
            name="intermediate",
            level=1,
            files=(*documents, "documents"),
            main=_SERVICE_MAIN.replace("{service}", "documents"),
        ),
        Tier(name="hard", level=2, files=revisions, main=_SERVICE_MAIN.replace("{service}", "revisions")),
        Tier(
            name="max",
            level=3,
            files=(*revisions, "files", "paging", "durable"),
            main=_DURABLE_MAIN.replace("{service}", "durable"),
        ),
    )


TIERS: dict[str, Tier] = {tier.name: tier for tier in _tiers()}
"""Name -> tier, lowest first."""


def tier_named(name: str) -> Tier:
    """Return the tier of that name.

    Raises:
        UnknownNameError: there is none.

    """
    if name not in TIERS:
        raise UnknownNameError("subset", name, TIERS, hint="one of " + ", ".join(TIERS))
    return TIERS[name]
