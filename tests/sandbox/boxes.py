"""Short ways to a sandbox for the tests of this folder."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from proofyard.core import Limits, MemoryBlobs, Mount, SandboxSpec, tree_of
from proofyard.sandbox import LocalProvider

ECHO = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"got": json.loads(line)}), flush=True)
"""
PROJECT = "/workspace/project"
STATE = "/workspace/state"


@contextmanager
def opened(provider: LocalProvider, code: str = ECHO, **options: Any) -> Iterator[Any]:
    """An open sandbox whose main.py is `code`; options of the specification, `limits` as a dict."""
    blobs = options.pop("blobs", None) or MemoryBlobs()
    files = {"main.py": code, **options.pop("files", {})}
    limits = Limits(**{"cpu_ms": 4000, **options.pop("limits", {})})
    mounts = (Mount(path=PROJECT, tree=tree_of(files, blobs)), *options.pop("mounts", ()))
    spec = SandboxSpec(mounts=mounts, kept=options.pop("kept", (STATE,)), limits=limits, **options)
    sandbox = provider.open(spec, blobs)
    try:
        yield sandbox
    finally:
        sandbox.close()


def run(sandbox: Any, *argv: str, wall_ms: int = 5000, **options: Any) -> Any:
    """Start `python main.py argv`, send nothing, return how it ended."""
    return sandbox.start(["python", "main.py", *argv], **options).finish(wall_ms)


def facts(provider: LocalProvider, code: str, **options: Any) -> Any:
    """The JSON value that a program prints."""
    with opened(provider, code, **options) as sandbox:
        ended = run(sandbox)
    assert ended.code == 0, ended
    return json.loads(ended.stdout)
