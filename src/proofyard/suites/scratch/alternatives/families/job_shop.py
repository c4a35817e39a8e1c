"""Job shops: a plan knows when each job is ready and each machine is free; both operations only choose the next job."""

from collections import Counter
from collections.abc import Callable
from typing import Any

__all__ = ["OPS", "Refused", "check", "run"]

Test = Callable[[Any], bool]


class Refused(Exception):  # noqa: N818
    """An error of this family: its code, and the extra fields of `error`."""

    def __init__(self, code: str, **extra: Any) -> None:
        super().__init__(code)
        self.code = code
        self.extra: dict[str, Any] = extra


def _integer(least: int, most: int) -> Test:
    """Integers from `least` to `most`."""
    return lambda value: type(value) is int and least <= value <= most


def _text(most: int) -> Test:
    """Strings of 1 to `most` code points."""
    return lambda value: isinstance(value, str) and 1 <= len(value) <= most


def _word(*words: str) -> Test:
    """Some words and nothing else."""
    return lambda value: value in words


def _array(least: int, most: int, item: Test) -> Test:
    """Arrays of so many items, each of them right."""
    return lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(item, value))


def _keys(needed: dict[str, Test], optional: dict[str, Test] | None = None) -> Test:
    """Objects with all needed keys, where these and the optional ones are right."""
    tests = needed | (optional or {})
    return lambda value: (
        isinstance(value, dict)
        and all(name in value for name in needed)
        and all(test(value[name]) for name, test in tests.items() if name in value)
    )


_STEP = _keys({"machine": _text(30), "time": _integer(1, 100)})
_JOB = _keys({"name": _text(30), "steps": _array(1, 6, _STEP)}, {"release": _integer(0, 1000)})
_ARGS: dict[str, dict[str, Test]] = {
    "sequence": {"jobs": _array(1, 8, _JOB), "order": _array(1, 48, _text(30))},
    "dispatch": {"jobs": _array(1, 8, _JOB), "rule": _word("shortest", "longest", "most_left", "first_in")},
}

OPS: dict[str, tuple[str, ...]] = {op: tuple(tests) for op, tests in _ARGS.items()}


def check(op: str, args: dict[str, Any]) -> bool:
    """Whether all arguments of the operation are there and have the right type and range."""
    return _keys(_ARGS[op])(args)


def run(op: str, args: dict[str, Any]) -> Any:
    """The result of the operation for checked arguments."""
    jobs = {job["name"]: job for job in args["jobs"]}
    if len(jobs) < len(args["jobs"]):
        raise Refused("duplicate_job")
    plan = _Plan(jobs)
    if op == "sequence":
        _check_order(args["order"], jobs)
        for name in args["order"]:
            plan.put(name)
    else:
        while any(plan.left.values()):
            plan.put(min((name for name in jobs if plan.left[name]), key=lambda name: plan.rank(name, args["rule"])))
    return plan.result()


def _check_order(order: list[str], jobs: dict[str, Any]) -> None:
    """Refuses an order that does not name each job once for each of its steps."""
    counts = Counter(order)
    if counts.keys() - jobs.keys():
        raise Refused("unknown_job")
    for name, job in jobs.items():
        if counts[name] != len(job["steps"]):
            raise Refused("wrong_count", job=name)


class _Plan:
    """A plan that grows step by step."""

    def __init__(self, jobs: dict[str, Any]) -> None:
        self.left: dict[str, list[dict[str, Any]]] = {name: list(job["steps"]) for name, job in jobs.items()}
        self.ready: dict[str, int] = {name: job.get("release", 0) for name, job in jobs.items()}
        self.free: dict[str, int] = {}
        self.steps: list[dict[str, Any]] = []

    def start(self, name: str) -> int:
        """The earliest start of the next step of a job."""
        return max(self.ready[name], self.free.get(self.left[name][0]["machine"], 0))

    def rank(self, name: str, rule: str) -> tuple[int, int]:
        """What is least for the job whose step is put next."""
        times = [step["time"] for step in self.left[name]]
        worth = {"shortest": times[0], "longest": -times[0], "most_left": -sum(times), "first_in": self.ready[name]}
        return self.start(name), worth[rule]

    def put(self, name: str) -> None:
        """Puts the next step of a job."""
        start = self.start(name)
        step = self.left[name].pop(0)
        end = self.ready[name] = self.free[step["machine"]] = start + step["time"]
        number = 1 + sum(done["job"] == name for done in self.steps)
        self.steps.append({"job": name, "step": number, "machine": step["machine"], "start": start, "end": end})

    def result(self) -> dict[str, Any]:
        """The plan with its machines."""
        machines = []
        for machine in sorted(self.free):
            steps = [step for step in self.steps if step["machine"] == machine]
            busy = sum(step["end"] - step["start"] for step in steps)
            idle = steps[-1]["end"] - steps[0]["start"] - busy
            machines.append({"machine": machine, "busy": busy, "idle": idle})
        return {"makespan": max(self.ready.values()), "steps": self.steps, "machines": machines}
