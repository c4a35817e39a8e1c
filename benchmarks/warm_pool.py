"""What the warm pool saves: CPU of a sample forked from a warm process against a fresh interpreter of the same kind.

light: a 15-request session, nothing heavy imported; bare `python main.py` with the same feeder is 1. heavy: a program that
imports numpy (if it is installed; else a set of large standard modules) and answers once; fresh interpreter against fork,
the one preload taken off. CPU is that of the whole process tree, read by wait4 of a worker process that has waited for all
its own (the runner, and by it and the warm process every sandbox init). A control burns one CPU second inside and must
show it. Only CPU is judged, never wall time.
"""

import argparse
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from proofyard.core import Image, MemoryBlobs, Mount, SandboxSpec, tree_of
from proofyard.sandbox import LocalProvider
from proofyard.sandbox.machine import interpreter

GATE = 1.2
LIGHT = b"""
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "burn":
        import time
        end = time.process_time() + 1
        while time.process_time() < end:
            pass
    print(json.dumps({"id": request["id"], "ok": True, "result": sorted(request["args"]["items"])}), flush=True)
"""
STANDARD = ("asyncio", "email.message", "http.client", "xml.dom.minidom", "unittest.mock", "decimal", "sqlite3", "ssl")
FLAGS = ["-s", "-S", "-B"]


def heavy_modules() -> tuple[str, ...]:
    return (*STANDARD, "numpy", "numpy.random") if importlib.util.find_spec("numpy") else STANDARD


def heavy_main() -> bytes:
    lines = [f"import {name}" for name in heavy_modules()]
    return "\n".join([*lines, "import sys", "print(len(sys.stdin.readline()), flush=True)"]).encode()


def packages(folder: str) -> str:
    """A folder with numpy and nothing else; "" without it."""
    spec = importlib.util.find_spec("numpy")
    if spec is None or spec.origin is None:
        return ""
    source, target = Path(spec.origin).parents[1], Path(folder, "packages")
    for name in ("numpy", "numpy.libs"):
        if (source / name).is_dir():
            shutil.copytree(source / name, target / name)
    subprocess.run([interpreter().path, "-m", "compileall", "-q", str(target)], check=True)
    return str(target)


def request(number: int, op: str = "sort") -> bytes:
    return json.dumps({"id": number, "op": op, "args": {"items": [5, 3, 1, number]}}).encode()


def bare(program: str, sessions: int, requests: int, op: str) -> None:
    folder = os.environ["BENCH_FOLDER"]
    env = {"PYTHONPATH": os.environ["BENCH_PACKAGES"], "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    pipe = subprocess.PIPE
    for _ in range(sessions):
        command = [interpreter().path, *FLAGS, program]
        with subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, env=env) as process:
            assert process.stdin and process.stdout
            for number in range(requests):
                process.stdin.write(request(number, op) + b"\n")
                assert process.stdout.readline()
            process.communicate()
            assert process.returncode == 0


def warm(program: str, preload: tuple[str, ...], sessions: int, requests: int, op: str, reopen: bool = True) -> None:
    folder = os.environ["BENCH_FOLDER"]
    blobs = MemoryBlobs()
    tree = tree_of({program: Path(folder, program).read_bytes()}, blobs)
    image = Image(preload=preload, packages=os.environ["BENCH_PACKAGES"])
    spec = SandboxSpec(image=image, mounts=(Mount(path="/workspace/project", tree=tree),), kept=("/workspace/state",))
    provider = LocalProvider(rung="zygote")
    sandbox = provider.open(spec, blobs)
    for _ in range(sessions):
        if reopen:
            sandbox.close()
            sandbox = provider.open(spec, blobs)
        process = sandbox.start(["python", program])
        for number in range(requests):
            reply = process.exchange(request(number, op), 5000)
            assert reply.line, (reply, process.finish(1000))
        ended = process.finish(5000)
        assert ended.code == 0, ended
    sandbox.close()
    provider.close()


Kind = Callable[[int, int, str], None]
KINDS: dict[str, Kind] = {
    "bare": lambda sessions, requests, op: bare("light.py", sessions, requests, op),
    "fork": lambda sessions, requests, op: warm("light.py", ("json",), sessions, requests, op),
    "fork, sandbox kept": lambda sessions, requests, op: warm("light.py", ("json",), sessions, requests, op, False),
    "bare heavy": lambda sessions, requests, op: bare("heavy.py", sessions, requests, op),
    "fork heavy": lambda sessions, requests, op: warm("heavy.py", heavy_modules(), sessions, requests, op),
}


def cpu(kind: str, sessions: int, requests: int, op: str = "sort") -> float:
    """CPU seconds of a worker and all it started."""
    command = [sys.executable, __file__, "--worker", kind, str(sessions), str(requests), op]
    pid = os.posix_spawn(sys.executable, command, os.environ)
    _, status, used = os.wait4(pid, 0)
    if status:
        raise SystemExit(f"the worker {kind} failed")
    return used.ru_utime + used.ru_stime


def per_session(kind: str, sessions: int, requests: int) -> float:
    return (cpu(kind, sessions, requests) - cpu(kind, 0, requests)) / sessions


def report(sessions: int, rounds: int) -> int:
    ratios: dict[str, list[float]] = {}
    for _ in range(rounds):
        for base_kind, kinds, requests in (
            ("bare", ("fork", "fork, sandbox kept"), 15),
            ("bare heavy", ("fork heavy",), 1),
        ):
            base = per_session(base_kind, sessions if requests > 1 else max(1, sessions // 4), requests)
            print(f"{base_kind}, {requests} requests: {base * 1000:.1f} ms CPU a session")
            for kind in kinds:
                value = per_session(kind, sessions, requests)
                ratios.setdefault(kind, []).append(value / base)
                print(
                    f"{kind}, {requests} requests: {value * 1000:.1f} ms CPU a session, {value / base:.2f} of {base_kind}"
                )
    burnt = (cpu("fork", 5, 1, "burn") - cpu("fork", 5, 1)) / 5
    print(f"control: one CPU second burnt inside shows as {burnt:.2f} s")
    light, heavy = median(ratios["fork"]), median(ratios["fork heavy"])
    good = light <= GATE and 0.9 <= burnt <= 1.3
    print(f"heavy ({', '.join(heavy_modules())}): a fresh start costs {1 / heavy:.1f} x a fork")
    print(f"light fork / bare: {light:.2f} (at most {GATE}): {'ok' if good else 'FAILED'}")
    return 0 if good else 1


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
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "light.py").write_bytes(LIGHT)
        Path(folder, "heavy.py").write_bytes(heavy_main())
        os.environ["BENCH_FOLDER"] = folder
        os.environ["BENCH_PACKAGES"] = packages(folder)
        return report(options.sessions, options.rounds)


if __name__ == "__main__":
    sys.exit(main())
