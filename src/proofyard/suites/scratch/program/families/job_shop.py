"""Plans a job shop: by a given order of the jobs, or by a dispatching rule."""

from collections import Counter
from typing import Any

from ..arguments import array, enum, integer, required, string, structure
from ..errors import DomainError
from ..operation import Operation

__all__ = ["OPERATIONS"]

NAME = string(1, 30)
STEP = structure({"machine": NAME, "time": integer(1, 100)})
JOB = structure({"name": NAME, "steps": array(STEP, 1, 6)}, {"release": integer(0, 1000)})
JOBS = array(JOB, 1, 8)


class Shop:
    """The state of the shop while steps are put on their machines, each as early as it can be then."""

    def __init__(self, jobs: list[dict[str, Any]]) -> None:
        if len({job["name"] for job in jobs}) < len(jobs):
            raise DomainError("duplicate_job", "two jobs have the same name")
        self.jobs = jobs
        self.ready: list[int] = [job.get("release", 0) for job in jobs]
        self.left = [list(job["steps"]) for job in jobs]
        self.free: Counter[str] = Counter()
        self.rows: list[dict[str, Any]] = []

    def start(self, place: int) -> int:
        """The earliest start of the next step of a job."""
        return max(self.ready[place], self.free[self.left[place][0]["machine"]])

    def put(self, place: int) -> None:
        """Put the next step of a job on its machine."""
        start = self.start(place)
        step = self.left[place].pop(0)
        end = start + step["time"]
        self.ready[place] = self.free[step["machine"]] = end
        job = self.jobs[place]
        number = len(job["steps"]) - len(self.left[place])
        row = {"job": job["name"], "step": number, "machine": step["machine"], "start": start, "end": end}
        self.rows.append(row)

    def result(self) -> object:
        """The whole plan and what it means for the machines."""
        machines = []
        for name in sorted(self.free):
            own = [row for row in self.rows if row["machine"] == name]
            busy = sum(row["end"] - row["start"] for row in own)
            machines.append({"machine": name, "busy": busy, "idle": self.free[name] - own[0]["start"] - busy})
        return {"makespan": max(self.free.values()), "steps": self.rows, "machines": machines}


def check_sequence(args: dict[str, Any]) -> None:
    """Check the arguments of `sequence`."""
    required(args, "jobs", JOBS)
    required(args, "order", array(NAME, 1, 48))


def check_dispatch(args: dict[str, Any]) -> None:
    """Check the arguments of `dispatch`."""
    required(args, "jobs", JOBS)
    required(args, "rule", enum("shortest", "longest", "most_left", "first_in"))


def sequence(args: dict[str, Any]) -> object:
    """The plan in which the jobs take their turns in a given order."""
    shop = Shop(args["jobs"])
    places = {job["name"]: place for place, job in enumerate(args["jobs"])}
    if not places.keys() >= set(args["order"]):
        raise DomainError("unknown_job", "the order names a job that is not there")
    for job in args["jobs"]:
        if args["order"].count(job["name"]) != len(job["steps"]):
            raise DomainError("wrong_count", f"{job['name']!r} needs {len(job['steps'])} turns", job=job["name"])
    for name in args["order"]:
        shop.put(places[name])
    return shop.result()


def dispatch(args: dict[str, Any]) -> object:
    """The plan in which a rule decides between steps that could start at the same time."""
    shop = Shop(args["jobs"])

    def urgency(place: int) -> tuple[int, int]:
        times = [step["time"] for step in shop.left[place]]
        by_rule = {
            "shortest": times[0],
            "longest": -times[0],
            "most_left": -sum(times),
            "first_in": shop.ready[place],
        }
        return shop.start(place), by_rule[args["rule"]]

    while waiting := [place for place, left in enumerate(shop.left) if left]:
        shop.put(min(waiting, key=urgency))
    return shop.result()


OPERATIONS = {
    "sequence": Operation(("jobs", "order"), check_sequence, sequence),
    "dispatch": Operation(("jobs", "rule"), check_dispatch, dispatch),
}
