"""Foreign bytes to nouns and back. Reading a task executes nothing and reaches no network; what a format says and this
reader does not honour is reported by name, never dropped in silence.
"""

from proofyard.formats.folder import read_folder
from proofyard.formats.harbor import HarborTask, read_task

__all__ = ["HarborTask", "read_folder", "read_task"]
