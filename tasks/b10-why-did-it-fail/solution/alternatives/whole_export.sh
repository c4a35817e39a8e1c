#!/bin/bash
# The export is looked at when it is read; what comes after works with plain numbers.
set -e
cd /app
python - <<'END'
from pathlib import Path

steps = Path("ferry/steps.py")
text = steps.read_text()
text = text.replace("    return sales\n\n\n@step\ndef to_cents", """\
    for sale in sales:
        digits, _, cents = sale["amount"].removeprefix("-").rpartition(".")
        first, *others = digits.split(",")
        if len(cents) != 2 or (others and not 1 <= len(first) <= 3) or any(len(group) != 3 for group in others):
            raise ValueError(f"the export of {day} has the amount {sale['amount']!r}")
        sale["amount"] = sale["amount"].replace(",", "")
    return sales


@step
def to_cents""")
steps.write_text(text)
END
python run.py 2026-03-06
