"""The ledger: what came of the mutants of each file, kept with the project so that only what changed is graded again.

An entry holds while its digest does. What is under way is kept in a journal in the user's cache folder, one line a mutant,
so that a campaign that was ended goes on where it stopped.
"""

from pathlib import Path
from typing import Final

import msgspec

from proofyard.core import Record, UsageError, cache_folder

__all__ = ["LEDGER", "Entry", "Fate", "Journal", "Ledger", "Survivor", "Tally", "read_ledger", "write_ledger"]

LEDGER: Final = Path("docs/proof/mutants.json")
"""Where the ledger is kept, in the project."""


class Fate(Record, frozen=True, kw_only=True):
    """What came of one mutant. reason: why it failed, `` if nothing noticed it. task: which task noticed."""

    id: str
    reason: str = ""
    task: str = ""

    @property
    def killed(self) -> bool:
        """Whether a task noticed."""
        return self.reason != ""


class Survivor(Record, frozen=True, kw_only=True):
    """A mutant that nothing noticed.

    equivalent: why it is said to do the same as the reference, from the reviewed list. agreed: on how many random requests
    it answered as the reference does; differs: the first one on which it did not.
    """

    id: str
    operator: str
    line: int
    column: int
    before: str
    after: str
    source: str
    equivalent: str = ""
    agreed: int = 0
    differs: str = ""

    @property
    def excused(self) -> bool:
        """Whether it is listed as equivalent and nothing speaks against it."""
        return self.equivalent != "" and self.agreed > 0 and not self.differs


class Tally(Record, frozen=True, kw_only=True):
    """Mutants of one operator."""

    made: int
    killed: int


class Entry(Record, frozen=True, kw_only=True):
    """What came of one file's mutants. possible: how many there are, of which `made` were graded."""

    digest: str
    possible: int
    made: int
    killed: int
    reasons: dict[str, int] = msgspec.field(default_factory=dict)
    operators: dict[str, Tally] = msgspec.field(default_factory=dict)
    survivors: tuple[Survivor, ...] = ()

    @property
    def equivalent(self) -> int:
        """How many survivors were shown to do the same as the reference."""
        return sum(survivor.excused for survivor in self.survivors)

    @property
    def share(self) -> float:
        """Killed of made, in percent, before any exclusion."""
        return 100 * self.killed / self.made if self.made else 0.0


class Ledger(Record, frozen=True, kw_only=True):
    """All entries: of families by slug, of the tiers' own program by file."""

    format: str = "proofyard.mutants"
    schema: int = 1
    families: dict[str, Entry] = msgspec.field(default_factory=dict)
    service: dict[str, Entry] = msgspec.field(default_factory=dict)


def read_ledger(path: Path) -> Ledger:
    """The ledger in a file, an empty one if there is no such file.

    Raises:
        UsageError: it cannot be read, or there is no folder to write it into.

    """
    if not path.parent.is_dir():
        raise UsageError(
            f"{path.parent}: no such folder; call this in the project's folder, or choose another --ledger"
        )
    try:
        return msgspec.json.decode(path.read_bytes(), type=Ledger) if path.exists() else Ledger()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise UsageError(f"{path} is no ledger of mutants: {error}; remove it or choose another --ledger") from None


def write_ledger(path: Path, ledger: Ledger) -> None:
    """Replace the ledger in a file, as a whole.

    Raises:
        UsageError: it cannot be written.

    """
    text = msgspec.json.format(msgspec.json.encode(_named(ledger), order="sorted"), indent=1) + b"\n"
    fresh = path.with_name(path.name + ".new")
    try:
        fresh.write_bytes(text)
        fresh.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; choose another --ledger") from None


def _named(ledger: Ledger) -> dict[str, object]:
    """The ledger with its format and schema written out."""
    builtin: dict[str, object] = msgspec.to_builtins(ledger)
    return {**builtin, "format": ledger.format, "schema": ledger.schema}


class Journal:
    """Fates of one file's mutants, while they are not yet in the ledger. `digest`: of the entry they will make."""

    def __init__(self, digest: str, folder: Path | None = None) -> None:
        self._path = (folder or _cache()) / f"{digest}.jsonl"
        self._path.parent.mkdir(parents=True, exist_ok=True)

    def read(self) -> dict[str, Fate]:
        """Mutant id -> fate. A line that was cut short is none."""
        found: dict[str, Fate] = {}
        if self._path.exists():
            for line in self._path.read_bytes().splitlines():
                try:
                    fate = msgspec.json.decode(line, type=Fate)
                except msgspec.DecodeError:
                    continue
                found[fate.id] = fate
        return found

    def add(self, fate: Fate) -> None:
        """Keep a fate."""
        with self._path.open("ab") as file:
            file.write(b"\n" + msgspec.json.encode(fate) + b"\n")

    def drop(self) -> None:
        """Forget: the entry is in the ledger, or all is to be done again."""
        self._path.unlink(missing_ok=True)


def _cache() -> Path:
    return cache_folder() / "mutants"
