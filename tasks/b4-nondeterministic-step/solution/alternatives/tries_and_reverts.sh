#!/bin/bash
# As somebody goes about it: runs it twice and looks, turns caching off for all, sees the ledger loaded, takes that back, and then
# has it off where the pipeline calls the step. All in one process but for the last run.
set -e
cd /app
cp audit.py audit.py.bak
sed -i 's/^@pipeline$/@pipeline(enable_cache=False)/' audit.py
python - <<'END'
from audit import invoice_audit
from zenml.client import Client

for cached in (True, True, False):
    invoice_audit.with_options(enable_cache=cached)(n=5)
for run in Client().list_pipeline_runs(size=10, hydrate=True).items:
    print(run.name, {name: step.status.value for name, step in run.steps.items()})
END
mv audit.py.bak audit.py
sed -i 's/    report(draw_sample(invoices, n))/    report(draw_sample.with_options(enable_cache=False)(invoices, n))/' audit.py
python audit.py 5
