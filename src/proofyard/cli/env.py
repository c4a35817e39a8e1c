"""`proofyard env`: pinned environments for tasks' libraries, apart from proofyard's own packages."""

import click

from proofyard.cli.common import echo_json, json_option, print_rich

__all__ = ["command"]


@click.group(name="env")
def command() -> None:
    """Environments are built into the user's cache (XDG_CACHE_HOME) and named by what they are made of."""


@command.command(name="build")
@click.argument("name")
def build_one(name: str) -> int:
    """Install the packages of environment NAME, or the agent program NAME, if that was not done before; print where."""
    from proofyard.images import PROGRAMS, build, build_program, find_environment

    if name in PROGRAMS:
        click.echo(build_program(PROGRAMS[name], lambda line: click.echo(line, err=True)).folder)
        return 0
    there = build(find_environment(name), lambda line: click.echo(line, err=True))
    click.echo(there.packages)
    return 0


@command.command(name="path")
@click.argument("name")
def path_of(name: str) -> int:
    """Print the folder of packages of environment NAME, for `evaluate --packages`, or of the agent program NAME."""
    from proofyard.images import PROGRAMS, find_environment, installed, installed_program

    if name in PROGRAMS:
        click.echo(installed_program(name).folder)
        return 0
    click.echo(installed(find_environment(name)).packages)
    return 0


@command.command(name="agents")
@json_option
def list_agents(as_json: bool) -> int:
    """List the agent programs that can be installed, and whether they are."""
    from proofyard.core import UsageError
    from proofyard.images import PROGRAMS, installed_program

    found: list[dict[str, str | None]] = []
    for program in PROGRAMS.values():
        row: dict[str, str | None] = {"name": program.name, "version": program.version, "about": program.about}
        try:
            found.append({**row, "state": "installed", "path": installed_program(program.name).folder})
        except UsageError as error:
            found.append({**row, "state": str(error), "path": None})
    if as_json:
        echo_json(found)
        return 0
    for row in found:
        print_rich([f"{row['name']} {row['version']}: {row['about']}"])
        print_rich([f"  {row['state']}{': ' + str(row['path']) if row['path'] else ''}"])
    return 0


@command.command(name="list")
@json_option
def list_all(as_json: bool) -> int:
    """List the environments, what they are for, and whether they are built."""
    from proofyard.core import UsageError
    from proofyard.images import environments, installed

    found = []
    for known in environments().values():
        row = {"name": known.name, "about": known.about, "packages": len(known.packages), "python": known.python}
        try:
            there = installed(known)
            found.append({**row, "state": "built", "path": there.packages, "fingerprint": there.fingerprint})
        except UsageError as error:
            found.append({**row, "state": str(error), "path": None, "fingerprint": None})
    if as_json:
        echo_json(found)
        return 0
    for row in found:
        print_rich([f"{row['name']}: {row['about']} ({row['packages']} packages, Python {row['python']})"])
        print_rich([f"  {row['state']}{': ' + str(row['path']) if row['path'] else ''}"])
    return 0
