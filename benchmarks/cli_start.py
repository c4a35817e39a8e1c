"""CPU of `proofyard --help` against `python -c pass`, same interpreter, in turn, medians. Goal: at most 8."""

import resource
import statistics
import subprocess
import sys
from pathlib import Path

ROUNDS = 15


def cpu_of(argv: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main() -> None:
    tool = [sys.executable, str(Path(sys.executable).parent / "proofyard"), "--help"]
    bare = [sys.executable, "-c", "pass"]
    pairs = [(cpu_of(tool), cpu_of(bare)) for _ in range(ROUNDS)]
    ours, floor = (statistics.median(values) for values in zip(*pairs, strict=True))
    print(
        f"--help {ours * 1000:.0f} ms, python -c pass {floor * 1000:.0f} ms CPU: ratio {ours / floor:.2f} (at most 8)"
    )


if __name__ == "__main__":
    main()
