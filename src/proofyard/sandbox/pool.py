"""Runners kept warm between sandboxes, by what they were made for."""

import contextlib
import os
import threading
from typing import Any

from proofyard.core import Blobs, Failure, InfrastructureError, Rung, SandboxSpec
from proofyard.sandbox.channel import Runner
from proofyard.sandbox.local import LocalSandbox
from proofyard.sandbox.machine import bubblewrap_path, free_uid, interpreter, package_masks

__all__ = ["LADDER", "RunnerPool"]

LADDER: tuple[Rung, ...] = ("bubblewrap", "zygote", "landlock", "none")
"""Rungs from the best; `zygote` is as strong as `bubblewrap` and is taken where an image has a preload."""
Key = tuple[str, str, tuple[str, ...]]


class RunnerPool:
    """Opens sandboxes on a given rung. Safe to use from many threads. slots: how many idle runners of a kind are kept."""

    def __init__(self, slots: int = 0) -> None:
        self._slots = slots or os.cpu_count() or 1
        self._lock = threading.Lock()
        self._idle: dict[Key, list[Runner]] = {}
        self._open: set[LocalSandbox] = set()
        self._uids: set[int] = set()
        self._closed = False

    def open(self, spec: SandboxSpec, blobs: Blobs, rung: Rung) -> LocalSandbox:
        """Open a sandbox on that rung.

        Raises:
            InfrastructureError: `isolation_unavailable` if the rung does not work here, `sandbox_start`, `sandbox_lost`.

        """
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
