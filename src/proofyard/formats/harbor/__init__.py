"""Harbor's task folders and sets of them, read and written as they are: `task.toml` of versions 1.0 to 1.4 in full, content
digests, `dataset.toml`, `registry.json`, Dockerfiles as instructions; and job folders. What cannot be honoured is refused by
name.
"""

from proofyard.formats.harbor.config import TaskConfig
from proofyard.formats.harbor.dataset import (
    DatasetFile,
    RegistryEntry,
    choose,
    dataset_text,
    read_dataset,
    read_registry,
)
from proofyard.formats.harbor.digest import content_digest
from proofyard.formats.harbor.dockerfile import Instruction, parse
from proofyard.formats.harbor.document import TaskFile, config_text, read_config
from proofyard.formats.harbor.job_attempt import IMPORTED, Attempt, JobTask, condition_of
from proofyard.formats.harbor.job_read import ReadJob, read_job
from proofyard.formats.harbor.job_write import JobHead, trial_name, write_job
from proofyard.formats.harbor.reading import SOLUTION_DIR, HarborTask, read_task, strip_canary, task_name
from proofyard.formats.harbor.solutions import patched
from proofyard.formats.harbor.terms import Terms

__all__ = [
    "IMPORTED",
    "SOLUTION_DIR",
    "Attempt",
    "DatasetFile",
    "HarborTask",
    "Instruction",
    "JobHead",
    "JobTask",
    "ReadJob",
    "RegistryEntry",
    "TaskConfig",
    "TaskFile",
    "Terms",
    "choose",
    "condition_of",
    "config_text",
    "content_digest",
    "dataset_text",
    "parse",
    "patched",
    "read_config",
    "read_dataset",
    "read_job",
    "read_registry",
    "read_task",
    "strip_canary",
    "task_name",
    "trial_name",
    "write_job",
]
