"""`task.toml` as bytes -> records and back: versions 1.0 to 1.4, deprecated keys put right, unknown ones kept and named."""

import datetime
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Final, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from proofyard.core import UsageError
from proofyard.formats.harbor.config import TaskConfig
from proofyard.formats.harbor.rules import faults
from proofyard.formats.harbor.toml import toml_text

__all__ = ["VERSIONS", "TaskFile", "config_text", "read_config", "read_document"]

VERSIONS: Final = ("1.0", "1.1", "1.2", "1.3", "1.4")

_SIZE: Final = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMG])B?\s*", re.IGNORECASE)
_UNIT: Final = {"K": 1 / 1024, "M": 1, "G": 1024}


class TaskFile(NamedTuple):
    """A `task.toml`. document: as plain values in the form of 1.4, with the unknown keys.

    unknown: dotted names of keys that the schema does not have. deprecated: what was put right, in words.
    """

    config: TaskConfig
    document: dict[str, Any]
    unknown: tuple[str, ...]
    deprecated: tuple[str, ...]

    @property
    def text(self) -> str:
        """The file written anew, in the form of 1.4; unknown keys stay."""
        return toml_text(self.document)


def read_document(path: Path) -> dict[str, Any]:
    """Read a TOML file. Raises UsageError (FileNotFoundError if it is not there)."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None


def read_config(path: Path) -> TaskFile:
    """Read a `task.toml`.

    Raises:
        UsageError: it is not there, is no TOML, or breaks a rule of the schema.

    """
    try:
        document = read_document(path)
    except FileNotFoundError:
        raise UsageError(f"{path.parent} is no Harbor task: it has no task.toml") from None
    try:
        deprecated = tuple(_renewed(document))
        config = msgspec.convert(document, type=TaskConfig, strict=True)
    except (msgspec.ValidationError, _FaultError) as error:
        raise UsageError(f"{path}: {_worded(str(error))}") from None
    if config.schema_version not in VERSIONS:
        raise UsageError(f"{path}: schema_version {config.schema_version!r} is not known; known: {', '.join(VERSIONS)}")
    for fault in faults(config):
        raise UsageError(f"{path}: {fault}")
    document["schema_version"] = VERSIONS[-1]
    return TaskFile(config, document, tuple(sorted(_unknown(document, TaskConfig))), deprecated)


def config_text(config: TaskConfig) -> str:
    """A `task.toml` of a config: what holds its default is left out."""
    document = msgspec.to_builtins(config, builtin_types=(datetime.datetime, datetime.date, datetime.time))
    return toml_text({"schema_version": config.schema_version, **document})


class _FaultError(Exception):
    """A deprecated key that cannot be put right."""


def _worded(text: str) -> str:
    """Msgspec's message with the place as TOML names it."""
    said, found, where = text.partition(" - at `$")
    return f"{where.rstrip('`').lstrip('.')}: {said[0].lower()}{said[1:]}" if found else said


def _renewed(document: dict[str, Any]) -> Iterator[str]:
    """Put deprecated keys right in place; yield what was."""
    if "version" in document and "schema_version" not in document:
        document["schema_version"] = document.pop("version")
        yield "version is schema_version now"
    document.setdefault("schema_version", VERSIONS[-1])
    for name, environment in _environments(document):
        yield from _renewed_environment(name, environment)


def _environments(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    steps = document.get("steps", [])
    verifiers = [("verifier", document.get("verifier"))]
    verifiers += [
        (f"steps[{n}].verifier", step.get("verifier")) for n, step in enumerate(steps) if isinstance(step, dict)
    ]
    tables = [("environment", document.get("environment"))]
    tables += [
        (f"{name}.environment", table.get("environment")) for name, table in verifiers if isinstance(table, dict)
    ]
    yield from ((name, table) for name, table in tables if isinstance(table, dict))


def _renewed_environment(name: str, table: dict[str, Any]) -> Iterator[str]:
    if "allow_internet" in table:
        allowed = table.pop("allow_internet")
        if not isinstance(allowed, bool):
            raise _FaultError(f"{name}.allow_internet: expected `bool`")
        if "network_mode" not in table and "allowed_hosts" not in table:
            table["network_mode"] = "public" if allowed else "no-network"
        yield f"{name}.allow_internet is network_mode now"
    for key in ("memory", "storage"):
        if key in table:
            size = _megabytes(name, key, table.pop(key))
            if table.setdefault(f"{key}_mb", size) != size:
                raise _FaultError(f"{name}.{key} and {name}.{key}_mb say different sizes")
            yield f"{name}.{key} is {key}_mb now"
    servers = table.get("mcp_servers", [])
    for server in servers if isinstance(servers, list) else []:
        if isinstance(server, dict) and server.get("transport") == "http":
            server["transport"] = "streamable-http"


def _megabytes(name: str, key: str, value: Any) -> int:
    found = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise _FaultError(f'{name}.{key}: {value!r} is no size such as "2G" or "512M"')
    return int(float(found[1]) * _UNIT[found[2].upper()])


def _unknown(value: Any, kind: Any, at: str = "") -> Iterator[str]:
    """Names of keys, below a value of a type, that the type does not have."""
    kinds = get_args(kind) if get_origin(kind) in {UnionType, Union} else (kind,)
    if isinstance(value, dict):
        record = next((one for one in kinds if isinstance(one, type) and issubclass(one, msgspec.Struct)), None)
        if record is None:
            return
        hints = get_type_hints(record)
        for key, item in value.items():
            name = f"{at}.{key}" if at else key
            if key in hints:
                yield from _unknown(item, hints[key], name)
            else:
                yield name
    elif isinstance(value, list):
        rows = next((one for one in kinds if get_origin(one) is tuple), None)
        if rows is not None:
            for number, item in enumerate(value):
                yield from _unknown(item, get_args(rows)[0], f"{at}[{number}]")
