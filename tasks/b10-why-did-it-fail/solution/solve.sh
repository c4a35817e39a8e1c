#!/bin/bash
# An amount may have its groups of three digits set apart, and only these; then the night is made up for.
set -e
cd /app
python - <<'END'
from pathlib import Path

steps = Path("ferry/steps.py")
text = steps.read_text()
text = text.replace("import csv\n", "import csv\nimport re\n")
text = text.replace("from zenml import step\n", "from zenml import step\n\nGROUPED = re.compile(r'-?\\d{1,3}(,\\d{3})+\\.\\d\\d')\n")
text = text.replace(
    'return [round(float(sale["amount"]) * 100) for sale in sales]',
    'return [_cents(sale["amount"]) for sale in sales]\n\n\n'
    "def _cents(amount: str) -> int:\n"
    '    return round(float(amount.replace(",", "") if GROUPED.fullmatch(amount) else amount) * 100)',
)
steps.write_text(text)
END
python run.py 2026-03-06
