"""Kills at exact points: answer-then-store must survive 0 of 200, store-then-answer 200 of 200, killed inside the answer.

Then the calls of a replace by rename, each killed in turn, also torn (half of a write is stored before the kill); a store in
place, torn, which must leave a mix; and how long a kill takes to be confirmed.
"""

import argparse
import base64
import sys
import time

from proofyard.core import MemoryBlobs, Mount, SandboxSpec, tree_of
from proofyard.sandbox import LocalProvider

STATE = "/workspace/state"
STORE = """
    fd = os.open(STATE + "/new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(fd, line.encode())
    os.fsync(fd)
    os.close(fd)
    os.rename(STATE + "/new", STATE + "/value")
    folder = os.open(STATE, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
"""
IN_PLACE = """
    fd = os.open(STATE + "/value", os.O_WRONLY | os.O_CREAT)
    os.pwrite(fd, line.encode(), 0)
    os.fsync(fd)
    os.close(fd)
"""
ANSWER = """
    print("ok", line.strip(), flush=True)
"""
HEAD = f"import os, sys\nSTATE = {STATE!r}\nfor line in sys.stdin:\n"
CALLS = 5
IN_PLACE_WRITE = 2


class Bench:
    """One armed sandbox with one program."""

    def __init__(self, code: str) -> None:
        self.blobs = MemoryBlobs()
        mount = Mount(path="/workspace/project", tree=tree_of({"main.py": code}, self.blobs))
        self.provider = LocalProvider()
        self.sandbox = self.provider.open(SandboxSpec(mounts=(mount,), kept=(STATE,), armed=True), self.blobs)
        self.times: list[float] = []

    def kept(self) -> bytes:
        """What the program has stored."""
        entry = self.sandbox.snapshot().entries.get("workspace/state/value")
        return b"" if entry is None or entry.inline is None else base64.b64decode(entry.inline)

    def survivors(self, count: int) -> int:
        """How often a value outlived the kill inside its answer."""
        survived = 0
        for number in range(count):
            process = self.sandbox.start(["python", "main.py"])
            reply = process.exchange(b"v%d" % number, 5000, "response")
            if not reply.killed or reply.line != b"ok v%d" % number:
                raise SystemExit(f"no kill inside the answer: {reply}")
            survived += self.kept() == b"v%d\n" % number
        return survived

    def at_call(self, at: int, *, torn: bool) -> str:
        """What is stored after a kill at one call of the second of two stores."""
        process = self.sandbox.start(["python", "main.py"])
        process.exchange(b"old", 5000)
        start = time.perf_counter()
        reply = process.exchange(b"new", 5000, at, torn=torn)
        self.times.append((time.perf_counter() - start) * 1000)
        self.sandbox.kill()
        return f"{'killed' if reply.killed else 'not killed'}:{self.kept().decode().strip()}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    count = parser.parse_args().count
    good = True
    for name, code, wanted in (
        ("answer-then-store", HEAD + ANSWER + STORE, 0),
        ("store-then-answer", HEAD + STORE + ANSWER, count),
    ):
        bench = Bench(code)
        survived = bench.survivors(count)
        good = good and survived == wanted
        print(f"{name}: survived {survived} of {count} (must be {wanted})")
        bench.provider.close()
    bench = Bench(HEAD + STORE + ANSWER)
    wanted_states = ["killed:old"] * (CALLS - 1) + ["killed:new", "not killed:new"]
    for torn in (False, True):
        states = [bench.at_call(at, torn=torn) for at in range(1, CALLS + 2)]
        good = good and states == wanted_states
        how = "killed torn" if torn else "killed"
        print(f"{how} at call 1 to {CALLS + 1} of a replace by rename: {', '.join(states)}")
    bench.provider.close()
    in_place = Bench(HEAD + IN_PLACE + ANSWER)
    state = in_place.at_call(IN_PLACE_WRITE, torn=True)
    in_place.provider.close()
    good = good and state == "killed:ned"
    print(f"killed torn in the write of a store in place: {state} (must be killed:ned)")
    print(f"request to confirmed kill: at most {max(bench.times + in_place.times):.1f} ms")
    print("ok" if good else "FAILED")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
