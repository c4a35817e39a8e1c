"""Foreign bytes to nouns and back. Reading a task executes nothing and reaches no network; what a format says and this
reader does not honour is reported by name, never dropped in silence.
"""

from proofyard.formats.folder import read_folder
from proofyard.formats.harbor import HarborTask, read_task
from proofyard.formats.huggingface import Card, Config, card_text

__all__ = ["Card", "Config", "HarborTask", "card_text", "read_folder", "read_task"]
