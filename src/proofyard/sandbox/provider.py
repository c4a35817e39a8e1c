"""Opens sandboxes on this machine: picks the rung, keeps runners warm between sandboxes."""

import contextlib
import os
import threading
from typing import Any

from proofyard.core import (
    Blobs,
    Capabilities,
    Failure,
    InfrastructureError,
    Rung,
    SandboxSpec,
)
from proofyard.sandbox.channel import Runner
from proofyard.sandbox.local import LocalSandbox
from proofyard.sandbox.machine import bubblewrap_path, free_uid, interpreter, package_masks

__all__ = ["LADDER", "LocalProvider"]

LADDER: tuple[Rung, ...] = ("bubblewrap", "zygote", "landlock", "none")
"""Rungs from the best; `zygote` is as strong as `bubblewrap` and is taken where an image has a preload."""
Key = tuple[str, str, tuple[str, ...]]


class LocalProvider:
    """Sandboxes on this machine. Safe to use from many threads.

    unsafe: allow the rung `none` (it isolates nothing). slots: how many idle runners are kept. rung: use only this one.
    """

    def __init__(self, unsafe: bool = False, slots: int = 0, rung: Rung | None = None) -> None:
        self._unsafe = unsafe
        self._slots = slots or os.cpu_count() or 1
        self._forced = rung
        self._lock = threading.Lock()
        self._idle: dict[Key, list[Runner]] = {}
        self._open: set[LocalSandbox] = set()
        self._uids: set[int] = set()
        self._closed = False

    def probe(self) -> Capabilities:
        """Run a canary program on each rung and report; once a process."""
        from proofyard.sandbox.probe import capabilities

        return capabilities()

    def open(self, spec: SandboxSpec, blobs: Blobs) -> LocalSandbox:
        """Open a sandbox; large contents come from and go to `blobs`.

        Raises:
            InfrastructureError: `isolation_unavailable` if nothing at or above `spec.lowest` works, `sandbox_start`.

        """
        rung = self._choose(spec)
        key: Key = (rung, spec.image.packages, spec.image.preload)
        runner = self._take(key)
        sandbox = LocalSandbox(
            runner, spec, blobs, rung, lambda given, good: self._give_back(sandbox, key, given, good)
        )
        with self._lock:
            self._open.add(sandbox)
        try:
            sandbox.prepare()
        except BaseException:
            sandbox.close()
            raise
        return sandbox

    def close(self) -> None:
        """Close all sandboxes and end every process."""
        with self._lock:
            self._closed = True
            sandboxes = list(self._open)
        for sandbox in sandboxes:
            sandbox.abandon()
            sandbox.close()
        with self._lock:
            runners = [runner for idle in self._idle.values() for runner in idle]
            self._idle.clear()
        for runner in runners:
            self._end(runner)

    def _choose(self, spec: SandboxSpec) -> Rung:
        if spec.network.mode == "public":
            raise _unavailable("a local sandbox never gets the public network; name the hosts it may reach")
        if spec.armed and spec.network.mode == "hosts":
            raise _unavailable(
                "kill points and a list of hosts do not go together: the relay's writes would be counted"
            )
        rung: Rung = self._forced or ("none" if self._unsafe else self._best(spec))
        if rung != "bubblewrap" and (spec.armed or spec.network.mode == "hosts"):
            what = "kill points need" if spec.armed else "a list of hosts needs"
            raise _unavailable(f"{what} the rung bubblewrap, this is {rung}")
        return rung

    @staticmethod
    def _best(spec: SandboxSpec) -> Rung:
        """The highest rung that works and is not below the lowest acceptable one."""
        from proofyard.sandbox.probe import rung_report

        if spec.lowest not in LADDER:
            raise _unavailable(f"{spec.lowest} is no rung of a local sandbox")
        allowed = LADDER[: LADDER.index(spec.lowest) + 1]
        plain = not spec.image.preload or spec.armed or spec.network.mode != "none"
        order = (
            [rung for rung in allowed if rung != "zygote"] if plain else sorted(allowed, key=lambda r: r != "zygote")
        )
        why = []
        for rung in order:
            report = rung_report(rung)
            if report.works:
                return rung
            why.append(f"{rung}: {report.reason}")
        raise _unavailable("nothing on this machine isolates enough; " + "; ".join(why))

    def _take(self, key: Key) -> Runner:
        with self._lock:
            if self._closed:
                raise InfrastructureError(Failure(code="sandbox_lost", message="the provider is closed"))
            idle = self._idle.get(key)
            if idle:
                return idle.pop()
        return self._new(key)

    def _new(self, key: Key) -> Runner:
        rung, packages, preload = key
        python = interpreter()
        with self._lock:
            uid = free_uid(self._uids) if os.getuid() == 0 else os.getuid()
            self._uids.add(uid)
        config: dict[str, Any] = {
            "rung": rung,
            "uid": uid,
            "bwrap": bubblewrap_path(),
            "python": python.prefix,
            "executable": python.executable,
            "shared": python.shared,
            "version": python.version,
            "masks": package_masks(),
            "packages": packages,
            "preload": preload,
        }
        try:
            return Runner(python.path, config)
        except BaseException:
            with self._lock:
                self._uids.discard(uid)
            raise

    def _give_back(self, sandbox: LocalSandbox, key: Key, runner: Runner, good: bool) -> None:
        with self._lock:
            self._open.discard(sandbox)
            idle = self._idle.setdefault(key, [])
            if good and not runner.lost and not self._closed and len(idle) < self._slots:
                idle.append(runner)
                return
        self._end(runner)

    def _end(self, runner: Runner) -> None:
        with contextlib.suppress(OSError):
            runner.close()
        with self._lock:
            self._uids.discard(runner.config["uid"])


def _unavailable(message: str) -> InfrastructureError:
    return InfrastructureError(Failure(code="isolation_unavailable", message=message))
