import base64
import os

import pytest

from proofyard.core import Entry, InfrastructureError, MemoryBlobs, Mount, Tree, UsageError, file_bytes, sha256, tree_of
from tests.sandbox.boxes import STATE, opened, run


def test_mounted_trees_arrive_exactly_and_read_only(provider):
    blobs = MemoryBlobs()
    tree = tree_of(
        {"a.txt": "small", "deep/b.bin": os.urandom(300_000), "run.sh": "#!/bin/sh\necho hi\n"}, blobs, ["run.sh"]
    )
    tree = tree.merged(Tree(entries={"link": Entry(kind="symlink", target="a.txt")}))
    code = (
        "import os; print(open('/data/link').read(), *(os.access(f'/data/{n}', os.X_OK) for n in ('run.sh', 'a.txt')))"
    )
    with opened(provider, code, blobs=blobs, mounts=(Mount(path="/data", tree=tree),)) as sandbox:
        assert run(sandbox).stdout == b"small True False\n"
        assert sandbox.get("/data") == tree
        with pytest.raises(UsageError, match="no writable or kept folder"):
            sandbox.put(tree, "/data")


def test_a_writable_mount_is_a_copy_that_can_be_changed(provider):
    blobs = MemoryBlobs()
    mount = Mount(path="/workspace/data", tree=tree_of({"a": "1", "b": "2"}, blobs), writable=True)
    code = "import os; os.remove('/workspace/data/a'); open('/workspace/data/c', 'w').write('3')"
    with opened(provider, code, blobs=blobs, mounts=(mount,)) as sandbox:
        assert run(sandbox).code == 0
        assert sandbox.get("/workspace/data") == tree_of({"b": "2", "c": "3"}, blobs)
        assert sandbox.snapshot() == Tree()


def test_kept_folder_inside_a_mount(provider):
    with opened(provider, "open('out/x', 'w').write('1')", kept=("/workspace/project/out",)) as sandbox:
        assert run(sandbox).code == 0
        assert list(sandbox.snapshot().entries) == ["workspace/project/out/x"]


def test_put_and_get_of_many_and_large_files(provider):
    blobs = MemoryBlobs()
    files = {f"d{n % 7}/f{n}": os.urandom(n * 13 % 5000) for n in range(300)} | {"big": os.urandom(6 << 20)}
    tree = tree_of(files, blobs)
    with opened(provider, blobs=blobs) as sandbox:
        sandbox.put(tree, STATE)
        got = sandbox.get(STATE)
        assert got == tree
        assert file_bytes(got.entries["big"], blobs) == files["big"]
        sandbox.put(tree_of({"d1/f1": "other"}, blobs), f"{STATE}/under")
        assert base64.b64decode(sandbox.get(f"{STATE}/under").entries["d1/f1"].inline) == b"other"


def test_more_than_the_quota_cannot_be_put(provider):
    blobs = MemoryBlobs()
    with opened(provider, blobs=blobs, limits={"disk": 1 << 20}) as sandbox:
        with pytest.raises(InfrastructureError, match="No space left"):
            sandbox.put(tree_of({"big": b"x" * (3 << 20)}, blobs), STATE)
        assert run(sandbox).code == 0


HOSTILE = f"""
import os, socket
os.chdir("{STATE}")
open("plain", "w").write("ok")
os.symlink("/etc/passwd", "link")
os.symlink("/", "root")
os.mkfifo("fifo")
socket.socket(socket.AF_UNIX).bind("socket")
open("setuid", "w").close(); os.chmod("setuid", 0o6777)
os.mkdir("closed"); open("closed/in", "w").close(); os.chmod("closed", 0)
open("unreadable", "w").write("still read"); os.chmod("unreadable", 0)
open(b"bad\\xff", "w").close()
os.truncate(os.open("sparse1", os.O_CREAT | os.O_RDWR), 30 << 20)
os.truncate(os.open("sparse2", os.O_CREAT | os.O_RDWR), 30 << 20)
os.truncate(os.open("sparse3", os.O_CREAT | os.O_RDWR), 30 << 20)
for name in ("hard1", "hard2"): os.link("plain", name)
path = "."
for _ in range(80): path += "/d"; os.mkdir(path)
"""


def test_reading_back_what_a_hostile_program_left(provider):
    blobs = MemoryBlobs()
    with opened(provider, HOSTILE, blobs=blobs) as sandbox:
        assert run(sandbox).code == 0
        entries = {path.removeprefix("workspace/state/"): entry for path, entry in sandbox.snapshot().entries.items()}
    assert entries["link"] == Entry(kind="symlink", target="/etc/passwd")
    assert entries["root"] == Entry(kind="symlink", target="/")
    assert {name for name, entry in entries.items() if entry.kind == "special"} == {
        "fifo", "socket", "bad\\xff", "sparse3", "d/" * 64 + "d",
    }  # fmt: skip
    assert base64.b64decode(entries["unreadable"].inline) == b"still read"
    assert entries["closed/in"].size == 0
    assert entries["setuid"].executable
    assert {entries[name].sha for name in ("plain", "hard1", "hard2")} == {sha256(b"ok")}
    assert (entries["sparse1"].size, entries["sparse2"].size) == (30 << 20, 30 << 20)


def test_writing_never_follows_a_link_that_the_program_left(provider, tmp_path):
    tmp_path.chmod(0o777)
    for parent in tmp_path.parents[:2]:
        parent.chmod(parent.stat().st_mode | 0o755)
    code = f"import os; os.symlink('{tmp_path}', '{STATE}/way'); os.symlink('{tmp_path}/file', '{STATE}/file')"
    blobs = MemoryBlobs()
    with opened(provider, code, blobs=blobs) as sandbox:
        assert run(sandbox).code == 0
        with pytest.raises(InfrastructureError):
            sandbox.put(tree_of({"way/in": "x"}, blobs), STATE)
        sandbox.put(tree_of({"file": "x"}, blobs), STATE)
        assert sandbox.get(STATE).entries["file"].kind == "file"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "path", ["relative", "/", "/workspace/../etc", "/usr/x", "/proc", "/tmp", "/tmp/x", "/workspace//x", "/opt/python"]
)
def test_places_that_make_no_sense_are_refused(provider, path):
    with pytest.raises(UsageError), opened(provider, kept=(path,)):
        pass
