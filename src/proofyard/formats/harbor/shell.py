"""RUN's command as steps: installing packages, making folders and users are recognised; the rest is run as it is."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from proofyard.core import ImageStep
from proofyard.formats.harbor.dockerfile import words

__all__ = ["RefusedError", "Shell"]

_SEPARATOR: Final = re.compile(r"&&|;|\n")
_COMPLEX: Final = ("||", "&", "(", ")", "`", "$(", "<<")
_KEYWORDS: Final = {"if", "for", "while", "until", "case", "{", "function", "do", "then", "else", "fi", "done"}
_STATEFUL: Final = {"cd", "export", "set", "source", ".", "umask", "pushd", "alias"}
_NETWORK: Final = {
    "apt", "apt-get", "apk", "yum", "dnf", "pip", "pip3", "uv", "uvx", "pipx", "conda", "npm", "npx", "yarn", "curl", "wget",
    "cargo", "go", "gem",
}  # fmt: skip
_USERS: Final = {"useradd", "adduser", "groupadd", "addgroup", "usermod", "chown", "chgrp"}
_APT_NOTHING: Final = {"update", "clean", "autoclean", "autoremove", "upgrade"}
_ASSIGNED: Final = re.compile(r"[A-Za-z_]\w*=")
_REQUIREMENT: Final = re.compile(
    r"[A-Za-z0-9][\w.-]*(\[[\w,. -]*\])?\s*([<>=!~][^;@/\\$]*)?(;[^@\\$]*)?( --hash=sha256:[0-9a-f]{64})*"
)
_IDLE_FLAGS: Final = {
    "--no-cache-dir", "--no-cache", "-q", "-qq", "--quiet", "-U", "--upgrade", "--disable-pip-version-check", "--no-input",
    "--break-system-packages", "--system", "--user", "--prefer-binary", "--no-compile", "--compile-bytecode",
    "--no-warn-script-location", "--only-binary=:all:", "--require-hashes", "-y", "--yes",
}  # fmt: skip
_IDLE_VALUES: Final = {"--root-user-action", "--progress-bar", "--timeout", "--retries", "--default-timeout"}


class RefusedError(Exception):
    """What the command asks for and cannot be done."""


class _Part(NamedTuple):
    text: str
    end: str


class Shell:
    """Makes steps of commands. read: the text of a file of the image so far by its path, None if it is not there."""

    def __init__(self, read: Callable[[str], str | None]) -> None:
        self._read = read

    def steps(self, command: str, run: ImageStep) -> Iterator[ImageStep]:
        """Yield the steps of a command; `run` is the step in which what is not recognised is run.

        Raises:
            RefusedError: it asks for what cannot be done.

        """
        parts = _parts(command)
        known = [self._known(part.text, run.environment) for part in parts]
        if not parts or all(steps is None for steps in known):
            _check_network(command)
            yield _running(run, command)
            return
        group: list[_Part] = []
        for part, steps in zip(parts, known, strict=True):
            if steps is None:
                group.append(part)
                continue
            yield from _grouped(group, run, last=False)
            group = []
            yield from steps
        yield from _grouped(group, run, last=True)

    def _known(self, text: str, variables: Mapping[str, str]) -> tuple[ImageStep, ...] | None:
        """The steps of one simple command; None if it is to be run."""
        found = words(text, variables)
        while found and _ASSIGNED.match(found[0]):
            found = found[1:]
        if found[:1] == ["sudo"]:
            found = found[1:]
        if not found:
            return None
        if found[0] == "mkdir":
            return _folders(found[1:])
        if found[0] in _USERS or found == ["true"] or _cleaning(found):
            return ()
        return self._installed(found)

    def _installed(self, argv: list[str]) -> tuple[ImageStep, ...] | None:
        if argv[0] in {"apt-get", "apt"}:
            return _system(argv)
        if argv[0] in {"python", "python3"} and argv[1:3] == ["-m", "pip"]:
            argv = ["pip", *argv[3:]]
        if argv[:2] == ["uv", "pip"]:
            argv = ["pip", *argv[2:]]
        if argv[0] in {"pip", "pip3"} and argv[1:2] == ["install"]:
            return (ImageStep(kind="install", requirements=tuple(self._requirements(argv[2:]))),)
        if argv[0] in {"pip", "pip3"} and argv[1:3] == ["cache", "purge"]:
            return ()
        return None

    def _requirements(self, argv: Sequence[str]) -> Iterator[str]:
        todo = list(argv)
        while todo:
            word = todo.pop(0)
            name, sign, value = word.partition("=")
            if word in {"-r", "--requirement"} or (name == "--requirement" and sign):
                yield from self._listed(value or (todo.pop(0) if todo else ""))
            elif name in _IDLE_VALUES:
                if not sign and todo:
                    todo.pop(0)
            elif word.startswith("-") and word not in _IDLE_FLAGS:
                raise RefusedError(f"pip's {word} is not supported")
            elif not word.startswith("-"):
                yield _requirement(word)

    def _listed(self, path: str) -> Iterator[str]:
        text = self._read(path)
        if text is None:
            raise RefusedError(f"the requirements file {path!r} is not in the image at this point")
        for line in text.replace("\\\n", " ").splitlines():
            bare = " ".join(re.sub(r"(^|\s)#.*", "", line).split())
            if bare:
                yield _requirement(bare)


def _parts(command: str) -> list[_Part]:
    """Simple commands with what ends them; none if the command is not a plain row of them."""
    parts, current, at, quote = [], "", 0, ""
    while at < len(command):
        char = command[at]
        if quote or char in "'\"":
            quote = ("" if char == quote else quote) if quote else char
        elif char == "\\" and at + 1 < len(command):
            current, at = current + command[at : at + 2], at + 2
            continue
        elif found := _SEPARATOR.match(command, at):
            parts.append(_Part(current.strip(), found[0]))
            current, at = "", found.end()
            continue
        elif any(command.startswith(sign, at) for sign in _COMPLEX) and not _descriptor(command, at):
            return []
        current, at = current + char, at + 1
    parts = [part for part in (*parts, _Part(current.strip(), "")) if part.text]
    return [] if any(part.text.split()[0] in _KEYWORDS for part in parts) else parts


def _descriptor(command: str, at: int) -> bool:
    """Whether the `&` here is of a redirection such as `2>&1`, `&>file`."""
    return command[at] == "&" and (command[at - 1 : at] in {">", "<"} or command[at + 1 : at + 2] == ">")


def _grouped(group: Sequence[_Part], run: ImageStep, *, last: bool) -> Iterator[ImageStep]:
    texts = [part for part in group if not re.fullmatch(r"set( [-+][a-z]+)+( pipefail)?", part.text)]
    if not texts:
        return
    for part in texts:
        _check_network(part.text)
        if not last and part.text.split()[0] in _STATEFUL:
            raise RefusedError(
                f"{part.text!r} and what follows it have to be run in one go: write RUN steps of their own"
            )
    ends = {"&&": " && ", ";": "; ", "\n": "\n", "": ""}
    yield _running(run, "".join(part.text + ends[part.end] for part in texts).removesuffix(" && "))


def _running(run: ImageStep, command: str) -> ImageStep:
    return ImageStep(kind="run", path=run.path, command=command, environment=run.environment, wall_ms=run.wall_ms)


def _check_network(command: str) -> None:
    """What fetches things cannot be run: there is no network while an image is made."""
    found = re.findall(r"(?:^|[;&|(]|\bsudo\b|\bthen\b|\bdo\b)\s*([\w./-]+)", command)
    for word in found:
        name = word.rpartition("/")[2]
        if name in _NETWORK or (name == "git" and re.search(r"\bgit\s+clone\b", command)):
            raise RefusedError(f"{name} needs the network, or is used in a way that is not supported")


def _requirement(text: str) -> str:
    if not _REQUIREMENT.fullmatch(text):
        raise RefusedError(
            f"{text!r} is no plain requirement: paths, addresses, git and editable installs are not supported"
        )
    return text


def _folders(found: Sequence[str]) -> tuple[ImageStep, ...] | None:
    odd = any(word.startswith("-") and word not in {"-p", "--parents"} for word in found)
    if odd or any(sign in word for word in found for sign in "*?{}$~><|"):
        return None
    return tuple(ImageStep(kind="folder", path=word) for word in found if not word.startswith("-"))


def _system(found: Sequence[str]) -> tuple[ImageStep, ...]:
    rest = [word for word in found[1:] if not word.startswith("-")]
    if rest[:1] == ["install"]:
        return (ImageStep(kind="system", requirements=tuple(word.partition("=")[0] for word in rest[1:])),)
    if rest[:1] and rest[0] in _APT_NOTHING:
        return ()
    raise RefusedError(f"{' '.join(found[:3])!r} is not supported")


def _cleaning(found: Sequence[str]) -> bool:
    kept = [word for word in found[1:] if not word.startswith("-")]
    return found[0] == "rm" and bool(kept) and all(w.startswith(("/var/lib/apt", "/var/cache/apt")) for w in kept)
