"""The servers of tools (MCP) of a condition, as programs are to start them in the sandbox."""

import json
from typing import Any, Final

__all__ = ["servers"]

_LIBRARIES: Final = {"LD_LIBRARY_PATH": "/opt/python/lib"}
"""The sandbox's interpreter may need its own library; programs start servers with few of their variables."""


def servers(condition: str) -> dict[str, dict[str, Any]]:
    """Return them by name: command, args, env."""
    given: dict[str, dict[str, Any]] = json.loads(condition) if condition else {}
    return {
        name: {
            "command": str(row["command"]),
            "args": [str(word) for word in row.get("args") or []],
            "env": {**_LIBRARIES, **{str(key): str(value) for key, value in (row.get("env") or {}).items()}},
        }
        for name, row in sorted(given.items())
    }
