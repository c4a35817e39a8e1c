"""The reference as a submission: `main.py` and only those files of the program that the tier and the family need."""

from functools import cache
from importlib.resources import files

from proofyard.suites.scratch.family import Family
from proofyard.suites.scratch.tiers import Tier

__all__ = ["reference_files"]


def reference_files(tier: Tier, family: Family) -> dict[str, str]:
    """Path -> text of the reference submission."""
    paths = [f"program/{name}.py" for name in tier.files]
    paths += ["program/families/__init__.py", f"program/families/{family.module}.py"]
    main = f'"""{family.title}: JSON requests on standard input, responses on standard output."""\n\n'
    return {"main.py": main + tier.main.format(module=family.module), **{path: _text(path) for path in paths}}


@cache
def _text(path: str) -> str:
    return files("proofyard.suites.scratch").joinpath(path).read_text(encoding="utf-8")
