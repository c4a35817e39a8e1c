"""How bytes become events, and what is made of a stream that does not end as it should."""

import json
from collections.abc import Iterator

import pytest

from proofyard.models.faults import BrokenAnswer
from proofyard.models.providers import Quirks
from proofyard.models.wires import sdk
from proofyard.models.wires.chat import ChatReader


def events(data: bytes, size: int) -> list[str]:
    pieces: Iterator[bytes] = (data[i : i + size] for i in range(0, len(data), size))
    return list(sdk._events(pieces))


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_lines_end_at_line_feeds_alone(size: int) -> None:
    text = json.dumps({"t": "a\u2028b\x85c ü 😀"}, ensure_ascii=False)
    raw = f": waiting\r\n\r\nevent: x\r\ndata: {text}\r\n\r\ndata:1\n\n"
    raw += "data: [\ndata: 2]\n\nretry: 5\n\n: more\n\ndata: [DONE]\n\n"
    assert events(raw.encode(), size) == [text, "1", "[\n2]", "[DONE]"]


@pytest.mark.parametrize(
    ("tail", "found"),
    [
        (b"data: [DONE]", ["1", "[DONE]"]),
        (b"data: 2", ["1", "2"]),
        (b"data: 2\n", ["1", "2"]),
        (b'data: {"choices": [{"del', ["1"]),
        (b'data: {"t": "\xc3', ["1"]),
        (b"da", ["1"]),
        (b"", ["1"]),
    ],
)
def test_an_event_cut_short_was_never_sent(tail: bytes, found: list[str]) -> None:
    assert events(b"data: 1\n\n" + tail, 3) == found


def test_a_stream_cut_inside_an_event_is_a_connection_closed() -> None:
    chunk = {"choices": [{"delta": {"content": "Hello"}}]}
    reader = ChatReader(Quirks())
    closed = sdk.feed(iter([f"data: {json.dumps(chunk)}\n\ndata: ".encode(), b'{"choi']), reader)
    assert (closed, reader.begun) == (False, True)
    with pytest.raises(BrokenAnswer) as caught:
        reader.finish(closed)
    assert caught.value.code == "model_connection_closed"


def test_an_answer_without_end_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    from proofyard.models import ModelError
    from proofyard.testing import ModelServer, say
    from tests.models.fixtures import HELLO, client_of

    monkeypatch.setattr(sdk, "MAX_ANSWER", 2_000)
    with ModelServer(say("x" * 3_000)) as server:
        for stream in (True, False):
            with pytest.raises(ModelError) as caught:
                client_of(server, "openai-chat", stream=stream).generate(HELLO)
            assert caught.value.failure.code == "model_broken_answer"
            assert "longer than 2000 bytes" in caught.value.failure.message


def test_redirections_are_not_followed() -> None:
    import threading
    from http.server import BaseHTTPRequestHandler, HTTPServer

    from proofyard.models import ModelError, target_of
    from proofyard.testing import ModelServer
    from tests.models.fixtures import CANARY, HELLO, WIRES, Client, Key, Options, RetryPolicy, Sleeper

    with ModelServer() as elsewhere:

        class Redirecting(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["content-length"]))
                self.send_response(307)
                self.send_header("location", elsewhere.url("openai-chat") + "/chat/completions")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        with HTTPServer(("127.0.0.1", 0), Redirecting) as front:
            thread = threading.Thread(target=front.serve_forever, kwargs={"poll_interval": 0.05})
            thread.start()
            names = ("vllm/m", "openai-responses/m", "anthropic/m", "gemini-native/m")
            for name, _ in zip(names, WIRES, strict=True):
                target = target_of(name, f"http://127.0.0.1:{front.server_port}")
                client = Client(target, Key(CANARY), Options(retry=RetryPolicy(attempts=1)), sleep=Sleeper())
                with pytest.raises(ModelError) as caught:
                    client.generate(HELLO)
                client.close()
                assert caught.value.attempts[0].status == 307
                assert caught.value.failure.code == "model_bad_request"
            front.shutdown()
            thread.join()
        assert elsewhere.ledger == []
