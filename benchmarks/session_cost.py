"""What isolation costs: CPU of a 15-request session in a sandbox against the same session of a bare `python main.py`.

Both sides use the same interpreter and feeder. CPU is that of the whole process tree. A control burns one CPU second
inside and must show it.
"""

import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from measuring import Kinds, bare, command_line, cpu, isolated, per_session, request

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


def bare_sessions(sessions: int, requests: int, op: str) -> None:
    bare([interpreter().path, *FLAGS, "main.py"], os.environ["BENCH_FOLDER"], {}, sessions, requests, op)


def in_sandbox(sessions: int, requests: int, op: str, armed: bool = False, reopen: bool = True) -> None:
    blobs = MemoryBlobs()
    tree = tree_of({"main.py": MAIN}, blobs)
    spec = SandboxSpec(
        mounts=(Mount(path="/workspace/project", tree=tree),), kept=("/workspace/state",), armed=armed, limits=Limits()
    )
    argv = ["python", "main.py", *(["--store"] if armed else [])]
    isolated(LocalProvider(), spec, blobs, argv, (sessions, requests), op, reopen)


KINDS: Kinds = {
    "bare": bare_sessions,
    "isolated": in_sandbox,
    "start only": lambda sessions, requests, op: in_sandbox(sessions, requests, op, reopen=False),
    "armed": lambda sessions, requests, op: in_sandbox(sessions, requests, op, armed=True),
}


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
    options = command_line(__doc__, KINDS)
    return report(options.sessions, options.rounds) if options else 0


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
