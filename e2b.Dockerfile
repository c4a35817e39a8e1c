# The evaluator: proofyard, what isolates samples from each other, and the libraries of BigCodeBench's tasks, pinned with hashes.
# For E2B (see e2b.toml):       e2b template build
# For --isolation container:    docker build -f e2b.Dockerfile -t proofyard-evaluator .
FROM python:3.11.11-slim-bookworm

RUN apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap libgomp1 libgl1 libglib2.0-0 procps \
    && rm -rf /var/lib/apt/lists/*

COPY pyproject.toml README.md LICENSE /src/
COPY src /src/src
RUN pip install --no-cache-dir uv==0.9.5 /src && rm -rf /src

# The cache holds the environment and what is measured of the tasks' own solutions; E2B runs commands as another user.
ENV XDG_CACHE_HOME=/opt/proofyard-cache
RUN proofyard env build bigcodebench && chmod -R a+rwX /opt/proofyard-cache
