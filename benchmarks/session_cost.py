"""What isolation costs: CPU of a 15-request session in a sandbox against the same session of a bare `python main.py`.

Both sides use the same interpreter and feeder. CPU is that of the whole process tree, read by wait4 of a worker process that
has waited for all its own (the runner, and by it every sandbox init). A worker with no session is taken off, so that
neither start-up counts. A control burns one CPU second inside and must show it.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from proofyard.core import Limits, MemoryBlobs, Mount, SandboxSpec, tree_of
from proofyard.sandbox import LocalProvider
from proofyard.sandbox.machine import interpreter

GATE = 1.5
MAIN = b"""
import json, os, sys
store = "--store" in sys.argv
for number, line in enumerate(sys.stdin):
    request = json.loads(line)
    if store and number % 2 == 0:
        with open("/workspace/state/new", "w") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        os.replace("/workspace/state/new", "/workspace/state/now")
    if request["op"] == "burn":
        import time
        end = time.process_time() + 1
        while time.process_time() < end:
            pass
    print(json.dumps({"id": request["id"], "ok": True, "result": sorted(request["args"]["items"])}), flush=True)
"""
FLAGS = ["-E", "-s", "-S", "-B"]


def request(number: int, op: str = "sort") -> bytes:
    return json.dumps({"id": number, "op": op, "args": {"items": [5, 3, 1, number]}}).encode()


def bare(sessions: int, requests: int, op: str) -> None:
    folder = os.environ["BENCH_FOLDER"]
    python = interpreter().path
    for _ in range(sessions):
        command = [python, *FLAGS, "main.py"]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, env={}) as process:
            assert process.stdin and process.stdout
            for number in range(requests):
                process.stdin.write(request(number, op) + b"\n")
                assert process.stdout.readline()
            process.communicate()
            assert process.returncode == 0


def isolated(sessions: int, requests: int, op: str, armed: bool = False, reopen: bool = True) -> None:
    blobs = MemoryBlobs()
    tree = tree_of({"main.py": MAIN}, blobs)
    spec = SandboxSpec(
        mounts=(Mount(path="/workspace/project", tree=tree),), kept=("/workspace/state",), armed=armed, limits=Limits()
    )
    provider = LocalProvider()
    sandbox = provider.open(spec, blobs)
    for _ in range(sessions):
        if reopen:
            sandbox.close()
            sandbox = provider.open(spec, blobs)
        process = sandbox.start(["python", "main.py", *(["--store"] if armed else [])])
        for number in range(requests):
            reply = process.exchange(request(number, op), 5000)
            assert reply.line, reply
        ended = process.finish(5000)
        assert ended.code == 0, ended
    sandbox.close()
    provider.close()


KINDS: dict[str, Callable[[int, int, str], None]] = {
    "bare": bare,
    "isolated": isolated,
    "start only": lambda sessions, requests, op: isolated(sessions, requests, op, reopen=False),
    "armed": lambda sessions, requests, op: isolated(sessions, requests, op, armed=True),
}


def cpu(kind: str, sessions: int, requests: int, op: str = "sort") -> float:
    """CPU seconds of a worker and all it started."""
    command = [sys.executable, __file__, "--worker", kind, str(sessions), str(requests), op]
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, used = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"the worker {kind} failed")
    return used.ru_utime + used.ru_stime


def per_session(kind: str, sessions: int, requests: int, op: str = "sort") -> float:
    return (cpu(kind, sessions, requests, op) - cpu(kind, 0, requests, op)) / sessions


def kill_times(count: int) -> list[float]:
    """Milliseconds from the call of kill to its confirmed end, on a live small process."""
    blobs = MemoryBlobs()
    spec = SandboxSpec(mounts=(Mount(path="/workspace/project", tree=tree_of({"main.py": MAIN}, blobs)),))
    provider = LocalProvider()
    sandbox = provider.open(spec, blobs)
    times = []
    for _ in range(count):
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(request(1), 5000).line
        start = time.perf_counter()
        assert sandbox.kill()
        times.append((time.perf_counter() - start) * 1000)
    provider.close()
    return sorted(times)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        kind, sessions, requests, op = options.worker
        KINDS[kind](int(sessions), int(requests), op)
        return 0
    return report(options.sessions, options.rounds)


def report(sessions: int, rounds: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "main.py").write_bytes(MAIN)
        os.environ["BENCH_FOLDER"] = folder
        ratios: dict[str, list[float]] = {}
        for _ in range(rounds):
            base = per_session("bare", sessions, 15)
            print(f"bare 15 requests: {base * 1000:.1f} ms CPU a session")
            for kind in ("isolated", "start only", "armed"):
                value = per_session(kind, sessions, 15)
                ratios.setdefault(kind, []).append(value / base)
                print(f"{kind} 15 requests: {value * 1000:.1f} ms CPU a session, {value / base:.2f} of bare")
        for kind in ("isolated", "armed"):
            base, value = per_session("bare", 6, 200), per_session(kind, 6, 200)
            print(
                f"{kind} 200 requests: {value * 1000:.1f} ms, bare {base * 1000:.1f} ms, ratio {value / base:.2f} (no gate)"
            )
        burnt = (cpu("isolated", 5, 1, "burn") - cpu("isolated", 5, 1)) / 5
        print(f"control: one CPU second burnt inside shows as {burnt:.2f} s")
        times = kill_times(60)
        print(f"kill to confirmed: p50 {times[len(times) // 2]:.1f} ms, p95 {times[int(len(times) * 0.95)]:.1f} ms")
    ratio = median(ratios["isolated"])
    good = ratio <= GATE and 0.9 <= burnt <= 1.3
    print(f"isolated / bare: {ratio:.2f} (at most {GATE}): {'ok' if good else 'FAILED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
