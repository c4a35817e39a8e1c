"""Lays out the image of a task folder for `bubble.py`: files in a folder, and what else is to be known of it as JSON."""

import json
from pathlib import Path

import msgspec

from proofyard.core import MemoryBlobs, file_bytes
from proofyard.formats.harbor import Terms, read_task
from proofyard.images import replay
from proofyard.sandbox import LocalProvider


def lay_out(task: Path, folder: Path) -> Path:
    """Make the image of a task in a new folder; return the file that describes it."""
    blobs = MemoryBlobs()
    image = read_task(task, blobs, Terms()).task.steps[0].brief.work.image
    provider = LocalProvider()
    try:
        made = replay(msgspec.structs.replace(image, packages=""), blobs, provider.open)
    finally:
        provider.close()
    root = folder.resolve() / "root"
    for name in (*made.folders, image.workdir):
        (root / name.lstrip("/")).mkdir(parents=True, exist_ok=True)
    for name, entry in made.tree.entries.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if entry.kind == "symlink":
            path.symlink_to(entry.target)
        elif entry.kind == "file":
            path.write_bytes(file_bytes(entry, blobs))
            path.chmod(0o755 if entry.executable else 0o644)
    about = {
        "root": str(root),
        "packages": made.image.packages,
        "environment": made.image.environment,
        "workdir": image.workdir,
    }
    described = folder / "image.json"
    described.write_text(json.dumps(about))
    return described
