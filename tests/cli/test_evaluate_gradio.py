"""`evaluate --execution gradio`, against a stand-in server that speaks as Gradio 4 and 5 do."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from proofyard.cli import evaluate_order
from proofyard.cli.evaluate_gradio import Gradio
from proofyard.cli.evaluate_order import Order
from proofyard.core import InfrastructureError, Outcome, Reason, UsageError
from tests.cli.tool import tool
from tests.suites.functions import rows

NAMES = ("split", "subset", "samples", "pass_k", "parallel", "min_time_limit", "calibrated", "selective_evaluate")


class App(ThreadingHTTPServer):
    """troubles: what goes wrong with the first calls, one a call."""

    def __init__(self, prefix: str = "/gradio_api") -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.prefix = prefix
        self.names = NAMES
        self.troubles: list[str] = []
        self.data: list[Any] = []
        self.uploaded = b""
        self.word = "pass"
        self.spoil = ""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def results(self) -> Any:
        found: dict[str, list[Any]] = {}
        for line in self.uploaded.splitlines():
            row = json.loads(line)
            good = "return 3" in row["solution"]
            entry = {**row, "status": self.word if good else "timeout", "details": {} if good else {"ALL": "late"}}
            found.setdefault(row["task_id"], []).append({**entry, "solution": row["solution"] + self.spoil})
        return {"date": "2026-01-01 00:00", "eval": found}


class Handler(BaseHTTPRequestHandler):
    server: App

    def log_message(self, *_: object) -> None:
        pass

    def _say(self, value: Any) -> None:
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        app = self.server
        if self.path == "/config":
            self._say({"version": "x", **({"api_prefix": app.prefix} if app.prefix else {})})
        elif self.path == f"{app.prefix}/info":
            parameters = [{"parameter_name": name, "parameter_default": f"default {name}"} for name in app.names]
            self._say({"named_endpoints": {"/predict": {"parameters": parameters}}})
        elif self.path == f"{app.prefix}/call/predict/e1":
            trouble = app.troubles.pop(0) if app.troubles else ""
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"event: heartbeat\ndata: null\n\n")
            if trouble == "error":
                self.wfile.write(b"event: error\ndata: null\n\n")
            elif trouble != "cut":
                self.wfile.write(f"event: complete\ndata: {json.dumps([app.results(), {}])}\n\n".encode())
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        app = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if app.troubles and app.troubles[0].isdigit():
            self.send_error(int(app.troubles.pop(0)))
        elif self.path == f"{app.prefix}/upload":
            mark = self.headers["Content-Type"].partition("boundary=")[2].encode()
            app.uploaded = body.split(b"--" + mark)[1].partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")
            self._say(["/tmp/gradio/samples.jsonl"])
        else:
            app.data = json.loads(body)["data"]
            self._say({"event_id": "e1"})


@pytest.fixture(params=["/gradio_api", ""])
def app(request: pytest.FixtureRequest) -> Iterator[App]:
    with App(request.param) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def order(*programs: tuple[int, int], **more: Any) -> Order:
    lines = [{"task_id": f"BigCodeBench/{n}", "solution": f"def task_func():\n    return {v}\n"} for n, v in programs]
    text = "".join(json.dumps(line) + "\n" for line in lines).encode()
    tasks = tuple(dict.fromkeys(line["task_id"] for line in lines))
    return Order("bigcodebench", text, b"", "instruct", "full", tasks, True, (1, 5), 60.0, None)._replace(**more)


def test_verdicts_come_back(tmp_path: Path, app: App) -> None:
    rows.write(tmp_path / "big.jsonl", rows.big(3), rows.big(5))
    programs = ((3, 3), (5, 4), (3, 7))
    lines = ({"task_id": f"BigCodeBench/{n}", "solution": f"def task_func():\n    return {v}\n"} for n, v in programs)
    rows.write(tmp_path / "s.jsonl", *lines)
    asked = ("bigcodebench", "--data", "big.jsonl", "--samples", "s.jsonl", "--execution", "gradio")
    ran = tool("evaluate", *asked, "--gradio_endpoint", app.address, "--parallel", "7", "--json", cwd=tmp_path)
    assert ran.code == 1, ran
    results = json.loads((tmp_path / "s_eval_results.json").read_text())["eval"]
    assert {task: [e["status"] for e in found] for task, found in results.items()} == {
        "BigCodeBench/3": ["pass", "timeout"],
        "BigCodeBench/5": ["timeout"],
    }
    assert results["BigCodeBench/5"][0]["details"] == {"ALL": "late"}
    (ours, *_) = (json.loads(line) for line in (tmp_path / "s.proofyard.jsonl").read_text().splitlines())
    assert ours["provenance"]["execution"] == f"gradio {app.address.rstrip('/')}"
    file = {"path": "/tmp/gradio/samples.jsonl", "orig_name": "samples.jsonl", "meta": {"_type": "gradio.FileData"}}
    assert app.data == ["complete", "full", file, "1,5,10", 7, "default min_time_limit", False, ""]


def test_part_of_the_tasks_is_said(app: App) -> None:
    found = Gradio(app.address).evaluate(order((3, 3), (5, 3), whole=False), lambda _: None)
    assert [verdict.outcome for verdict in found.values()] == [Outcome.PASSED, Outcome.PASSED]
    assert (app.data[0], app.data[3], app.data[-1]) == ("instruct", "1,5", "BigCodeBench/3,BigCodeBench/5")
    assert app.data[4] == "default parallel"


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate_order.time, "sleep", lambda _: None)


@pytest.mark.usefixtures("no_pause")
def test_attempts_are_limited(app: App) -> None:
    app.troubles = ["503", "cut"]
    (verdict,) = Gradio(app.address).evaluate(order((3, 4)), lambda _: None).values()
    assert (verdict.outcome, verdict.reason, verdict.evidence.got) == (Outcome.FAILED, Reason.TIMEOUT, "late")
    app.troubles = ["error", "429", "cut", "error"]
    with pytest.raises(InfrastructureError, match=r"3 attempts, the last: .* closed the connection without an answer"):
        Gradio(app.address).evaluate(order((3, 3)), lambda _: None)
    assert app.troubles == ["error"]
    app.troubles = ["403"]
    with pytest.raises(InfrastructureError, match="status 403"):
        Gradio(app.address).evaluate(order((3, 3)), lambda _: None)


@pytest.mark.usefixtures("no_pause")
def test_answers_of_something_else(app: App) -> None:
    app.spoil = "#"
    with pytest.raises(InfrastructureError, match="BigCodeBench/3 are not of the samples sent"):
        Gradio(app.address).evaluate(order((3, 3)), lambda _: None)
    app.spoil, app.word = "", "maybe"
    with pytest.raises(InfrastructureError, match="a status 'maybe'"):
        Gradio(app.address).evaluate(order((3, 3)), lambda _: None)
    app.names = ("x",)
    with pytest.raises(UsageError, match="takes no samples but: x"):
        Gradio(app.address).evaluate(order((3, 3)), lambda _: None)
    with pytest.raises(UsageError, match="is for bigcodebench, not mbpp"):
        Gradio(app.address).evaluate(order(benchmark="mbpp"), lambda _: None)
    with pytest.raises(InfrastructureError, match="was not done in time"):
        app.names = NAMES
        Gradio(app.address).evaluate(order((3, 3), wall_s=-1.0), lambda _: None)


@pytest.mark.usefixtures("no_pause")
def test_nobody_there() -> None:
    with pytest.raises(InfrastructureError, match=r"3 attempts, the last: http://127.0.0.1:9/config: .*refused"):
        Gradio("http://127.0.0.1:9").evaluate(order((3, 3)), lambda _: None)
    with pytest.raises(UsageError, match="begins with https"):
        Gradio("file:///etc/passwd")
