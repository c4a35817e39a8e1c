"""What the warm pool saves: CPU of a sample forked from a warm process against a fresh interpreter of the same kind.

light: a 15-request session, nothing heavy imported; bare `python main.py` with the same feeder is 1. heavy: a program that
imports numpy (if it is installed; else a set of large standard modules) and answers once; fresh interpreter against fork,
the one preload taken off. CPU is that of the whole process tree. A control burns one CPU
second inside and must show it. Only CPU is judged, never wall time.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from measuring import Kinds, bare, command_line, cpu, isolated, per_session

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


def fresh(program: str, sessions: int, requests: int, op: str) -> None:
    env = {"PYTHONPATH": os.environ["BENCH_PACKAGES"], "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    bare([interpreter().path, *FLAGS, program], os.environ["BENCH_FOLDER"], env, sessions, requests, op)


def warm(program: str, preload: tuple[str, ...], counts: tuple[int, int], op: str, reopen: bool = True) -> None:
    blobs = MemoryBlobs()
    tree = tree_of({program: Path(os.environ["BENCH_FOLDER"], program).read_bytes()}, blobs)
    image = Image(preload=preload, packages=os.environ["BENCH_PACKAGES"])
    spec = SandboxSpec(image=image, mounts=(Mount(path="/workspace/project", tree=tree),), kept=("/workspace/state",))
    isolated(LocalProvider(rung="zygote"), spec, blobs, ["python", program], counts, op, reopen)


KINDS: Kinds = {
    "bare": lambda sessions, requests, op: fresh("light.py", sessions, requests, op),
    "fork": lambda sessions, requests, op: warm("light.py", ("json",), (sessions, requests), op),
    "fork, sandbox kept": lambda sessions, requests, op: warm("light.py", ("json",), (sessions, requests), op, False),
    "bare heavy": lambda sessions, requests, op: fresh("heavy.py", sessions, requests, op),
    "fork heavy": lambda sessions, requests, op: warm("heavy.py", heavy_modules(), (sessions, requests), op),
}


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
    options = command_line(__doc__, KINDS)
    if options is None:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "light.py").write_bytes(LIGHT)
        Path(folder, "heavy.py").write_bytes(heavy_main())
        os.environ["BENCH_FOLDER"] = folder
        os.environ["BENCH_PACKAGES"] = packages(folder)
        return report(options.sessions, options.rounds)


if __name__ == "__main__":
    sys.exit(main())
