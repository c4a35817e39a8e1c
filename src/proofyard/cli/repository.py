"""Task folders from a repository: `--repo DIR` or `--repo org/name@ref`, and `-d NAME@VERSION` of its `registry.json`."""

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from proofyard.core import Failure, InfrastructureError, UsageError, cache_folder

__all__ = ["folder_asked", "repository_options"]

_Command = TypeVar("_Command", bound=Callable[..., Any])
_NAME: Final = re.compile(r"([A-Za-z0-9][\w.-]*)/([A-Za-z0-9][\w.-]*)(?:@([\w][\w./-]*))?")
_GIT_MS: Final = 1_800_000


def repository_options(command: _Command) -> _Command:
    """Add the options."""
    for option in (
        click.option("-d", "--dataset", default="", metavar="NAME[@VERSION]", help="A data set of its registry.json."),
        click.option("--repo", default="", metavar="DIR|ORG/NAME[@REF]", help="Tasks of this folder or repository."),
    ):
        command = option(command)
    return command


def folder_asked(suite: str, options: dict[str, str], repo: str, dataset: str) -> tuple[str, dict[str, str]]:
    """Return the suite that is meant, and its options.

    Raises:
        UsageError: neither or both of suite and repository are given, or there is no such repository.
        InfrastructureError: it could not be fetched.

    """
    if bool(suite) == bool(repo):
        raise UsageError("give a suite or a folder of tasks, or --repo: one of them")
    if not repo:
        if dataset and not Path(suite).is_dir():
            raise UsageError("-d names a data set of a folder or of --repo")
        return suite, {**options, "dataset": dataset} if dataset else options
    folder = Path(repo) if Path(repo).is_dir() else _fetched(repo)
    return str(folder), {**options, "dataset": dataset} if dataset else options


def _fetched(repo: str) -> Path:
    """A repository of GitHub, fetched once by its ref into the cache."""
    found = _NAME.fullmatch(repo)
    if found is None or ".." in repo:
        raise UsageError(f"--repo {repo}: no such folder, and not of the form org/name@ref")
    org, name, ref = found[1], found[2], found[3] or "HEAD"
    home = cache_folder() / "repositories" / org / name / ref.replace("/", "--")
    if home.is_dir() and ref != "HEAD":
        return home
    home.parent.mkdir(parents=True, exist_ok=True)
    click.echo(f"fetching {org}/{name} at {ref}", err=True)
    with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=home.parent) as making:
        _git(making, "init", "--quiet")
        _git(making, "fetch", "--quiet", "--depth", "1", f"https://github.com/{org}/{name}.git", ref)
        _git(making, "checkout", "--quiet", "--detach", "FETCH_HEAD")
        commit = _git(making, "rev-parse", "HEAD").strip()
        kept = home if ref != "HEAD" else home.with_name(commit)
        if not kept.is_dir():
            Path(making).rename(kept)
            Path(making).mkdir()
    return kept


def _git(folder: str, *words: str) -> str:
    from proofyard.sandbox.host import run_command

    env = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "GIT_LFS_SKIP_SMUDGE": "1"}
    ended = run_command(["git", *words], cwd=folder, env=env, wall_ms=_GIT_MS)
    if ended.code != 0:
        said = " / ".join(ended.stderr.decode("utf-8", "replace").strip().splitlines()[-3:])
        raise InfrastructureError(Failure(code="image_build", message=f"git {words[0]}: {said or 'not done in time'}"))
    return ended.stdout.decode("utf-8", "replace")
