"""Draw invoices for the auditor and sum them up: python audit.py N."""

import random
import sys
from typing import Annotated

from ledger import read_ledger
from zenml import pipeline, step

Invoices = list[dict[str, int]]


@step
def load_ledger() -> Annotated[Invoices, "invoices"]:
    """All invoices of the year. The real ledger takes an hour to read."""
    return read_ledger()


@step
def draw_sample(invoices: Invoices, n: int) -> Annotated[Invoices, "sample"]:
    """Draw n different invoices at random."""
    return random.sample(invoices, n)


@step
def report(sample: Invoices) -> Annotated[dict[str, int], "summary"]:
    """What the auditor signs: how many invoices were drawn, what they come to, and the largest."""
    amounts = [invoice["cents"] for invoice in sample]
    return {"drawn": len(sample), "cents": sum(amounts), "largest": max(amounts)}


@pipeline
def invoice_audit(n: int) -> None:
    """The ledger, a sample of it, the report."""
    invoices = load_ledger()
    report(draw_sample(invoices, n))


if __name__ == "__main__":
    invoice_audit(n=int(sys.argv[1]))
