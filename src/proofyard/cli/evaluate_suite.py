"""The suite that `evaluate --samples` grades by: its data, its environment and gate, as asked for on the command line."""

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from proofyard.cli.evaluate_flags import SampleFlags
from proofyard.core import UsageError

if TYPE_CHECKING:
    from proofyard.images import Installed
    from proofyard.suites.functions import FunctionsSuite

__all__ = ["Chosen", "choose", "subset_text"]

_BENCHMARK: Final = "bigcodebench"
"""The benchmark whose tasks need libraries, and the environment it is graded in if none is named."""


class Chosen(NamedTuple):
    """The suite, and lines for the user on what it lacks."""

    suite: "FunctionsSuite"
    notes: tuple[str, ...]


def choose(name: str, flags: SampleFlags) -> Chosen:
    """Load the suite.

    Raises:
        UsageError: it is no function benchmark, its data or the environment named are not there, or the gate is of another
            environment.

    """
    from proofyard.engine.plugins import load, load_suite
    from proofyard.suites.functions import DATASETS, FunctionsSuite

    if name not in DATASETS:
        load("suites", name)
        raise UsageError(f"suite {name} takes no samples; those that do: {', '.join(DATASETS)}")
    if flags.isolation == "container" and flags.unsafe:
        raise UsageError("--unsafe-no-sandbox and --isolation container exclude each other")
    if flags.container_image and flags.isolation != "container":
        raise UsageError("--container-image is for --isolation container")
    there, notes = _environment(name, flags)
    given = {
        "data": flags.data,
        "split": "" if flags.split == "complete" else flags.split,
        "isolation": "" if flags.isolation == "fork" else flags.isolation,
        "container_image": flags.container_image,
        "base_only": "yes" if flags.base_only else "",
        "packages": there.packages if there else _absolute(flags.packages),
        "domains": _absolute(flags.domains),
    }
    suite = load_suite(name, None, {option: value for option, value in given.items() if value})
    if not isinstance(suite, FunctionsSuite):
        raise UsageError(f"suite {name} of another distribution takes no samples")
    if name == _BENCHMARK:
        notes += _gate(suite, flags.gate, there)
    return Chosen(suite, notes)


def subset_text(text: str) -> str:
    """A subset's name or ids as they are, a file by its whole path: a run is read from other folders too."""
    return _absolute(text) if text and Path(text).expanduser().is_file() else text


def _environment(name: str, flags: SampleFlags) -> "tuple[Installed | None, tuple[str, ...]]":
    if name != _BENCHMARK or flags.packages:
        if flags.env:
            raise UsageError("--env is for bigcodebench, and not together with --packages")
        return None, ()
    if flags.container_image and not flags.env:
        return None, (f"the tasks' libraries are those of the image {flags.container_image}",)
    from proofyard.images import find_environment, installed

    try:
        return installed(find_environment(flags.env or _BENCHMARK)), ()
    except UsageError as error:
        if flags.env:
            raise
        return None, (f"only the standard library is there for the tasks: {error}",)


def _gate(suite: "FunctionsSuite", named: str, there: "Installed | None") -> tuple[str, ...]:
    kept = there.gate(f"{suite.name}-{suite.dataset}") if there else None
    if named:
        suite.use_gate(Path(_absolute(named)))
    elif kept is not None and kept.is_file():
        suite.use_gate(kept)
    if suite.gate is None:
        told = "which tasks can be passed in this environment is told by proofyard check-env bigcodebench"
        return (f"no gate: {told}",)
    if there is not None and suite.gate.fingerprint not in {"", there.fingerprint}:
        raise UsageError(f"{suite.options['gate']} is of another environment than {there.name} as it is here")
    return ()


def _absolute(text: str) -> str:
    return str(Path(text).expanduser().resolve()) if text else ""
