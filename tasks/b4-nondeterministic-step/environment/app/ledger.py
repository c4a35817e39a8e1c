"""The ledger: the invoices of a year."""


def read_ledger() -> list[dict[str, int]]:
    """Every invoice with its number and its amount, in the order of the numbers."""
    return [{"number": 1000 + n, "cents": 500 + (n * 7919 * n + 104_729 * n) % 180_001} for n in range(400)]
