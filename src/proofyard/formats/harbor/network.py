"""Network modes and the entries of `allowed_hosts`."""

import ipaddress
import re
from collections.abc import Sequence
from typing import Final

__all__ = ["enforceable", "entry", "network_fault"]

_NAME: Final = re.compile(r"(?=.{1,253}\Z)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")


def entry(text: str) -> str:
    """An entry as it is compared: trimmed, in lower case, without a trailing dot.

    Raises:
        ValueError: it is no host name, `*.suffix`, address or network.

    """
    host = text.strip().lower().rstrip(".")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    try:
        if "/" in bare:
            return str(ipaddress.ip_network(bare))
        if ":" in bare or bare.replace(".", "").isdigit():
            return str(ipaddress.ip_address(bare))
    except ValueError:
        raise ValueError(f"{text!r} is no address or network") from None
    if not _NAME.fullmatch(bare.removeprefix("*.")) or bare != host:
        raise ValueError(f"{text!r} is no host name or address")
    return host


def enforceable(host: str) -> bool:
    """Whether the egress proxy can hold to an entry: it lets through names and addresses, no patterns and no networks."""
    return not (host.startswith("*.") or "/" in host)


def network_fault(mode: str | None, hosts: Sequence[str] | None) -> str:
    """What is wrong with a mode and its hosts; "" if nothing is."""
    if mode != "allowlist":
        return 'allowed_hosts needs network_mode = "allowlist"' if hosts is not None else ""
    if hosts is None:
        return 'network_mode "allowlist" needs a list allowed_hosts'
    for host in hosts:
        try:
            entry(host)
        except ValueError as error:
            return f"{error} (allowed_hosts)"
    return ""
