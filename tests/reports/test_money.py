"""What costs little is not shown as costing nothing."""

import pytest

from proofyard.reports import dollars_text


@pytest.mark.parametrize(
    ("micro_usd", "text"),
    [
        (0, "$0.0000"),
        (1, "$0.000001"),
        (45, "$0.000045"),
        (6_000, "$0.0060"),
        (33_553, "$0.033553"),
        (12_500_000, "$12.5000"),
    ],
)
def test_dollars(micro_usd: int, text: str) -> None:
    assert dollars_text(micro_usd) == text
