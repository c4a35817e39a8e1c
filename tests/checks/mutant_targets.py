"""A target with a few mutants, for checks on real sandboxes that shall not take long."""

from dataclasses import dataclass, replace

from proofyard.checks.mutants.targets import Target, family_targets
from proofyard.source import Mutant

LOOP = "while True:\n        pass\n    if not args:\n        return None\n    processes = named_once"


@dataclass(frozen=True, kw_only=True)
class Few(Target):
    """Round-robin with the mutants that are given; `broken`: its reference is no program."""

    given: tuple[Mutant, ...]
    broken: bool = False

    def files(self, task):  # type: ignore[no-untyped-def]
        files = super().files(task)
        return {**files, self.path: "1 / 0\n"} if self.broken else files

    def mutants(self) -> tuple[Mutant, ...]:
        return self.given

    def digests(self) -> tuple[str, ...]:
        return tuple(mutant.digest for mutant in self.given)


def few(*given: Mutant, broken: bool = False) -> Few:
    whole = family_targets(["round-robin"])[0]
    return Few(name=whole.name, kind=whole.kind, path=whole.path, tasks=whole.tasks, given=given, broken=broken)


def reference() -> str:
    (target,) = family_targets(["round-robin"])
    return target.files(target.tasks[0])[target.path]


def wrong() -> Mutant:
    """Answers wrongly."""
    (target,) = family_targets(["round-robin"])
    return next(m for m in target.mutants() if m.before == "switches += 1")


def crashing() -> Mutant:
    """Dies at its first request of one kind."""
    (target,) = family_targets(["round-robin"])
    return next(m for m in target.mutants() if m.before.startswith("slices, switches = simulate") and m.after == "pass")


def looping() -> Mutant:
    """Never answers `schedule`."""
    text = reference()
    spot = text.index("processes = named_once")
    return replace(wrong(), digest="1" * 16, text=text[:spot] + LOOP + text[spot + len("processes = named_once") :])


def same() -> Mutant:
    """No mutant at all: the reference with a comment."""
    return replace(wrong(), digest="0" * 16, operator="swap", before="a", after="b", text=reference() + "# no change\n")
