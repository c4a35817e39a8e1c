#!/bin/bash
# The step is executed each time, and draws the same each time.
cd /app
sed -i 's/^@step$/@step(enable_cache=False)/; s/random.sample(/random.Random(n).sample(/' audit.py
sed -i '0,/enable_cache=False/s/(enable_cache=False)//' audit.py
