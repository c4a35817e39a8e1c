"""A Dockerfile as the steps of an `Image`. Nothing is done here; what cannot be done later is refused by name and line."""

import posixpath
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from proofyard.core import Blobs, Entry, ImageStep, Tree, UsageError, file_bytes, tree_of
from proofyard.formats.harbor.context import Context
from proofyard.formats.harbor.dockerfile import Instruction, expanded, pairs, parse, words
from proofyard.formats.harbor.shell import RefusedError, Shell

__all__ = ["BASES", "Recipe", "place_of", "recipe"]

BASES: Final = ("debian", "ubuntu", "python", "buildpack-deps")
"""Images that this machine can stand in for: a system of Debian's kind with its own Python."""

_TAKEN: Final = (
    "/usr", "/etc", "/lib", "/lib64", "/bin", "/sbin", "/boot", "/run", "/var/run", "/tmp", "/proc", "/dev", "/sys",
    "/opt/python", "/opt/packages", "/solution", "/skills", "/logs",
)  # fmt: skip
_DEEP: Final = ("/opt", "/var")
_IGNORED: Final = {"LABEL", "MAINTAINER", "EXPOSE", "STOPSIGNAL", "CMD"}
_SHELLS: Final = ("/bin/sh", "/bin/bash", "sh", "bash")


class Recipe(NamedTuple):
    """What a Dockerfile comes to. source: as FROM names it. workdir: "" if none is set. places: folders that it writes to.

    notes: what it says that has no effect here.
    """

    source: str
    steps: tuple[ImageStep, ...]
    environment: dict[str, str]
    workdir: str
    places: tuple[str, ...]
    notes: tuple[str, ...]


def recipe(
    text: str,
    name: str,
    context: Context,
    blobs: Blobs,
    *,
    any_base: bool = False,
    own: Iterable[str] = (),
    wall_s: float = 600,
    given: Mapping[str, str] | None = None,
) -> Recipe:
    """Read a Dockerfile. name: what messages call it. any_base: take every FROM for this machine's system.

    own: folders of those kept for graders that it may write to. wall_s: how long one command may run. given: variables of
    the base image.

    Raises:
        UsageError: it cannot be read, or asks for what cannot be done.

    """
    maker = _Maker(name, context, blobs, any_base, tuple(own), int(wall_s * 1000))
    maker.environment.update(given or {})
    for instruction in parse(text, name):
        try:
            maker.take(instruction)
        except (RefusedError, ValueError) as error:
            raise UsageError(f"{name}:{instruction.line}: {instruction.text}: {error}") from None
    return maker.made()


def place_of(path: str) -> str:
    """The folder that must be writable for a path to be: its first part, two below `/opt` and `/var`."""
    parts = path.strip("/").split("/")
    return "/" + "/".join(parts[: 2 if f"/{parts[0]}" in _DEEP else 1])


class _Maker:
    def __init__(
        self, name: str, context: Context, blobs: Blobs, any_base: bool, own: tuple[str, ...], wall_ms: int
    ) -> None:
        self._name = name
        self._context = context
        self._blobs = blobs
        self._any = any_base
        self._own = own
        self._wall_ms = wall_ms
        self._source = ""
        self._steps: list[ImageStep] = []
        self._tree = Tree()
        self._arguments: dict[str, str] = {}
        self.environment: dict[str, str] = {}
        self._workdir = ""
        self._places: set[str] = set()
        self._notes: list[str] = []
        self._shell = Shell(self._text)
        self._takers: dict[str, Callable[[Instruction], None]] = {
            "FROM": self._from,
            "ARG": self._arg,
            "ENV": lambda given: self.environment.update(pairs(given.rest, self._variables)),
            "WORKDIR": self._into,
            "COPY": self._copy,
            "ADD": self._copy,
            "RUN": self._run,
            "USER": self._user,
            "SHELL": self._with_shell,
            "VOLUME": self._volume,
            "HEALTHCHECK": self._healthcheck,
        }

    @property
    def _variables(self) -> dict[str, str]:
        return {**self._arguments, **self.environment}

    def take(self, given: Instruction) -> None:
        """Take one instruction."""
        if given.keyword in _IGNORED:
            if given.keyword == "CMD":
                self._notes.append(f"line {given.line}: CMD is not run")
            return
        if not self._source and given.keyword not in {"FROM", "ARG"}:
            raise RefusedError("there is no FROM before it")
        if given.keyword not in self._takers:
            raise RefusedError(f"{given.keyword} is not supported")
        self._takers[given.keyword](given)

    def made(self) -> Recipe:
        """What all instructions come to."""
        if not self._source:
            raise UsageError(f"{self._name} has no FROM")
        places = tuple(sorted(self._places))
        return Recipe(
            self._source, tuple(self._steps), dict(self.environment), self._workdir, places, tuple(self._notes)
        )

    def _from(self, given: Instruction) -> None:
        if self._source:
            raise RefusedError("several stages are not supported")
        parts = expanded(given.rest, self._arguments).split()
        if not parts:
            raise RefusedError("it names no image")
        self._arguments = {}
        base = parts[0].partition("@")[0].removeprefix("docker.io/").removeprefix("library/").partition(":")[0]
        if base not in BASES and not self._any:
            raise RefusedError(
                f"this machine stands in for {', '.join(BASES)} only; --suite-option from=machine takes it for {base} too"
            )
        if "alpine" in parts[0] and not self._any:
            raise RefusedError("this machine is of Debian's kind, not Alpine's")
        self._source = parts[0]

    def _arg(self, given: Instruction) -> None:
        for word in words(given.rest, self._variables):
            name, _, value = word.partition("=")
            self._arguments[name] = value

    def _into(self, given: Instruction) -> None:
        path = self._path(expanded(given.rest.strip().strip('"'), self._variables))
        self._folder(path)
        self._workdir = path

    def _volume(self, given: Instruction) -> None:
        for path in given.form or words(given.rest, self._variables):
            self._folder(self._path(path))

    def _user(self, given: Instruction) -> None:
        self._notes.append(f"line {given.line}: USER {given.rest}: every program runs as one unprivileged user")

    def _with_shell(self, given: Instruction) -> None:
        if given.form is None or given.form[0] not in _SHELLS:
            raise RefusedError(f"only {' and '.join(_SHELLS[2:])} are supported")

    def _healthcheck(self, given: Instruction) -> None:
        if given.rest.strip().upper() != "NONE":
            raise RefusedError("write [environment.healthcheck] in task.toml")

    def _copy(self, given: Instruction) -> None:
        flags = dict(given.flags)
        odd = next((flag for flag in flags if flag not in {"chown", "chmod", "link"}), None)
        if odd is not None:
            raise RefusedError(f"--{odd} is not supported")
        sources = list(given.form) if given.form is not None else words(given.rest, self._variables)
        sources = [expanded(one, self._variables) for one in sources] if given.form is not None else sources
        if len(sources) < 2:
            raise RefusedError("it needs a source and a target")
        target, sources = sources[-1], sources[:-1]
        if given.heredocs:
            found, folder = self._written(given), target.endswith("/")
        else:
            found, folder = self._found(given.keyword, sources, target)
        path = self._path(target)
        if folder:
            found = {posixpath.join(path, name).strip("/"): entry for name, entry in found.items()}
            self._folder(path)
        else:
            found = {
                (posixpath.join(path, name) if target.endswith("/") else path).strip("/"): e
                for name, e in found.items()
            }
        self._laid(Tree(entries={name: _moded(entry, flags.get("chmod", "")) for name, entry in found.items()}))

    def _found(self, keyword: str, sources: list[str], target: str) -> tuple[dict[str, Entry], bool]:
        for source in sources:
            if keyword == "ADD" and ("://" in source or source.startswith("git@")):
                raise RefusedError("ADD of an address is not supported")
            if keyword == "ADD" and source.endswith((".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")):
                raise RefusedError("ADD of an archive is not supported")
        named = [target == ".", target.endswith(("/", "/.")), self._path(target) == self._workdir]
        try:
            return self._context.copied(sources, any(named))
        except LookupError as error:
            raise RefusedError(f"{error.args[0]!r} is not in the folder of the Dockerfile") from None

    def _written(self, given: Instruction) -> dict[str, Entry]:
        texts = {
            doc.name: expanded(doc.content, self._variables) if doc.expand else doc.content for doc in given.heredocs
        }
        return dict(tree_of(texts, self._blobs).entries)

    def _run(self, given: Instruction) -> None:
        odd = next((f"--{n}={v}" for n, v in given.flags if n != "mount" or "type=cache" not in v.split(",")), None)
        if odd is not None and odd not in {"--network=none", "--network=default"}:
            raise RefusedError(f"{odd} is not supported")
        command = given.rest
        if given.form is not None:
            command = " ".join("'" + word.replace("'", "'\\''") + "'" for word in given.form)
        if given.heredocs:
            if not given.rest.startswith("<<") or len(given.heredocs) > 1:
                raise RefusedError("a here-document for a command is not supported")
            command = given.heredocs[0].content
        run = ImageStep(kind="run", path=self._workdir or "/", environment=self._variables, wall_ms=self._wall_ms)
        for step in self._shell.steps(command, run):
            if step.kind == "folder":
                self._folder(self._path(step.path))
            else:
                self._steps.append(step)

    def _path(self, text: str) -> str:
        path = posixpath.normpath(posixpath.join(self._workdir or "/", text))
        return "/" + path.lstrip("/")

    def _folder(self, path: str) -> None:
        if path == "/":
            return
        self._places.add(self._allowed(path))
        self._steps.append(ImageStep(kind="folder", path=path))

    def _allowed(self, path: str) -> str:
        place = place_of(path)
        below = path.rstrip("/") + "/"
        taken = next((top for top in _TAKEN if below.startswith(f"{top}/") and place not in self._own), None)
        if taken is None and path.startswith("/tests/") and "/tests" not in self._own:
            taken = "/tests"
        if taken is not None:
            raise RefusedError(f"{path} lies in {taken}, which cannot be changed")
        if place in _DEEP:
            raise RefusedError(f"files directly in {place} are not supported: use a folder below it")
        return place

    def _laid(self, tree: Tree) -> None:
        for path in tree.entries:
            if "/" not in path:
                raise RefusedError(f"/{path}: files directly in / are not supported: use a folder")
            self._places.add(self._allowed(f"/{path}"))
        self._tree = self._tree.merged(tree)
        self._steps.append(ImageStep(kind="files", tree=tree))

    def _text(self, path: str) -> str | None:
        entry = self._tree.entries.get(self._path(path).lstrip("/"))
        if entry is None or entry.kind != "file":
            return None
        return file_bytes(entry, self._blobs).decode("utf-8", "replace")


def _moded(entry: Entry, mode: str) -> Entry:
    if not mode or entry.kind != "file":
        return entry
    executable = ("x" in mode and "-x" not in mode) if not mode.isdigit() else bool(int(mode, 8) & 0o100)
    return Entry(executable=executable, size=entry.size, sha=entry.sha, inline=entry.inline)
