"""A local HTTP service on a port of its own, which counts who came."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Service(ThreadingHTTPServer):
    daemon_threads = True
    answer = b""
    visits = 0

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Service

    def do_GET(self) -> None:
        self.server.visits += 1
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.server.answer)

    def log_request(self, code: object = "-", size: object = "-") -> None:
        return


@contextmanager
def service(answer: bytes) -> Iterator[Service]:
    server = Service(("127.0.0.1", 0), _Handler)
    server.answer = answer
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
