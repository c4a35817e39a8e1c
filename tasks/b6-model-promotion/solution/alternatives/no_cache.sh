#!/bin/bash
# The step is never served from the cache; the model is loaded in it, as before.
set -e
cd /app
sed -i 's/^@step$/@step(enable_cache=False)/; s/version="1"/version="production"/' forecast.py
python -c '
from zenml.client import Client
Client().get_model_version("demand", "2").set_stage("production", force=True)
'
