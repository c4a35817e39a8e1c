"""Sums of money as text."""

__all__ = ["dollars_text"]

_PLACES = 4


def dollars_text(micro_usd: int) -> str:
    """Millionths of a dollar in dollars: four decimals, more where these would drop something (`$0.0060`, `$0.000045`)."""
    text = f"{micro_usd / 1_000_000:.6f}"
    short = len(text) - 6 + _PLACES
    return "$" + text[:short] + text[short:].rstrip("0")
