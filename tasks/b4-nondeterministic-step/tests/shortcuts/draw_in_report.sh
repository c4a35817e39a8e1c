#!/bin/bash
# The report draws a sample for itself; the one that is recorded is still that of the cache.
cd /app
python - <<'END'
from pathlib import Path

path = Path("audit.py")
text = path.read_text().replace("@step\ndef report(sample: Invoices)", "@step(enable_cache=False)\ndef report(sample: Invoices)")
text = text.replace("    amounts = ", "    sample = random.sample(read_ledger(), len(sample))\n    amounts = ")
path.write_text(text)
END
