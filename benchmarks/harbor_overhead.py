"""What a trial of a task folder costs above its own work, and the whole command beside `harbor run`.

The task is trivial: its solution writes a file, its tests compare it and write a reward, both by the shell alone. The plain
loop does the same work with nothing but bubblewrap: a fresh folder with the image's files and the solution, one bubblewrap for
it, the result laid into another fresh folder with the tests, one bubblewrap for them, the reward read. A worker with few
trials is taken off, so that start-up counts on neither side. The command is the whole of it, start-up included, against
`harbor run` of the newest version that `scripts/ci-harbor` made an environment for, in the environment of tests/harbor_peer
(without it that part is left out, which is said).

CPU is that of a process and all below it, orphans adopted: bubblewrap does not wait for the end of its sandbox, whose CPU
would be lost. Both sides are measured in turn, and the least of each counts: other work on the machine only ever adds to it. A
control burns CPU in a sandbox and must show it. Exit code 1 if a ratio misses its gate.
"""

import argparse
import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

GATE = 1.3
GATE_COMMAND = 0.5
FEW = 10
PR_SET_CHILD_SUBREAPER = 36

FILES = {
    "task.toml": 'schema_version = "1.4"\n[task]\nname = "toy/trivial"\n[environment]\nnetwork_mode = "no-network"\n',
    "instruction.md": "Write `done` into `/app/out`.\n",
    "environment/Dockerfile": "FROM debian:12\nWORKDIR /app\nCOPY app/ ./\n",
    "environment/app/in": "text\n",
    "solution/solve.sh": "#!/bin/bash\necho done > /app/out\n",
    "tests/test.sh": (
        '#!/bin/bash\nread -r line < /app/out\n[ "$line" = done ] && reward=1 || reward=0\n'
        "echo $reward > /logs/verifier/reward.txt\n"
    ),
}
BURN = "#!/bin/bash\necho done > /app/out\nn=0\nuntil [ $((n += 1)) = 500000 ]; do :; done\n"


def make_task(folder: Path) -> None:
    for name, text in FILES.items():
        path = folder / "trivial" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755 if name.endswith(".sh") else 0o644)


def bare(folder: Path, trials: int) -> None:
    """The plain loop."""
    task = folder / "trivial"
    folders = [name for name in ("bin", "sbin", "lib", "lib64") if Path("/", name).is_symlink()]
    links = [word for name in folders for word in ("--symlink", f"usr/{name}", f"/{name}")]
    system = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/usr", "/usr", *links]
    system += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/app", "--setenv", "LANG", "C.UTF-8"]
    for _ in range(trials):
        work, place = Path(tempfile.mkdtemp(dir=folder)), Path(tempfile.mkdtemp(dir=folder))
        shutil.copytree(task / "environment/app", work / "app")
        shutil.copytree(task / "solution", work / "solution")
        (work / "logs/agent").mkdir(parents=True)
        binds = [word for name in ("app", "solution", "logs") for word in ("--bind", str(work / name), f"/{name}")]
        subprocess.run([*system, *binds, "bash", "/solution/solve.sh"], check=True, capture_output=True)
        shutil.copytree(work / "app", place / "app")
        shutil.copytree(task / "tests", place / "tests")
        (place / "logs/verifier").mkdir(parents=True)
        binds = [word for name in ("app", "tests", "logs") for word in ("--bind", str(place / name), f"/{name}")]
        tests = "(/tests/test.sh) > /logs/verifier/test-stdout.txt 2>&1"
        subprocess.run([*system, *binds, "bash", "-c", tests], check=True, capture_output=True)
        assert float((place / "logs/verifier/reward.txt").read_text()) == 1
        reap()
        shutil.rmtree(work)
        shutil.rmtree(place)


def ours(folder: Path, trials: int) -> None:
    """The command."""
    command = ["run", str(folder / "trivial"), "--agent", "oracle", "--attempts", str(trials), "--concurrency", "2"]
    _quiet([sys.executable, "-m", "proofyard", *command, "--output", str(folder / "run")], {})


def harbor(folder: Path, trials: int) -> None:
    """Harbor's command."""
    from tests.harbor_peer.image import lay_out

    described = lay_out(folder / "trivial", folder / "image")
    work = ["run", "-p", str(folder / "trivial"), "-a", "oracle", "-e", "bubble:Bubble"]
    how = ["-k", str(trials), "-n", "2", "-o", str(folder / "jobs"), "-q", "-y"]
    own = {"HARBOR_TELEMETRY": "0", "PEER_IMAGE": str(described), "PYTHONPATH": str(ROOT / "tests/harbor_peer")}
    _quiet([str(peer() / "bin/harbor"), *work, *how], own)


def peer() -> Path:
    """The newest environment with the `harbor` package; a path that is not there if there is none."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "proofyard" / "test-environments"
    newest = max(path.stem for path in (ROOT / "requirements").glob("harbor-*.txt"))
    return cache / newest


def there() -> bool:
    """Whether there is such an environment."""
    return (peer() / "bin/harbor").exists()


def _quiet(argv: list[str], own: dict[str, str]) -> None:
    done = subprocess.run(argv, check=False, env={**os.environ, **own}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def adopt() -> None:
    """Orphans of what is started here become ours: bubblewrap does not wait for the end of its sandbox."""
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise SystemExit("no orphan can be adopted here, so that CPU would be lost")


def reap() -> None:
    """Wait for all of them, so that their CPU is counted."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


SIDES = {"bare": bare, "ours": ours, "harbor": harbor}


def cpu(side: str, trials: int, *, burn: bool = False) -> float:
    """CPU seconds of a worker and all below it."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        make_task(Path(folder))
        if burn:
            Path(folder, "trivial/solution/solve.sh").write_text(BURN)
        argv = [sys.executable, __file__, "--worker", side, "--trials", str(trials), "--folder", folder]
        pid = os.posix_spawn(argv[0], argv, os.environ)
        _, status, used = os.wait4(pid, 0)
        if status:
            raise SystemExit(f"the worker {side} failed")
    return used.ru_utime + used.ru_stime


def control() -> None:
    """Show that what is burnt in a sandbox is counted on all sides alike."""
    sides = ["ours", "bare", *(["harbor"] if there() else [])]
    burnt = {side: cpu(side, 1, burn=True) - cpu(side, 1) for side in sides}
    print("control: a loop in the sandbox shows " + ", ".join(f"{cost:.2f} s ({side})" for side, cost in burnt.items()))
    if min(burnt.values()) < max(burnt.values()) / 2:
        raise SystemExit("the control does not show: CPU is lost")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", choices=SIDES)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    if options.worker:
        adopt()
        SIDES[options.worker](options.folder, options.trials)
        reap()
        return 0
    cpu("ours", 1)  # so that the cache is warm
    control()
    found: dict[tuple[str, int], list[float]] = {
        (side, n): [] for n in (FEW, FEW + options.trials) for side in ("ours", "bare")
    }
    for _ in range(options.rounds):
        for (side, count), costs in found.items():
            costs.append(cpu(side, count))
    few, plain_few, whole, plain = (min(costs) for costs in found.values())
    own, plain = (whole - few) / options.trials, (plain - plain_few) / options.trials
    ratio = own / plain
    print(f"a trial: ours {own * 1e3:.1f} ms CPU, bare bubblewrap {plain * 1e3:.1f} ms: {ratio:.2f} (gate {GATE})")
    if not there():
        print("the command beside `harbor run`: left out, there is no environment for it (scripts/ci-harbor makes it)")
        return int(ratio > GATE)
    theirs = cpu("harbor", FEW + options.trials)
    print(
        f"{FEW + options.trials} trials, the whole command: ours {whole:.1f} s CPU, harbor run {theirs:.1f} s: "
        f"{whole / theirs:.2f} (gate {GATE_COMMAND})"
    )
    return int(ratio > GATE or whole / theirs > GATE_COMMAND)


if __name__ == "__main__":
    sys.exit(main())
