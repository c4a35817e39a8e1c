"""What a run grants tasks beyond what they ask for, or takes from them."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from proofyard.core import UsageError

__all__ = ["Terms", "resolved"]

_VARIABLE: Final = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


class Terms(NamedTuple):
    """hosts: `name:port` entries that are reached beside those of a task (not where its network is none).

    closed: tasks that ask for the public network get none. any_base: every FROM is taken for this machine's system.
    variables: those of the host that tasks may have, with their values. engine: docker or podman, which builds the images
    and holds the tasks; "" is this machine's own sandbox. public: tasks that ask for the public network get it (with an
    engine). system: changes of the system's folders are part of the work (with an engine).
    """

    hosts: tuple[str, ...] = ()
    closed: bool = False
    any_base: bool = False
    variables: Mapping[str, str] = {}
    engine: str = ""
    public: bool = False
    system: bool = False


def resolved(table: str, env: Mapping[str, str], terms: Terms, where: str) -> dict[str, str]:
    """The variables of a table, with `${NAME}` and `${NAME:-default}` replaced by what the run grants.

    Raises:
        UsageError: one wants a variable of the host that is not granted and has no default.

    """
    found = {}
    for key, value in env.items():

        def granted(match: re.Match[str], key: str = key) -> str:
            value = terms.variables.get(match[1], match[2])
            if value is None:
                raise UsageError(
                    f"{where}: {table}.env.{key} wants ${{{match[1]}}} of the host; --suite-option env={match[1]} grants it"
                )
            return value

        found[key] = _VARIABLE.sub(granted, value)
    return found
