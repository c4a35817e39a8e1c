"""Reaches for the network in every way it knows."""

import socket
import threading

from probe import answer, attempt, request


def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as client:
        client.settimeout(0.3)
        client.connect(address)
        client.sendall(b"hostile")


def stream(protocol, address):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, protocol) as client:
        client.settimeout(0.3)
        client.connect(address)
        client.sendall(b"hostile")


def fast_open(address):
    with socket.socket() as client:
        client.settimeout(0.3)
        client.sendto(b"hostile", 0x20000000, address)


def datagram(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as client:
        client.sendto(b"hostile", address)


def looked_up(name):
    """Look a name up; a resolver that waits for an answer has not got one."""
    found = []
    thread = threading.Thread(target=lambda: found.append(attempt(socket.getaddrinfo, name, 80)), daemon=True)
    thread.start()
    thread.join(0.3)
    return found[0] if found else "TimeoutError"


def own_loopback():
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        server.accept()[0].sendall(b"x")
        client.recv(1)


ask = request()
four, six = ("127.0.0.1", ask["tcp4"]), ("::1", ask["tcp6"])
found = {
    "tcp4": attempt(connect, socket.AF_INET, four),
    "tcp6": attempt(connect, socket.AF_INET6, six),
    "mptcp": attempt(stream, 262, four),
    "fast open": attempt(fast_open, four),
    "udp": attempt(datagram, socket.AF_INET, ("127.0.0.1", ask["udp"])),
    "abstract": attempt(connect, socket.AF_UNIX, "\0" + ask["abstract"]),
    "abstract datagram": attempt(datagram, socket.AF_UNIX, "\0" + ask["abstract"] + "-d"),
    "unix path": attempt(connect, socket.AF_UNIX, ask["socket"]),
    "external": attempt(connect, socket.AF_INET, ("192.0.2.1", 80)) if ask["far"] else "skipped",
    "dns": looked_up("example.com") if ask["far"] else "skipped",
    "vsock": attempt(socket.socket, 40, socket.SOCK_STREAM),
    "netlink": attempt(socket.socket, 16, socket.SOCK_RAW),
    "packet": attempt(socket.socket, 17, socket.SOCK_RAW),
    "raw": attempt(socket.socket, socket.AF_INET, socket.SOCK_RAW, 1),
    "own loopback": attempt(own_loopback),
}
answer(ask, found=found)
