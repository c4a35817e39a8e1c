"""What the kernel holds in a program's sockets counts as its memory, also where no descriptor leads to it any more."""

from collections.abc import Iterator

import pytest

from proofyard.core import Image
from proofyard.sandbox import LocalProvider
from tests.sandbox.boxes import opened

FILL = """
import os, socket, sys, time
def fill(end):
    end.setblocking(False)
    try:
        while True: end.send(b"x" * 16384)
    except BlockingIOError: pass
def pairs():
    kept = []
    for _ in range(2):
        if os.fork() == 0: break
    for _ in range(100):
        kept.append(socket.socketpair())
        for end in kept[-1]: fill(end)
    return kept
def backlog():
    server = socket.socket(socket.AF_UNIX)
    server.bind("\\0s")
    server.listen(4096)
    for _ in range(800):
        with socket.socket(socket.AF_UNIX) as client:  # closed: its data waits for an accept
            client.connect("\\0s")
            fill(client)
    return server
def tcp():
    server = socket.create_server(("127.0.0.1", 0), backlog=100)
    clients = [socket.create_connection(server.getsockname()) for _ in range(80)]
    for _ in range(4):
        for client in clients: fill(client)
        time.sleep(0.01)
    return server, clients
sys.stdin.readline()
kept = globals()[sys.argv[1]]()
time.sleep(1)
print("{}", flush=True)
sys.stdin.readline()
"""
CASES = [(rung, way) for rung in ("bubblewrap", "zygote") for way in ("pairs", "backlog", "tcp")] + [
    ("landlock", "pairs")
]


@pytest.fixture(scope="module")
def providers() -> Iterator[dict[str, LocalProvider]]:
    made = {rung: LocalProvider(rung=rung, slots=1) for rung in ("bubblewrap", "zygote", "landlock")}
    yield made
    for provider in made.values():
        provider.close()


@pytest.mark.parametrize(("rung", "way"), CASES)
def test_full_sockets_are_memory(providers, rung, way):
    faults = []
    for tree_memory in (112 << 20, 1 << 30):
        image = Image(preload=("socket",) if rung == "zygote" else ())
        with opened(providers[rung], FILL, image=image, limits={"tree_memory": tree_memory, "cpu_ms": 20_000}) as box:
            faults.append(box.start(["python", "main.py", way]).exchange(b"", 20_000).fault)
            assert box.kill()
    assert faults == ["oom", None]
