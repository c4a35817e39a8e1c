"""The nightly job as a pipeline."""

from zenml import pipeline

from ferry.steps import add_up, read_export, to_cents


@pipeline(enable_cache=False)
def takings(day: str) -> None:
    """Export -> cents -> takings."""
    add_up(to_cents(read_export(day)))
