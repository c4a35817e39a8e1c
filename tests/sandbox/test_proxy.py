"""The egress proxy against real servers, and its relay in a real network namespace of its own."""

import contextlib
import http.server
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofyard.core.errors import UsageError
from proofyard.sandbox.proxy import (
    PORT,
    Decision,
    Destination,
    EgressProxy,
    ProxyLimits,
    destinations,
    environment,
    relay,
    relay_argv,
)
from proofyard.sandbox.proxy.rules import BadRequest, read_head


class Echo(http.server.BaseHTTPRequestHandler):
    """Tells what it was asked."""

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        said = {"path": self.path, "host": self.headers["Host"], "body": body, "proxy": self.headers.get("Proxy-X")}
        data = json.dumps(said).encode() if self.path != "/large" else b"x" * 3_000_000
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.server.seen.append(self.path)  # type: ignore[attr-defined]

    do_POST = do_GET  # noqa: N815

    def log_message(self, *_args: object) -> None:
        pass


@contextlib.contextmanager
def server() -> Iterator[http.server.ThreadingHTTPServer]:
    made = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    made.seen = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield made
    finally:
        made.shutdown()
        made.server_close()
        thread.join()


@contextlib.contextmanager
def proxy(*hosts: str, limits: ProxyLimits | None = None) -> Iterator[EgressProxy]:
    made = EgressProxy(hosts, limits=limits)
    made.start()
    try:
        yield made
    finally:
        made.close()


def talk(made: EgressProxy, data: bytes) -> bytes:
    assert made._listener is not None
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(20)
        client.connect(made._listener.getsockname())
        with contextlib.suppress(BrokenPipeError):
            client.sendall(data)
        found = b""
        with contextlib.suppress(ConnectionResetError):
            while more := client.recv(65_536):
                found += more
    return found


def test_get_and_post_to_a_listed_host() -> None:
    with server() as web:
        here = f"127.0.0.1:{web.server_port}"
        with proxy(here) as made:
            said = talk(made, f"GET http://{here}/a?b HTTP/1.1\r\nHost: evil\r\nProxy-X: 1\r\n\r\n".encode())
            posted = talk(made, f"POST http://{here} HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi".encode())
            assert list(made.decisions) == [Decision("GET", here, True), Decision("POST", here, True)]
    assert said.startswith(b"HTTP/1.0 200 OK\r\n")
    assert json.loads(said.partition(b"\r\n\r\n")[2]) == {"path": "/a?b", "host": here, "body": "", "proxy": None}
    assert json.loads(posted.partition(b"\r\n\r\n")[2]) == {"path": "/", "host": here, "body": "hi", "proxy": None}


def test_connect_to_a_listed_host() -> None:
    with server() as web:
        here = f"127.0.0.1:{web.server_port}"
        with proxy(here) as made:
            said = talk(made, f"CONNECT {here} HTTP/1.1\r\n\r\nGET /through HTTP/1.0\r\n\r\n".encode())
    assert said.startswith(b"HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.0 200 OK")
    assert b'"path": "/through"' in said


@pytest.mark.parametrize("method", ["GET", "CONNECT"])
def test_all_else_is_refused_and_never_looked_up(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def look_up(*_args: object) -> list[object]:
        raise AssertionError("a name was looked up")

    with server() as web, proxy("127.0.0.1:1", "listed.example:443") as made:
        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        for target in (
            f"127.0.0.1:{web.server_port}",
            "other.example:443",
            "listed.example:444",
            "x.listed.example:443",
        ):
            asked = target if method == "CONNECT" else f"http://{target}/"
            assert talk(made, f"{method} {asked} HTTP/1.1\r\n\r\n".encode()).startswith(b"HTTP/1.1 403 Forbidden\r\n")
            assert made.decisions[-1] == Decision(method, target, False, "not listed")
        assert web.seen == []  # type: ignore[attr-defined]


def test_a_listed_host_that_does_not_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        free = taken.getsockname()[1]
    with proxy(f"127.0.0.1:{free}") as made:
        assert talk(made, f"CONNECT 127.0.0.1:{free} HTTP/1.1\r\n\r\n".encode()).startswith(b"HTTP/1.1 502 ")
        assert made.decisions[0].reason.startswith("not reached: ")


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1",
        b"GET https://127.0.0.1:1/ HTTP/1.1",
        b"CONNECT 127.0.0.1 HTTP/1.1",
        b"CONNECT 127.0.0.1:0 HTTP/1.1",
        b"CONNECT user@127.0.0.1:1 HTTP/1.1",
        b"GET http://127.0.0.1:1@other.example:1/ HTTP/1.1",
        b"GET http://127.0.0.1:1/\nHost:x HTTP/1.1",
        b"GET http://127.0.0.1:1/ HTTP/2",
        b"GET http://127.0.0.1:1/ HTTP/1.1\r\nno colon",
        b"GET http://127.0.0.1:1/ HTTP/1.1\r\nHost : x",
        b"GET http://127.0.0.1:1/ HTTP/1.1\r\nA: b\nHost: x",
        b"BREW http://127.0.0.1:1/ HTTP/1.1",
        b"\x16\x03\x01 tls",
    ],
)
def test_bad_requests(head: bytes) -> None:
    with pytest.raises(BadRequest):
        read_head(head + b"\r\n\r\n")
    with proxy("127.0.0.1:1") as made:
        assert talk(made, head + b"\r\n\r\n").startswith(b"HTTP/1.1 400 Bad Request\r\n")


def test_names_are_compared_without_case_and_final_dot() -> None:
    assert read_head(b"CONNECT EXAMPLE.org.:443 HTTP/1.1\r\n\r\n").destination == Destination("example.org", 443)
    assert read_head(b"CONNECT [::1]:443 HTTP/1.1\r\n\r\n").destination == Destination("::1", 443)
    assert read_head(b"GET http://a HTTP/1.1\r\n\r\n").destination == Destination("a", 80)
    assert destinations(["Example.org:443", "[::1]:80"]) == {Destination("example.org", 443), Destination("::1", 80)}


@pytest.mark.parametrize(
    "entry", ["example.org", ":80", "http://a:80", "a:80/x", "a:port", "*.a:80", "a b:80", "a:99999"]
)
def test_malformed_entries(entry: str) -> None:
    with pytest.raises(UsageError, match="not a host and port"):
        EgressProxy([entry])


def test_the_head_has_a_limit_of_size_and_of_time() -> None:
    with proxy("a:1", limits=ProxyLimits(head=1_000, head_ms=100)) as made:
        assert talk(made, b"GET " + b"x" * 70_000).startswith(b"HTTP/1.1 431 ")
        assert talk(made, b"GET ") == b""


def test_bytes_have_a_limit() -> None:
    with server() as web:
        here = f"127.0.0.1:{web.server_port}"
        with proxy(here, limits=ProxyLimits(total=1_000_000)) as made:
            ask = f"GET http://{here}/large HTTP/1.1\r\n\r\n".encode()
            assert 0 < len(talk(made, ask)) <= 1_000_000
            assert made.spent == 1_000_000
            assert talk(made, ask).startswith(b"HTTP/1.1 429 ")
        with proxy(here) as made:
            assert talk(made, ask).endswith(b"x" * 3_000_000)


def test_connections_have_a_limit() -> None:
    with proxy("a:1", limits=ProxyLimits(connections=2)) as made:
        assert made._listener is not None
        held = [socket.socket(socket.AF_UNIX) for _ in range(2)]
        for client in held:
            client.connect(made._listener.getsockname())
        assert talk(made, b"CONNECT b:1 HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 429 Too Many Requests\r\n")
        for client in held:
            client.close()


def test_close_ends_open_connections() -> None:
    with socket.create_server(("127.0.0.1", 0)) as target:
        port = target.getsockname()[1]
        made = EgressProxy([f"127.0.0.1:{port}"])
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(made.start().getsockname())
            client.sendall(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())
            assert client.recv(99).startswith(b"HTTP/1.1 200 ")
            made.close()
            assert client.recv(99) == b""
        assert [thread.name for thread in threading.enumerate() if "egress" in thread.name] == []


def test_environment() -> None:
    variables = environment(["127.0.0.1:8080", "example.org:443"])
    assert variables["HTTP_PROXY"] == variables["https_proxy"] == f"http://127.0.0.1:{PORT}"
    assert variables["no_proxy"] == variables["NO_PROXY"] == "localhost,::1"


CLIENT = """
import json, os, socket, sys, urllib.error, urllib.request
def get(address, proxied=True):
    opener = urllib.request.build_opener(*([] if proxied else [urllib.request.ProxyHandler({})]))
    try:
        return opener.open(address, timeout=20).read().decode()[:20]
    except urllib.error.HTTPError as error:
        return error.code
    except urllib.error.URLError as error:
        return type(error.reason).__name__
listed, other = sys.argv[1:]
found = [get(listed + "/in"), get(other + "/in"), get(listed, False), get(other, False), get(listed + "/large")]
try:
    os.wait()
except ChildProcessError:
    found.append("no children")
print(json.dumps(found))
"""


def test_the_relay_from_a_network_namespace_of_its_own(tmp_path: Path) -> None:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(tmp_path / "egress.sock"))
    listener.listen(8)
    with server() as listed, server() as other:
        hosts = [f"127.0.0.1:{listed.server_port}"]
        made = EgressProxy(hosts, listener)
        made.start()
        inside = [
            sys.executable,
            "-I",
            "-S",
            "-c",
            CLIENT,
            f"http://{hosts[0]}",
            f"http://127.0.0.1:{other.server_port}",
        ]
        argv = [
            "bwrap",
            "--unshare-user",
            "--unshare-net",
            "--unshare-pid",
            "--die-with-parent",
            "--dev-bind",
            "/",
            "/",
        ]
        argv += ["--tmpfs", "/run", "--bind", str(tmp_path / "egress.sock"), relay.SOCKET_INSIDE]
        argv += relay_argv([sys.executable, "-I", "-S", "-B"], inside)
        env = {"PATH": os.environ["PATH"], **environment(hosts)}
        done = subprocess.run(argv, capture_output=True, text=True, env=env, timeout=60, check=False)
        made.close()
        assert done.stderr == ""
        said = json.loads(done.stdout)
        assert said[0] == '{"path": "/in", "hos'
        assert said[1:4] == [403, "ConnectionRefusedError", "ConnectionRefusedError"]
        assert said[4:] == ["x" * 20, "no children"]
        assert (listed.seen, other.seen) == (["/in", "/large"], [])  # type: ignore[attr-defined]


def test_without_a_namespace_the_other_server_is_reached() -> None:
    """A control: what the relay's test could not reach is there."""
    with server() as other:
        address = f"http://127.0.0.1:{other.server_port}/in"
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        assert opener.open(address, timeout=20).read().startswith(b'{"path": "/in"')
    assert shutil.which("bwrap")


def test_a_request_to_the_proxy_itself_goes_along_the_route_and_nowhere_without_one(tmp_path: Path) -> None:
    path = tmp_path / "route"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        seen: list[bytes] = []

        def answer() -> None:
            with listener.accept()[0] as other:
                seen.append(other.recv(65_536))
                other.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi")

        thread = threading.Thread(target=answer)
        thread.start()
        asked = b"POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:3128\r\nContent-Length: 4\r\n\r\nbody"
        made = EgressProxy((), route=str(path))
        made.start()
        try:
            assert talk(made, asked) == b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"
            # What is meant for another host does not go that way.
            assert talk(made, b"GET http://127.0.0.1:1/ HTTP/1.1\r\n\r\n").startswith(b"HTTP/1.1 403")
        finally:
            made.close()
            thread.join()
    assert seen == [asked], "as it was, to the byte"
    with proxy() as made:
        assert talk(made, asked).startswith(b"HTTP/1.1 400")
