"""What COPY finds: the files of the folder an image is made from, less what `.dockerignore` leaves out, by patterns."""

import fnmatch
from collections.abc import Iterator, Sequence

from proofyard.core import Entry, Tree
from proofyard.formats.harbor.ignore import Patterns

__all__ = ["Context"]

IGNORE = ".dockerignore"


class Context:
    """The folder. ignore: the text of its `.dockerignore`."""

    def __init__(self, tree: Tree, ignore: str) -> None:
        patterns = Patterns(_anchored(line) for line in ignore.splitlines())
        self.tree = Tree(entries={path: entry for path, entry in tree.entries.items() if not patterns.ignores(path)})

    def copied(self, sources: Sequence[str], to_folder: bool) -> tuple[dict[str, Entry], bool]:
        """The files that sources (paths or patterns) stand for, and whether they go into a folder.

        Names are below the target, or "" for the single file that becomes the target itself.

        Raises:
            LookupError: a source is not there, with its name.

        """
        found: dict[str, Entry] = {}
        matches = [(source, list(self._matching(source))) for source in sources]
        for source, hits in matches:
            if not hits:
                raise LookupError(source)
        folder = to_folder or sum(len(hits) for _, hits in matches) > 1
        for _, hits in matches:
            for hit in hits:
                entry = self.tree.entries.get(hit)
                if entry is None:
                    prefix = f"{hit}/" if hit else ""
                    inside = {p.removeprefix(prefix): e for p, e in self.tree.entries.items() if p.startswith(prefix)}
                    found.update(inside)
                    folder = True
                else:
                    found[hit.rpartition("/")[2] if folder else ""] = entry
        return found, folder

    def _matching(self, source: str) -> Iterator[str]:
        """Files and folders that a source names; "" is the whole folder."""
        wanted = [part for part in source.strip("/").split("/") if part not in {"", "."}]
        if ".." in wanted:
            return
        if not wanted:
            yield ""
            return
        seen = set()
        for path in self.tree.entries:
            parts = path.split("/")[: len(wanted)]
            hit = "/".join(parts)
            if len(parts) == len(wanted) and hit not in seen and all(map(fnmatch.fnmatchcase, parts, wanted)):
                seen.add(hit)
                yield hit


def _anchored(line: str) -> str:
    """A line of `.dockerignore` as one of `.gitignore`: names are from the top unless they begin with `**`."""
    text = line.strip()
    if not text or text.startswith("#"):
        return ""
    sign = "!" if text.startswith("!") else ""
    name = text.removeprefix("!").removeprefix("./").lstrip("/").rstrip("/")
    return f"{sign}{name}" if name.startswith("**") else f"{sign}/{name}"
