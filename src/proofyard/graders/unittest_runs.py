"""One run of a test module against a submission, in a sandbox that may serve several: the order out, the report back."""

import marshal
import os
from collections.abc import Callable
from functools import cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from proofyard.core import (
    Blobs,
    Ended,
    Mount,
    Sandbox,
    SandboxSpec,
    Step,
    Tree,
    Usage,
    file_bytes,
    tree_of,
)
from proofyard.graders import unittest_parts
from proofyard.graders.unittest_hidden import exchanged
from proofyard.graders.unittest_orders import Order, Report, UnittestParameters, encoded, read_report
from proofyard.source.twins import Twin
from proofyard.source.unit_tests import UnitTests, read_tests

__all__ = ["NEEDED", "Ran", "Runs", "TestModule", "read_module"]

_PARTS: Final = ("unittest_stub", "unittest_parts", *unittest_parts.PARTS)
_FILES: Final = {f"{part}.py": Path(__file__).with_name(f"{part}.py").read_text(encoding="utf-8") for part in _PARTS}
_DRIVER_DIR: Final = "/workspace/driver"
_ENVIRONMENT: Final = {"TZ": "UTC", "MPLBACKEND": "Agg", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
_ETC: Final = {
    "hosts": "127.0.0.1 localhost\n::1 localhost\n",
    "passwd": "sandbox:x:1000:1000::/tmp:/bin/sh\n",
    "group": "sandbox:x:1000:\n",
}
"""What programs look up that open a port on `localhost` or ask for the user's name."""
NEEDED: Final = (
    "ctypes",
    "unittest",
    "unittest.mock",
    "json",
    "random",
    "fcntl",
    "contextvars",
    "decimal",
    "fractions",
    "datetime",
)
"""What the driver imports: warm where anything is."""


@cache
def _driver() -> dict[str, str | bytes]:
    """The driver's files, compiled for a Python like this one, the parts in one of them."""
    stub, loader, *parts = (
        compile(_FILES[f"{part}.py"], f"{_DRIVER_DIR}/{part}.py", "exec", dont_inherit=True, optimize=2)
        for part in _PARTS
    )
    whole = exchanged(loader, "the parts' code", list(zip(unittest_parts.PARTS, parts, strict=True)))
    head = MAGIC_NUMBER + bytes(12)
    return {"unittest_stub.pyc": head + marshal.dumps(stub), "unittest_parts.pyc": head + marshal.dumps(whole)}


class TestModule(NamedTuple):
    """The hidden test of a step: its text and what was read of it."""

    text: str
    tests: UnitTests


class Ran(NamedTuple):
    """What came of one run. report: None if there was none under the key. stdout: the candidate's own output."""

    report: Report | None
    ended: Ended
    stdout: bytes
    used: Usage


def read_module(step: Step, blobs: Blobs) -> TestModule | str:
    """The test module of a step, or why it cannot be used."""
    entries = step.hidden.tests.entries
    if list(entries) != ["test.py"]:
        return "the hidden tests are not one file test.py"
    try:
        text = file_bytes(entries["test.py"], blobs).decode()
        tests = read_tests(text)
    except (ValueError, SyntaxError, RecursionError) as error:
        return f"the test cannot be read: {error}"
    return TestModule(text, tests) if tests.names else "the test holds no tests"


class Runs:
    """The runs of one submission, all in one sandbox. Each gets a key of its own and starts from the same state.

    cpu_ms: CPU time of one run; its wall backstop is that of the specification, or three times the CPU time.
    """

    def __init__(
        self,
        step: Step,
        submission: Tree,
        parameters: UnittestParameters,
        module: TestModule,
        open_sandbox: Callable[[SandboxSpec], Sandbox],
        cpu_ms: int,
        blobs: Blobs,
    ) -> None:
        grading = step.grading
        own_python = not grading.image.container  # a container brings its own, of whatever kind
        self._kind = "pyc" if own_python else "py"
        self._module = module
        self._parameters = parameters
        self._path = f"{grading.image.workdir}/{parameters.file}"
        etc = (
            ()
            if any(mount.path == "/etc" for mount in grading.mounts)
            else (Mount(path="/etc", tree=tree_of(_ETC, blobs)),)
        )
        mounts = (
            *grading.mounts,
            *etc,
            Mount(path=grading.image.workdir, tree=submission),
            Mount(path=_DRIVER_DIR, tree=tree_of(_driver() if own_python else _FILES, blobs)),
        )
        warm = parameters.isolation == "fork"
        driver = f"{_DRIVER_DIR}/unittest_parts.{self._kind}"
        preload = tuple(dict.fromkeys((*grading.image.preload, *NEEDED, driver))) if warm else ()
        image = msgspec.structs.replace(grading.image, preload=preload)
        self.wall_ms = max(grading.limits.wall_ms, 3 * cpu_ms)
        limits = msgspec.structs.replace(grading.limits, cpu_ms=cpu_ms, wall_ms=self.wall_ms)
        self.spec = msgspec.structs.replace(grading, image=image, mounts=mounts, limits=limits)
        self._sandbox = open_sandbox(self.spec)
        self.used = Usage()

    @property
    def provenance(self) -> dict[str, str]:
        """The sandbox's."""
        return dict(self._sandbox.provenance)

    def run(self, stack: str, seed: int, twin: Twin | None = None, *, measure: bool = False, bare: bool = False) -> Ran:
        """Run the test, or a twin of it.

        measure: what the twin makes of a solution that is known to be right is measured. bare: objects of the submission's own
        do not compare themselves.

        Raises:
            InfrastructureError: the sandbox was lost, or its kill not confirmed.

        """
        key = os.urandom(32).hex()
        tests = self._module.tests
        order = Order(
            key=key,
            path=self._path,
            entry_point=self._parameters.entry_point,
            test=self._module.text if twin is None else twin.text,
            stack=stack,
            seed=seed,
            modules=tests.modules,
            imported=tests.imported,
            named=tests.attributes,
            keep_classes=tests.names_classes,
            mark="" if twin is None else twin.mark,
            sites=0 if twin is None else len(twin.sites),
            measure=measure,
            bare=bare,
        )
        environment = {name: value for name, value in _ENVIRONMENT.items() if name not in self.spec.image.environment}
        process = self._sandbox.start(["python", f"{_DRIVER_DIR}/unittest_stub.{self._kind}"], env=environment)
        process.send(encoded(order))
        ended = process.finish(self.wall_ms)
        self._sandbox.kill()
        found = read_report(ended.stdout, key)
        before, self.used = self.used, self._sandbox.usage()
        used = msgspec.structs.replace(
            self.used, cpu_us=self.used.cpu_us - before.cpu_us, wall_us=self.used.wall_us - before.wall_us
        )
        if found is None:
            return Ran(None, ended, ended.stdout, used)
        return Ran(found[0], ended, found[1], used)

    def close(self) -> None:
        """Drop the sandbox."""
        self._sandbox.close()
