"""The back end Gradio: an evaluator of BigCodeBench behind a Gradio app, such as its authors host; by HTTP alone.

Its verdicts are those of that evaluator (passed, failed, out of time) and have none of proofyard's guards.
"""

import http.client
import json
import secrets
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from proofyard.cli.evaluate_order import Order, TransientError, attempts
from proofyard.core import Evidence, Failure, Grade, InfrastructureError, Outcome, Reason, UsageError, Verdict
from proofyard.formats.bcb_results import bcb_entries

__all__ = ["ENDPOINT", "Gradio"]

ENDPOINT: Final = "https://bigcode-bigcodebench-evaluator.hf.space/"
_API: Final = "/predict"
_CALL_S: Final = 60.0
_SILENCE_S: Final = 120.0
"""A stream sends a sign of life every 15 s."""
_MOST: Final = 1 << 30
_RETRY: Final = {408, 425, 429, 500, 502, 503, 504}


class Gradio:
    """Grades by the app at that address."""

    def __init__(self, address: str) -> None:
        if not address.startswith(("http://", "https://")):
            raise UsageError(f"--gradio-endpoint {address}: an address begins with https:// or http://")
        self._address = address.rstrip("/")
        self.where = f"gradio {self._address}"

    def evaluate(self, order: Order, tell: Callable[[str], None]) -> Mapping[tuple[str, int], Verdict]:
        """Return the verdict of each sample.

        Raises:
            UsageError: the benchmark is another one, or the app takes no such call.
            InfrastructureError: there was no answer.

        """
        if order.benchmark != "bigcodebench":
            raise UsageError(f"--execution gradio is for bigcodebench, not {order.benchmark}")
        results = attempts(lambda: self._once(order, tell), tell)
        return self._verdicts(order, results)

    def _once(self, order: Order, tell: Callable[[str], None]) -> Any:
        deadline = time.monotonic() + order.wall_s
        prefix = self._prefix()
        names = self._parameters(prefix)
        path = self._upload(prefix, order.samples)
        tell(f"samples are at {self._address}; it may take up to {order.wall_s:g} s")
        values = [_argument(name, default, order, path) for name, default in names]
        told = self._json(f"{prefix}/call{_API}", {"data": values})
        for event, data in self._events(f"{prefix}/call{_API}/{told['event_id']}", deadline):
            if event == "complete":
                return data
            if event == "error":
                raise TransientError(f"{self._address} reports an error: {json.dumps(data)[:300]}")
        raise TransientError(f"{self._address} closed the connection without an answer")

    def _prefix(self) -> str:
        """Where the API is: version 5 put it below a folder."""
        return self._address + str(self._json(self._address + "/config").get("api_prefix") or "")

    def _parameters(self, prefix: str) -> list[tuple[str, Any]]:
        """Names and defaults of what the call takes, in its order."""
        known = self._json(f"{prefix}/info").get("named_endpoints", {})
        if _API not in known:
            raise UsageError(f"{self._address} has no endpoint {_API}; it has: {', '.join(known) or 'none'}")
        found = [(one.get("parameter_name", ""), one.get("parameter_default")) for one in known[_API]["parameters"]]
        if "samples" not in dict(found):
            raise UsageError(f"{self._address}{_API} takes no samples but: {', '.join(name for name, _ in found)}")
        return found

    def _upload(self, prefix: str, samples: bytes) -> str:
        mark = secrets.token_hex(16)
        head = f'--{mark}\r\nContent-Disposition: form-data; name="files"; filename="samples.jsonl"\r\n'
        body = (
            f"{head}Content-Type: application/octet-stream\r\n\r\n".encode() + samples + f"\r\n--{mark}--\r\n".encode()
        )
        found = self._json(f"{prefix}/upload", body, f"multipart/form-data; boundary={mark}")
        return str(found[0])

    def _json(self, url: str, body: Any = None, kind: str = "application/json") -> Any:
        data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        with self._open(url, data, kind, _CALL_S) as answer:
            try:
                return json.loads(answer.read(_MOST))
            except (ValueError, OSError, http.client.HTTPException) as error:
                raise TransientError(f"{url}: {error}") from error

    def _events(self, url: str, deadline: float) -> Iterator[tuple[str, Any]]:
        event = ""
        with self._open(url, None, "", _SILENCE_S) as stream:
            try:
                for raw in stream:
                    line = raw.decode("utf-8", "replace").rstrip("\r\n")
                    if time.monotonic() > deadline:
                        message = f"{self._address} was not done in time (--remote-timeout)"
                        raise InfrastructureError(Failure(code="grader_timeout", message=message))
                    if line.startswith("event:"):
                        event = line.partition(":")[2].strip()
                    elif line.startswith("data:") and event in {"complete", "error"}:
                        yield event, json.loads(line.partition(":")[2])
            except (ValueError, OSError, http.client.HTTPException) as error:
                raise TransientError(f"{self._address}: {error}") from error

    def _open(self, url: str, data: bytes | None, kind: str, seconds: float) -> Any:
        headers = {"Content-Type": kind} if data is not None else {}
        try:
            return urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=seconds)
        except urllib.error.HTTPError as error:
            with error:
                text = f"{url}: status {error.code} {error.reason}"
            if error.code in _RETRY:
                raise TransientError(text) from error
            raise InfrastructureError(Failure(code="worker_lost", message=text)) from error
        except (OSError, http.client.HTTPException) as error:
            raise TransientError(f"{url}: {getattr(error, 'reason', error)}") from error

    def _verdicts(self, order: Order, results: Any) -> dict[tuple[str, int], Verdict]:
        if not isinstance(results, list) or not results:
            raise InfrastructureError(Failure(code="reward_unreadable", message=f"{self._address}: no results"))
        text = results[0] if isinstance(results[0], str) else json.dumps(results[0])
        entries = bcb_entries(text.encode(), f"the results of {self._address}")
        sent: dict[str, list[str]] = {}
        for line in order.samples.splitlines():
            row = json.loads(line)
            sent.setdefault(row["task_id"], []).append(row["solution"])
        found = {}
        for task, programs in sent.items():
            of_task = entries.get(task, [])
            if [entry["solution"] for entry in of_task] != programs:
                message = f"{self._address}: the results of {task} are not of the samples sent"
                raise InfrastructureError(Failure(code="reward_unreadable", message=message))
            for k, entry in enumerate(of_task):
                found[task, k] = self._verdict(task, k, entry)
        return found

    def _verdict(self, task: str, k: int, entry: Mapping[str, Any]) -> Verdict:
        told = {"pass": None, "fail": Reason.WRONG_RESULT, "timeout": Reason.TIMEOUT}
        if entry["status"] not in told:
            message = f"{self._address}: {task}: a status {entry['status']!r}"
            raise InfrastructureError(Failure(code="reward_unreadable", message=message))
        reason = told[entry["status"]]
        trace = "\n".join(entry["details"].values())
        grade = Grade(
            outcome=Outcome.PASSED if reason is None else Outcome.FAILED,
            score=1.0 if reason is None else 0.0,
            reason=reason,
            evidence=Evidence(where="a remote evaluator", got=trace[:4000], note=entry["status"] if reason else ""),
            provenance={"execution": self.where, "rung": "none", "details": json.dumps(entry["details"])},
        )
        fields = {name: getattr(grade, name) for name in grade.__struct_fields__}
        return Verdict(**fields, id=f"{task}-{k}", trial=f"{task}-{k}", task=task, submission="", grader="gradio")


def _argument(name: str, default: Any, order: Order, path: str) -> Any:
    """What the call is given for a parameter of that name; what we know nothing of keeps its default."""
    named = {
        "split": order.split,
        "subset": order.subset if order.subset in {"full", "hard"} else "full",
        "samples": {"path": path, "orig_name": "samples.jsonl", "meta": {"_type": "gradio.FileData"}},
        "pass_k": ",".join(map(str, order.pass_k)),
        "calibrated": False,  # imports and signature stand before the programs already
        "check_gt_only": False,
        "no_gt": False,
        "selective_evaluate": "" if order.whole and order.subset in {"full", "hard"} else ",".join(order.tasks),
        **({} if order.parallel is None else {"parallel": order.parallel}),
    }
    return named.get(name, default)
