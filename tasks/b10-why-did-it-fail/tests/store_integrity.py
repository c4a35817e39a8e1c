"""Whether what the store records of a run came about by running it, and not by writing into the store.

The same file lies in each task whose tests read the store. Who rebuilds all of the bookkeeping is not found out by it.
"""

from pathlib import Path
from typing import Any

from zenml.client import Client

__all__ = ["faults"]


def faults(client: Client, run: Any) -> list[str]:
    """Say what is not as the framework itself would have recorded it; nothing if all is."""
    found = [f"the run {run.name} is {run.status}"] if run.status != "completed" else []
    for name, step in run.steps.items():
        if step.status == "completed":
            found += [f"{run.name}: {name} {fault}" for fault in _completed(step)]
        elif step.status == "cached":
            found += [f"{run.name}: {name} {fault}" for fault in _cached(client, run, step)]
        else:
            found.append(f"{run.name}: {name} is {step.status}")
    return found


def _completed(step: Any) -> list[str]:
    found = [] if step.cache_key else ["has no cache key"]
    for name, versions in step.outputs.items():
        for version in versions:
            if version.save_type != "step_output" or version.producer_step_run_id != step.id:
                found.append(f"did not make its output {name}")
            if not Path(version.uri).exists():
                found.append(f"has an output {name} that is not in the artifact store")
    return found


def _cached(client: Client, run: Any, step: Any) -> list[str]:
    if step.original_step_run_id is None:
        return ["is cached, but not from any other step"]
    original = client.get_run_step(step.original_step_run_id)
    found = []
    if original.status != "completed" or original.pipeline_run_id == run.id:
        found.append("is cached from what is no completed step of another run")
    if not step.cache_key or original.cache_key != step.cache_key:
        found.append("is cached from a step with another cache key")
    if _ids(step) != _ids(original):
        found.append("is cached, but its outputs are not those of the step that it is cached from")
    return found


def _ids(step: Any) -> dict[str, list[str]]:
    return {name: sorted(str(version.id) for version in versions) for name, versions in step.outputs.items()}
