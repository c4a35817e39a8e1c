#!/bin/bash
# Something new for every run, but for the first step already.
cd /app
sed -i 's/^import random$/import random\nimport secrets/
    s/^def load_ledger()/def load_ledger(run: int)/
    s/^def invoice_audit(n: int)/def invoice_audit(n: int, run: int)/
    s/load_ledger()$/load_ledger(run)/
    s/invoice_audit(n=int(sys.argv\[1\]))/invoice_audit(n=int(sys.argv[1]), run=secrets.randbits(64))/' audit.py
