#!/bin/bash
# Nothing is cached any more, the dear ledger included.
cd /app
sed -i 's/^@pipeline$/@pipeline(enable_cache=False)/' audit.py
