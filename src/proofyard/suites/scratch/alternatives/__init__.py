"""Second programs for the same tasks, written from the prompts alone: four service shells and a module a family. A shell
and a family's module together are a submission, so that four shells and 65 modules are 260 alternatives. They show that
a task can be solved by what its prompt says; nothing in them comes from the reference.

**A submission** is the text of `shells/<tier>.py` as `main.py` and the text of `families/<slug_with_underscores>.py` as
`family.py`. Nothing else is laid beside them, so a shell imports `family` and the standard library, and a family's module
the standard library only.

**A family's module** is named like the slug, with underscores, and has:

- `OPS: dict[str, tuple[str, ...]]`: each operation of the family and the names of all arguments it knows;
- `class Refused(Exception)` with `code: str` and `extra: dict[str, Any]`: an error code of the family and the extra fields
  which `error` has with it (`{}` for none);
- `check(op: str, args: dict[str, Any]) -> bool`: whether all types and ranges are right, arguments missing included.
  Unknown arguments are ignored. It takes any JSON values, changes nothing in them and raises nothing; False is
  `invalid_args`;
- `run(op: str, args: dict[str, Any]) -> Any`: the result, for arguments that passed `check`, or raises `Refused`. It
  keeps nothing between two calls and changes nothing in `args`.

**A shell** is started as the prompt of its tier says, and does nothing when it is merely imported:

    import family  # type: ignore[import-not-found]

    if __name__ == "__main__":
        sys.exit(main())

Both are ordinary modules here as well: one docstring each, linted and type-checked, up to 400 lines.
"""

from functools import cache
from importlib.resources import files

from proofyard.core import Blobs, Solution, tree_of
from proofyard.suites.scratch.family import Family
from proofyard.suites.scratch.tiers import Tier

__all__ = ["alternatives_of"]


def alternatives_of(tier: Tier, family: Family, blobs: Blobs) -> tuple[Solution, ...]:
    """The alternatives of a task: one if both its shell and its family's module are there, else none."""
    shell, module = _text(f"shells/{tier.name}.py"), _text(f"families/{family.module}.py")
    if shell is None or module is None:
        return ()
    tree = tree_of({"main.py": shell, "family.py": module}, blobs)
    return (Solution(name="alternative", kind="alternative", tree=tree),)


@cache
def _text(path: str) -> str | None:
    """The text of a file of this package, None if it is not there."""
    file = files(__name__).joinpath(path)
    return file.read_text(encoding="utf-8") if file.is_file() else None
