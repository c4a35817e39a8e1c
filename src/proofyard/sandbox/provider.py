"""Opens sandboxes on this machine: picks the rung."""

from proofyard.core import Blobs, Capabilities, Failure, InfrastructureError, Rung, Sandbox, SandboxSpec
from proofyard.sandbox.container import ContainerProvider
from proofyard.sandbox.pool import LADDER, RunnerPool
from proofyard.sandbox.probe import capabilities, rung_report

__all__ = ["LocalProvider"]


class LocalProvider:
    """Sandboxes on this machine. Safe to use from many threads.

    unsafe: use the rung `none`, which isolates nothing. slots: how many idle runners are kept (default: one a core).
    rung: use only this one. A specification whose lowest rung is `container` is opened in a container.
    """

    def __init__(self, unsafe: bool = False, slots: int = 0, rung: Rung | None = None) -> None:
        self._unsafe = unsafe
        self._forced = rung
        self._pool = RunnerPool(slots)
        self._containers = ContainerProvider()

    def probe(self) -> Capabilities:
        """Run a canary program on each rung and report; once a process."""
        return capabilities()

    def open(self, spec: SandboxSpec, blobs: Blobs) -> Sandbox:
        """Open a sandbox; large contents come from and go to `blobs`.

        Raises:
            InfrastructureError: `isolation_unavailable` if nothing at or above `spec.lowest` works, `sandbox_start`.

        """
        if spec.lowest == "container":
            return self._containers.open(spec, blobs)
        return self._pool.open(spec, blobs, self._choose(spec))

    def close(self) -> None:
        """Close all sandboxes and end every process."""
        self._containers.close()
        self._pool.close()

    def _choose(self, spec: SandboxSpec) -> Rung:
        if spec.network.mode == "public":
            raise _unavailable("a local sandbox never gets the public network; name the hosts it may reach")
        if spec.armed and spec.network.mode == "hosts":
            raise _unavailable(
                "kill points and a list of hosts do not go together: the relay's writes would be counted"
            )
        rung: Rung = self._forced or ("none" if self._unsafe else self._best(spec))
        needs = {
            "kill points need": spec.armed,
            "a list of hosts needs": spec.network.mode == "hosts",
            "a task's image needs a file system of its own,": bool(spec.image.source),
        }
        what = next((what for what, needed in needs.items() if needed), "")
        if rung != "bubblewrap" and what:
            raise _unavailable(f"{what} the rung bubblewrap, this is {rung}")
        return rung

    @staticmethod
    def _best(spec: SandboxSpec) -> Rung:
        """The highest rung that works and is not below the lowest acceptable one."""
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


def _unavailable(message: str) -> InfrastructureError:
    return InfrastructureError(Failure(code="isolation_unavailable", message=message))
