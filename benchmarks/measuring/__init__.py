"""What the benchmarks of sessions share: a JSON-lines feeder, a bare session, and the CPU of a whole process tree.

CPU is read by wait4 of a worker process that has waited for all its own (the runner, and by it every sandbox init). A
worker with no session is taken off, so that start-up does not count.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence

from proofyard.core import Blobs, Sandbox, SandboxSpec
from proofyard.sandbox import LocalProvider

__all__ = ["Kinds", "bare", "command_line", "cpu", "isolated", "per_session", "request"]

Kinds = Mapping[str, Callable[[int, int, str], None]]
"""Kind -> what plays so many sessions of so many requests of an operation."""


def request(number: int, op: str = "sort") -> bytes:
    """One line of a session."""
    return json.dumps({"id": number, "op": op, "args": {"items": [5, 3, 1, number]}}).encode()


def bare(command: Sequence[str], folder: str, env: Mapping[str, str], sessions: int, requests: int, op: str) -> None:
    """Sessions of a bare subprocess."""
    pipe = subprocess.PIPE
    for _ in range(sessions):
        with subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, env=env) as process:
            assert process.stdin and process.stdout
            for number in range(requests):
                process.stdin.write(request(number, op) + b"\n")
                assert process.stdout.readline()
            process.communicate()
            assert process.returncode == 0


def isolated(
    provider: LocalProvider,
    spec: SandboxSpec,
    blobs: Blobs,
    argv: Sequence[str],
    counts: tuple[int, int],
    op: str,
    reopen: bool = True,
) -> None:
    """Sessions in a sandbox, a fresh one each if `reopen`. counts: sessions, requests a session."""
    sessions, requests = counts
    sandbox: Sandbox = provider.open(spec, blobs)
    for _ in range(sessions):
        if reopen:
            sandbox.close()
            sandbox = provider.open(spec, blobs)
        process = sandbox.start(argv)
        for number in range(requests):
            reply = process.exchange(request(number, op), 5000)
            assert reply.line, (reply, process.finish(1000))
        ended = process.finish(5000)
        assert ended.code == 0, ended
    sandbox.close()
    provider.close()


def cpu(kind: str, sessions: int, requests: int, op: str = "sort") -> float:
    """CPU seconds of a worker of this script and all it started."""
    command = [sys.executable, sys.argv[0], "--worker", kind, str(sessions), str(requests), op]
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, used = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"the worker {kind} failed")
    return used.ru_utime + used.ru_stime


def per_session(kind: str, sessions: int, requests: int, op: str = "sort") -> float:
    """CPU seconds a session."""
    return (cpu(kind, sessions, requests, op) - cpu(kind, 0, requests, op)) / sessions


def command_line(about: str | None, kinds: Kinds) -> argparse.Namespace | None:
    """The options of a benchmark; None after the work of a worker."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.worker:
        return options
    kind, sessions, requests, op = options.worker
    kinds[kind](int(sessions), int(requests), op)
    return None
