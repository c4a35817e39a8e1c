"""The back end E2B: a sandbox of its cloud, made of the template `e2b.Dockerfile`, in which proofyard grades as it does here.

The package `e2b` speaks to the cloud. It is an extra: `pip install 'proofyard[e2b]'`.
"""

import contextlib
import importlib
import shlex
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from proofyard.cli.evaluate_order import Order, TransientError, attempts
from proofyard.core import Failure, InfrastructureError, UsageError, Verdict
from proofyard.formats.judged import read_records

__all__ = ["E2B", "TEMPLATE"]

TEMPLATE: Final = "proofyard-evaluator"
"""The name of the template in `e2b.toml`."""
_FOLDER: Final = "/home/user/work"
_POLL_S: Final = 5.0
_MISSED: Final = 12
"""Looks in a row that may fail before the sandbox counts as lost."""
_HOPELESS: Final = (
    *("AuthenticationException", "InvalidArgumentException", "TemplateException", "NotFoundException"),
    "NotEnoughSpaceException",
)
"""What another attempt would meet again."""


class E2B:
    """Grades in a sandbox of the template with that name."""

    def __init__(self, template: str, *, poll_s: float = _POLL_S) -> None:
        self._template = template
        self._poll_s = poll_s
        self.where = f"e2b template {template}"

    def evaluate(self, order: Order, tell: Callable[[str], None]) -> Mapping[tuple[str, int], Verdict]:
        """Return the verdict of each sample.

        Raises:
            UsageError: the package is not there, or proofyard in the sandbox refused the call.
            InfrastructureError: no sandbox could be had, or none lived to the end.

        """
        if not order.data:
            raise UsageError("--execution e2b sends the benchmark's file: give it by --data FILE")
        try:
            package = importlib.import_module("e2b")
        except ImportError:
            raise UsageError("--execution e2b needs the extra: pip install 'proofyard[e2b]'") from None
        records = attempts(lambda: self._once(package.Sandbox, order, tell), tell)
        return read_records(records, "the records that came from E2B")

    def _once(self, kind: Any, order: Order, tell: Callable[[str], None]) -> bytes:
        tell(f"a sandbox of {self._template}, for at most {order.wall_s:g} s")
        sandbox = _asked(
            lambda: kind.create(
                template=self._template,
                timeout=int(order.wall_s),
                allow_internet_access=False,
                metadata={"tool": "proofyard"},
            )
        )
        try:
            _asked(lambda: sandbox.files.write(f"{_FOLDER}/samples.jsonl", order.samples))
            _asked(lambda: sandbox.files.write(f"{_FOLDER}/data.jsonl", order.data))
            _asked(lambda: sandbox.commands.run(_command(order), cwd=_FOLDER, timeout=60))
            code = self._wait(sandbox, order.wall_s)
            if code not in {0, 1, 3}:
                log = _text(_asked(lambda: sandbox.files.read(f"{_FOLDER}/log", format="bytes")))
                last = (log.strip().splitlines() or [f"exit code {code}"])[-1]
                if code == 2:
                    raise UsageError(f"proofyard in the sandbox: {last}")
                raise TransientError(f"proofyard in the sandbox ended with {code}: {last}")
            return bytes(_asked(lambda: sandbox.files.read(f"{_FOLDER}/samples.proofyard.jsonl", format="bytes")))
        finally:
            with contextlib.suppress(Exception):  # it ends by itself at the end of its time
                sandbox.kill()

    def _wait(self, sandbox: Any, wall_s: float) -> int:
        """Look now and then whether it is done; its exit code."""
        deadline = time.monotonic() + wall_s
        missed = 0
        while time.monotonic() < deadline:
            try:
                if _asked(lambda: sandbox.files.exists(f"{_FOLDER}/code")):
                    return int(_text(_asked(lambda: sandbox.files.read(f"{_FOLDER}/code", format="bytes"))))
                missed = 0
            except TransientError:
                missed += 1
                if missed >= _MISSED:
                    raise
            time.sleep(self._poll_s)
        message = f"not done within {wall_s:g} s (--remote-timeout)"
        raise InfrastructureError(Failure(code="grader_timeout", message=message))


def _command(order: Order) -> str:
    """Starts the grading in the background: no connection has to hold as long as it takes."""
    words = ["proofyard", "evaluate", order.benchmark, "--samples", "samples.jsonl", "--data", "data.jsonl"]
    words += ["--calibrated", "False", "--split", order.split, "--output", "run"]
    if order.parallel is not None:
        words += ["--parallel", str(order.parallel)]
    line = f"{shlex.join(words)} > log 2>&1; echo $? > code.part; mv code.part code"
    return f"nohup sh -c {shlex.quote(line)} > /dev/null 2>&1 &"


def _asked(call: Callable[[], Any]) -> Any:
    """Call the package; what it raises is told apart by whether it is worth another attempt."""
    try:
        return call()
    except Exception as error:  # of the package and of what it speaks through
        names = {kind.__name__ for kind in type(error).__mro__}
        text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        if names & set(_HOPELESS):
            raise InfrastructureError(Failure(code="isolation_unavailable", message=f"E2B: {text}")) from error
        raise TransientError(f"E2B: {text}") from error


def _text(data: Any) -> str:
    return bytes(data).decode("utf-8", "replace")
