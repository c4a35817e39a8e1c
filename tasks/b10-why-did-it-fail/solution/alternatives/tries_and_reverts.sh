#!/bin/bash
# As an agent goes about it: looks at what failed, reads its exception, tries the obvious, sees that it also lets a broken export
# pass, takes it back, and then counts only what is written as the tills write it.
set -e
cd /app
python - <<'END'
import os
from pathlib import Path

steps = Path("ferry/steps.py")
kept = steps.read_text()
steps.write_text(kept.replace('float(sale["amount"])', 'float(sale["amount"].replace(",", ""))'))

from ferry.pipeline import takings
from zenml.client import Client

for run in Client().list_pipeline_runs(status="failed", hydrate=True).items:
    failed = [step for step in run.steps.values() if step.status == "failed"]
    print(run.name, [tag.name for tag in run.tags], [(step.name, step.exception_info.message) for step in failed])
    if "scheduled" in [tag.name for tag in run.tags]:
        print(run.config.parameters, failed[0].exception_info.traceback)
for day in ("2026-03-06", "2025-12-30"):
    print(takings(day=day).steps["add_up"].output.load())

steps.write_text(kept.replace(
    '[round(float(sale["amount"]) * 100) for sale in sales]',
    '[round(_euros(sale["amount"]) * 100) for sale in sales]\n\n\n'
    "def _euros(amount: str) -> float:\n"
    '    """What a till wrote, from a thousand on with or without commas between groups of three digits."""\n'
    '    euros = float(amount.replace(",", ""))\n'
    '    if amount not in {f"{euros:.2f}", f"{euros:,.2f}"}:\n'
    '        raise ValueError(f"no amount of a till: {amount}")\n'
    "    return euros",
))
END
python run.py 2026-03-06
