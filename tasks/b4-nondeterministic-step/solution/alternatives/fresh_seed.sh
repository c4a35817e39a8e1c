#!/bin/bash
# Each run gives the step that draws a seed of its own, which is recorded with it: the draw can be repeated, and is never cached.
set -e
cd /app
sed -i 's/^import random$/import random\nimport secrets/
    s/^def draw_sample(invoices: Invoices, n: int)/def draw_sample(invoices: Invoices, n: int, seed: int)/
    s/random.sample(invoices, n)/random.Random(seed).sample(invoices, n)/
    s/^def invoice_audit(n: int)/def invoice_audit(n: int, seed: int)/
    s/draw_sample(invoices, n))/draw_sample(invoices, n, seed))/
    s/invoice_audit(n=int(sys.argv\[1\]))/invoice_audit(n=int(sys.argv[1]), seed=secrets.randbits(64))/' audit.py
