"""Pages: `limit` items after the key that an opaque cursor holds. A cursor is good only for the list it was given for,
and has a checksum: one that was altered is none.
"""

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

from .arguments import integer, optional
from .errors import InvalidArgsError

__all__ = ["DEFAULT_LIMIT", "check_page", "page"]

DEFAULT_LIMIT = 50
_LIMIT = integer(1, 100)


def check_page(args: dict[str, Any], kind: str, scope: str, key_type: type[str] | type[int]) -> None:
    """Check `limit` and `cursor` of a request for the list `kind` of `scope`."""
    optional(args, "limit", _LIMIT)
    if "cursor" in args:
        key = _decode(args["cursor"])
        if type(key) is not key_type or _encode(kind, scope, key) != args["cursor"]:
            raise InvalidArgsError("cursor was not given for this list")


def page(args: dict[str, Any], kind: str, scope: str, items: Sequence[dict[str, Any]], key: str) -> dict[str, Any]:
    """The next items of a list sorted by its field `key`, under the name of their kind, and the cursor to go on with."""
    rest = [item for item in items if "cursor" not in args or item[key] > _decode(args["cursor"])]
    shown = rest[: args.get("limit", DEFAULT_LIMIT)]
    cursor = _encode(kind, scope, shown[-1][key]) if len(shown) < len(rest) else None
    return {kind: shown, "next_cursor": cursor}


def _encode(kind: str, scope: str, key: str | int) -> str:
    body = json.dumps([kind, scope, key]).encode()
    return base64.urlsafe_b64encode(b"%08x" % zlib.crc32(body) + body).decode()


def _decode(cursor: str) -> Any:
    """The key in a cursor, None if it is no cursor of this program."""
    try:
        return json.loads(base64.urlsafe_b64decode(cursor)[8:])[-1]
    except (ValueError, LookupError, TypeError):
        return None
