"""A least-recently-used cache with pinned entries, and how capacity decides its hits."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..arguments import array, enum, integer, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

KEY = string(1, 30)
CAPACITY = integer(1, 50)
NEEDED = {
    **dict.fromkeys(("get", "peek", "delete", "pin", "unpin"), structure({"key": KEY})),
    "put": structure({"key": KEY, "value": integer(-1000000000, 1000000000)}),
    "resize": structure({"capacity": CAPACITY}),
}
KIND = structure({"do": enum(*NEEDED)})


def check_step(value: object, where: str) -> None:
    """Check one step: what it does decides which fields it needs."""
    NEEDED[KIND(value, where)["do"]](value, where)


def check_simulate(args: dict[str, Any]) -> None:
    """Check the arguments of `simulate`."""
    required(args, "capacity", CAPACITY)
    required(args, "steps", array(check_step, high=100))


def check_smallest(args: dict[str, Any]) -> None:
    """Check the arguments of `smallest`."""
    required(args, "keys", array(KEY, high=200))
    required(args, "hits", integer(0, 200))


@dataclass
class Cache:
    """The entries, the least recently used first, and what happened to them."""

    capacity: int
    entries: dict[str, int] = field(default_factory=dict)
    pinned: set[str] = field(default_factory=set)
    evicted: list[str] = field(default_factory=list)
    hits: int = 0
    misses: int = 0

    def get(self, given: dict[str, Any]) -> int | None:
        """The value of a key, which becomes the most recently used."""
        key = given["key"]
        if key not in self.entries:
            self.misses += 1
            return None
        self.hits += 1
        self.entries[key] = self.entries.pop(key)
        return self.entries[key]

    def peek(self, given: dict[str, Any]) -> int | None:
        """The value of a key, without a trace."""
        return self.entries.get(given["key"])

    def put(self, given: dict[str, Any]) -> list[str]:
        """Store a value as the most recently used; the keys that had to go."""
        key = given["key"]
        gone = [] if key in self.entries else self.shrink(self.capacity - 1)
        self.entries.pop(key, None)
        self.entries[key] = given["value"]
        return gone

    def delete(self, given: dict[str, Any]) -> bool:
        """Remove a key; whether it was there."""
        self.pinned.discard(given["key"])
        return self.entries.pop(given["key"], None) is not None

    def pin(self, given: dict[str, Any]) -> bool:
        """Keep a key from being evicted; whether it is there."""
        if given["key"] not in self.entries:
            return False
        self.pinned.add(given["key"])
        return True

    def unpin(self, given: dict[str, Any]) -> bool:
        """Take a pin away; whether there was one."""
        found = given["key"] in self.pinned
        self.pinned.discard(given["key"])
        return found

    def resize(self, given: dict[str, Any]) -> list[str]:
        """Change the capacity; the keys that had to go."""
        self.capacity = given["capacity"]
        return self.shrink(self.capacity)

    def shrink(self, most: int) -> list[str]:
        """Evict until at most `most` entries are left."""
        surplus = max(0, len(self.entries) - most)
        gone = [key for key in self.entries if key not in self.pinned][:surplus]
        if len(gone) < surplus:
            raise DomainError("cache_full", "too many entries are pinned")
        for key in gone:
            del self.entries[key]
        self.evicted += gone
        return gone


def simulate(args: dict[str, Any]) -> object:
    """Run the steps on an empty cache."""
    cache = Cache(args["capacity"])
    methods: dict[str, Callable[[dict[str, Any]], object]] = {name: getattr(cache, name) for name in NEEDED}
    results = []
    for number, given in enumerate(args["steps"], start=1):
        try:
            results.append(methods[given["do"]](given))
        except DomainError as error:
            raise DomainError(error.code, error.message, step=number) from None
    entries = [{"key": k, "value": v, "pinned": k in cache.pinned} for k, v in reversed(cache.entries.items())]
    counts = {"hits": cache.hits, "misses": cache.misses}
    return {"results": results, "entries": entries, "evicted": cache.evicted, **counts}


def smallest(args: dict[str, Any]) -> object:
    """The smallest capacity that reaches a number of hits."""
    depths = sorted(reuse_depths(args["keys"]))
    wanted = args["hits"]
    if len(depths) < wanted:
        raise DomainError("unattainable", "no capacity reaches so many hits", most=len(depths))
    capacity = depths[wanted - 1] if wanted > 0 else 1
    return {"capacity": capacity, "hits": sum(depth <= capacity for depth in depths)}


def reuse_depths(keys: list[str]) -> list[int]:
    """For each access to a key seen before: how many different keys were accessed since, that key included."""
    recent: list[str] = []
    depths = []
    for key in keys:
        if key in recent:
            depths.append(len(recent) - recent.index(key))
            recent.remove(key)
        recent.append(key)
    return depths


OPERATIONS = {
    "simulate": Operation(("capacity", "steps"), check_simulate, simulate),
    "smallest": Operation(("keys", "hits"), check_smallest, smallest),
}
