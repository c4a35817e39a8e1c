#!/bin/bash
# The run follows the stage, but its step is served from the cache whatever version it is about.
set -e
cd /app
sed -i 's/version="1"/version="production"/' forecast.py
python -c '
from zenml.client import Client
Client().get_model_version("demand", "2").set_stage("production", force=True)
'
