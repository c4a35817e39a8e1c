"""LRU cache: entries know when they were last used, and the hits of all capacities follow from the reuse distances."""

from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

OPS: dict[str, tuple[str, ...]] = {"simulate": ("capacity", "steps"), "smallest": ("keys", "hits")}

_KEYED = ("put", "get", "peek", "delete", "pin", "unpin")


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, extra: dict[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra or {}


class _Cache:
    """A cache: its entries as [value, pinned, last use] by key."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.entries: dict[str, list[Any]] = {}
        self.evicted: list[str] = []
        self.clock = self.hits = self.misses = 0

    def use(self, key: str) -> None:
        """Makes a key the most recently used one."""
        self.clock += 1
        self.entries[key][2] = self.clock

    def evict(self, most: int) -> list[str]:
        """Evicts entries until there are at most so many; returns their keys."""
        ordered = sorted(self.entries, key=lambda key: int(self.entries[key][2]))
        excess = max(len(ordered) - most, 0)
        keys = [key for key in ordered if not self.entries[key][1]][:excess]
        if len(keys) < excess:
            raise Refused("cache_full")
        for key in keys:
            del self.entries[key]
        self.evicted += keys
        return keys

    def step(self, step: dict[str, Any]) -> Any:
        """The result of one step."""
        do = step["do"]
        if do == "resize":
            self.capacity = step["capacity"]
            return self.evict(self.capacity)
        if do == "put":
            return self.put(step["key"], step["value"])
        return self.read(do, step["key"]) if do in ("get", "peek") else self.mark(do, step["key"])

    def put(self, key: str, value: int) -> list[str]:
        """Stores a value; returns the keys evicted for it."""
        keys = [] if key in self.entries else self.evict(self.capacity - 1)
        self.entries.setdefault(key, [value, False, 0])[0] = value
        self.use(key)
        return keys

    def read(self, do: str, key: str) -> int | None:
        """The value of a key, None if it is not there."""
        entry = self.entries.get(key)
        if do == "get" and entry:
            self.hits += 1
            self.use(key)
        elif do == "get":
            self.misses += 1
        return int(entry[0]) if entry else None

    def mark(self, do: str, key: str) -> bool:
        """Deletes, pins or unpins a key; returns whether that could be done."""
        entry = self.entries.get(key)
        if entry is None or (do == "unpin" and not entry[1]):
            return False
        if do == "delete":
            del self.entries[key]
        else:
            entry[1] = do == "pin"
        return True


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    if op == "simulate":
        steps = args.get("steps")
        if not _is_integer(args.get("capacity"), 1, 50) or not isinstance(steps, list):
            return False
        return len(steps) <= 100 and all(map(_is_step, steps))
    keys = args.get("keys")
    if not isinstance(keys, list) or not _is_integer(args.get("hits"), 0, 200):
        return False
    return len(keys) <= 200 and all(map(_is_key, keys))


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    return _smallest(args["keys"], args["hits"]) if op == "smallest" else _simulate(args["capacity"], args["steps"])


def _is_integer(value: Any, least: int, most: int) -> bool:
    """Whether a value is an integer from `least` to `most`."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_key(value: Any) -> bool:
    """Whether a value is a key."""
    return isinstance(value, str) and 1 <= len(value) <= 30


def _is_step(value: Any) -> bool:
    """Whether a value is a step with the fields it needs."""
    if not isinstance(value, dict):
        return False
    if value.get("do") == "resize":
        return _is_integer(value.get("capacity"), 1, 50)
    if value.get("do") not in _KEYED or not _is_key(value.get("key")):
        return False
    return value["do"] != "put" or _is_integer(value.get("value"), -1000000000, 1000000000)


def _simulate(capacity: int, steps: list[dict[str, Any]]) -> dict[str, Any]:
    """Runs all steps."""
    cache = _Cache(capacity)
    results: list[Any] = []
    for number, step in enumerate(steps, 1):
        try:
            results.append(cache.step(step))
        except Refused as refused:
            raise Refused(refused.code, {"step": number}) from None
    latest = sorted(cache.entries.items(), key=lambda item: -int(item[1][2]))
    return {
        "results": results,
        "entries": [{"key": key, "value": value, "pinned": pinned} for key, (value, pinned, _) in latest],
        "hits": cache.hits,
        "misses": cache.misses,
        "evicted": cache.evicted,
    }


def _smallest(keys: list[str], hits: int) -> dict[str, Any]:
    """An access hits if since the last one of its key no more different keys than the capacity were accessed."""
    recent: list[str] = []
    distances: list[int] = []
    for key in keys:
        if key in recent:
            distances.append(len(recent) - recent.index(key))
            recent.remove(key)
        recent.append(key)
    distances.sort()
    if hits > len(distances):
        raise Refused("unattainable", {"most": len(distances)})
    capacity = distances[hits - 1] if hits else 1
    return {"capacity": capacity, "hits": sum(distance <= capacity for distance in distances)}
