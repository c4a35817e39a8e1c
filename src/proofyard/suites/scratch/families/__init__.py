"""All families by slug, with their fixed numbers. A family's module is imported when it is first asked for; families that
have no module yet have a number but no tasks.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from proofyard.suites.scratch.family import Family

__all__ = ["CATEGORIES", "FAMILIES", "NUMBERS", "present"]

CATEGORIES: dict[str, tuple[str, ...]] = {
    "text": (
        "word-frequency",
        "text-wrap",
        "line-diff",
        "glob-match",
        "template-render",
        "run-length",
        "edit-distance",
        "case-convert",
        "roman-numerals",
    ),
    "data": (
        "csv-aggregate",
        "csv-join",
        "json-pointer",
        "json-patch",
        "json-flatten",
        "schema-check",
        "pivot-table",
        "log-summary",
    ),
    "calendar": ("date-arithmetic", "business-days", "recurrence", "interval-merge", "cron-next", "iso-week"),
    "numbers": (
        "matrix-ops",
        "polynomial",
        "fractions",
        "base-convert",
        "statistics",
        "linear-solve",
        "prime-factors",
        "unit-convert",
    ),
    "graphs": ("shortest-path", "topological-order", "components", "spanning-tree", "bipartite-match", "max-flow"),
    "scheduling": ("job-shop", "meeting-rooms", "round-robin", "critical-path", "bin-packing"),
    "ledgers": ("double-entry", "loan-schedule", "fifo-inventory", "tax-brackets", "split-expenses", "order-book"),
    "geometry": ("polygon-area", "convex-hull", "point-in-polygon", "segment-intersection", "rectangle-union"),
    "parsing": ("expression-eval", "ini-parse", "url-parse", "s-expression", "semver-resolve", "query-filter"),
    "simulation": ("game-of-life", "robot-grid", "stack-machine", "turing-machine", "lru-cache", "rate-limiter"),
}
"""Category -> slugs, in the order that gives the numbers."""

NUMBERS: dict[str, int] = {
    slug: number for number, slug in enumerate((s for slugs in CATEGORIES.values() for s in slugs), start=1)
}
"""Slug -> number, from 1. Fixed for good: task ids hold it."""


@cache
def present() -> tuple[str, ...]:
    """The slugs that have a module, in the order of their numbers. Imports none of them."""
    return tuple(slug for slug in NUMBERS if find_spec(f"{__name__}.{slug.replace('-', '_')}") is not None)


class _Families(Mapping[str, Family]):
    """The families present, imported on first use."""

    def __getitem__(self, slug: str) -> Family:
        if slug not in present():
            raise KeyError(slug)
        return _load(slug)

    def __iter__(self) -> Iterator[str]:
        return iter(present())

    def __len__(self) -> int:
        return len(present())


@cache
def _load(slug: str) -> Family:
    family: Family = import_module(f"{__name__}.{slug.replace('-', '_')}").FAMILY
    return family


FAMILIES: Mapping[str, Family] = _Families()
"""Slug -> family."""
