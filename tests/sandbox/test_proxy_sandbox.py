"""A sandboxed program and the egress proxy: the listed server is reached, another one neither directly nor by the proxy."""

import json
from collections.abc import Iterator

import pytest

from proofyard.core import Image, InfrastructureError, Limits, Mount, Network, SandboxSpec, UsageError
from proofyard.core.tree import MemoryBlobs, tree_of
from proofyard.sandbox import LocalProvider
from tests.sandbox.test_proxy import server

PROGRAM = """
import json, os, socket, sys, urllib.error, urllib.request

def get(address, proxied=True):
    opener = urllib.request.build_opener(*([] if proxied else [urllib.request.ProxyHandler({})]))
    try:
        return opener.open(address, timeout=20).status
    except urllib.error.HTTPError as error:
        return error.code
    except urllib.error.URLError as error:
        return type(error.reason).__name__

def tunnel(host, port):
    with socket.create_connection(("127.0.0.1", 3128), 20) as proxy:
        proxy.sendall(f"CONNECT {host}:{port} HTTP/1.1\\r\\n\\r\\n".encode())
        return int(proxy.recv(4096).split()[1])

def own():
    with socket.create_server(("127.0.0.1", 0)) as here, socket.create_connection(here.getsockname()) as client:
        here.accept()[0].sendall(b"x")
        return client.recv(9).decode()

for line in sys.stdin:
    ask = json.loads(line)
    listed, other = (f"http://127.0.0.1:{port}/in" for port in ask["ports"])
    found = {"listed": get(listed), "other": get(other), "listed direct": get(listed, False),
             "other direct": get(other, False), "tunnel": tunnel("127.0.0.1", ask["ports"][0]),
             "other tunnel": tunnel("127.0.0.1", ask["ports"][1]), "name": tunnel("example.org", 443), "own": own()}
    try:
        os.wait()
    except ChildProcessError:
        found["children"] = 0
    print(json.dumps(found), flush=True)
"""

MANY = """
import socket, sys
sys.stdin.readline()
held = [socket.create_connection(("127.0.0.1", 3128), 20) for _ in range(16)]
for client in held[:12]:
    client.close()
held[-1].sendall(b"CONNECT example.org:443 HTTP/1.1\\r\\n\\r\\n")
print(held[-1].recv(4096).split()[1].decode(), flush=True)
"""


@pytest.fixture(scope="module")
def provider() -> Iterator[LocalProvider]:
    made = LocalProvider()
    yield made
    made.close()


def spec(*hosts: str, **more: object) -> SandboxSpec:
    tree = tree_of({"main.py": PROGRAM}, MemoryBlobs())
    mounts = (Mount(path="/workspace/project", tree=tree),)
    return SandboxSpec(mounts=mounts, network=Network(mode="hosts", hosts=hosts), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("base", ["python", "system"])
def test_only_the_listed_server_is_reached(provider: LocalProvider, base: str) -> None:
    argv = ["python", "main.py"] if base == "python" else ["/usr/bin/env", "python3", "-s", "-S", "main.py"]
    with server() as listed, server() as other:
        here = f"127.0.0.1:{listed.server_port}"
        image = Image(base=base)  # type: ignore[arg-type]
        sandbox = provider.open(spec(here, image=image, limits=Limits(pids=8)), MemoryBlobs())
        process = sandbox.start(argv)
        request = json.dumps({"ports": [listed.server_port, other.server_port]}).encode()
        reply = process.exchange(request, 60_000)
        ended = process.finish(20_000)
        assert reply.line is not None, (reply, ended)
        assert json.loads(reply.line) == {
            "listed": 200,
            "other": 403,
            "listed direct": "ConnectionRefusedError",
            "other direct": "ConnectionRefusedError",
            "tunnel": 200,
            "other tunnel": 403,
            "name": 403,
            "own": "x",
            "children": 0,
        }
        assert (ended.code, ended.fault, ended.stderr) == (0, None, b"")
        assert sandbox.kill()
        assert sandbox.provenance["network"] == "hosts"
        sandbox.close()
        assert (listed.seen, other.seen) == (["/in"], [])  # type: ignore[attr-defined]


def test_it_works_again_after_a_kill(provider: LocalProvider) -> None:
    with server() as listed:
        sandbox = provider.open(spec(f"127.0.0.1:{listed.server_port}"), MemoryBlobs())
        for _ in range(2):
            process = sandbox.start(["python", "main.py"])
            request = json.dumps({"ports": [listed.server_port, 1]}).encode()
            reply = process.exchange(request, 60_000)
            assert reply.line is not None, reply
            assert json.loads(reply.line)["listed"] == 200
            assert sandbox.kill()
        sandbox.close()
        assert listed.seen == ["/in", "/in"]  # type: ignore[attr-defined]


def test_more_connections_than_the_relay_may_open_files(provider: LocalProvider) -> None:
    mounts = (Mount(path="/workspace/project", tree=tree_of({"main.py": MANY}, MemoryBlobs())),)
    network = Network(mode="hosts", hosts=("127.0.0.1:1",))
    sandbox = provider.open(SandboxSpec(mounts=mounts, network=network, limits=Limits(files=32)), MemoryBlobs())
    process = sandbox.start(["python", "main.py"])
    assert process.exchange(b"go", 60_000).line == b"403"
    sandbox.close()


def test_a_sandbox_without_network_has_no_proxy(provider: LocalProvider) -> None:
    mounts = (Mount(path="/workspace/project", tree=tree_of({"main.py": PROGRAM}, MemoryBlobs())),)
    sandbox = provider.open(SandboxSpec(mounts=mounts), MemoryBlobs())
    process = sandbox.start(["python", "main.py"])
    reply = process.exchange(b'{"ports": [1, 2]}', 60_000)
    ended = process.finish(20_000)
    assert reply.fault == "eof"
    assert b"ConnectionRefusedError" in ended.stderr
    sandbox.close()


def test_what_is_refused(provider: LocalProvider) -> None:
    with pytest.raises(UsageError, match="not a host and port"):
        provider.open(spec("example.org"), MemoryBlobs())
    with pytest.raises(InfrastructureError, match="kill points and a list of hosts do not go together"):
        provider.open(spec("example.org:443", armed=True), MemoryBlobs())
    for rung in ("zygote", "landlock"):
        other = LocalProvider(rung=rung)  # type: ignore[arg-type]
        with pytest.raises(InfrastructureError, match="isolation_unavailable"):
            other.open(spec("example.org:443"), MemoryBlobs())
        other.close()
