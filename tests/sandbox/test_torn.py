"""Kills in the middle of a write: the first half of its bytes is there, where the program would have stored them."""

import errno
import os
import threading

import pytest

from proofyard.core import MemoryBlobs, Reply, file_bytes
from proofyard.sandbox.runner import kernel
from tests.sandbox.boxes import STATE, opened

OLD = b"0123456789"
HEAD = f"""
import ctypes, mmap, os, resource, signal, sys, threading
path = "{STATE}/value"
def flagged(flags):
    return os.open(path, os.O_RDWR | flags)
def vector(fd, offset, flags):
    libc = ctypes.CDLL(None, use_errno=True)
    held = ctypes.create_string_buffer(b"abcdefg", 7)
    piece = (ctypes.c_size_t * 2)(ctypes.addressof(held), 7)
    libc.pwritev2(fd, piece, 1, ctypes.c_long(offset), flags)
open(path, "w").write("{OLD.decode()}")
print("up", flush=True)
sys.stdin.readline()
"""
TAIL = "\nprint('done', flush=True)\nsys.stdin.readline()\n"


def stored(sandbox, name="value", blobs=None):
    """What the file holds, None if it is not there."""
    entry = sandbox.snapshot().entries.get(f"{STATE[1:]}/{name}")
    return None if entry is None else file_bytes(entry, blobs or MemoryBlobs())


def torn_at(provider, code, at=1, **options):
    """What the file holds after a torn kill at a call of a program that finds OLD in it."""
    blobs = MemoryBlobs()
    with opened(provider, HEAD + code + TAIL, armed=True, blobs=blobs, **options) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.receive(5000).line == b"up"
        assert process.exchange(b"q", 20_000, at, torn=True) == Reply(killed=True, calls=at)
        return stored(sandbox, blobs=blobs)


WRITES = {
    "write": ("os.write(flagged(0), b'abcdefg')", b"abc3456789"),
    "write at the position": ("fd = flagged(0); os.lseek(fd, 4, 0); os.write(fd, b'abcdefg')", b"0123abc789"),
    "write that appends": ("os.write(flagged(os.O_APPEND), b'abcdefg')", b"0123456789abc"),
    "write past the end": ("fd = flagged(0); os.lseek(fd, 12, 0); os.write(fd, b'abcdefg')", b"0123456789\0\0abc"),
    "pwrite": ("os.pwrite(flagged(0), b'abcdefg', 4)", b"0123abc789"),
    "pwrite that appends": ("os.pwrite(flagged(os.O_APPEND), b'abcdefg', 4)", b"0123456789abc"),
    "pwrite before the file": (
        "ctypes.CDLL(None).pwrite(flagged(0), b'abcdefg', ctypes.c_size_t(7), ctypes.c_long(-1))",
        OLD,
    ),
    "writev": ("os.writev(flagged(0), [b'ab', b'', b'cd', b'efg'])", b"abc3456789"),
    "writev that appends": ("os.writev(flagged(os.O_APPEND), [b'ab', b'cdefg'])", b"0123456789abc"),
    "pwritev": ("os.pwritev(flagged(0), [b'ab', b'cdefg'], 4)", b"0123abc789"),
    "pwritev2": ("vector(flagged(0), 4, 0)", b"0123abc789"),
    "pwritev2 at the position": ("fd = flagged(0); os.lseek(fd, 2, 0); vector(fd, -1, 0)", b"01abc56789"),
    "pwritev2 that appends": ("vector(flagged(0), 4, os.RWF_APPEND)", b"0123456789abc"),
    "pwritev2 before the file": ("vector(flagged(0), -2, 0)", OLD),
    "duplicate": ("os.write(os.dup(flagged(0)), b'abcdefg')", b"abc3456789"),
    "thread": (
        "t = threading.Thread(target=os.write, args=(flagged(0), b'abcdefg')); t.start(); t.join()",
        b"abc3456789",
    ),
    "child": ("if os.fork() == 0: os.write(flagged(0), b'abcdefg')\nos.wait()", b"abc3456789"),
    "hidden": ("fd = flagged(0); ctypes.CDLL(None).prctl(4, 0, 0, 0, 0); os.write(fd, b'abcdefg')", b"abc3456789"),
    "for reading": ("os.write(os.open(path, os.O_RDONLY), b'abcdefg')", OLD),
    "two bytes": ("os.write(flagged(0), b'ab')", b"a123456789"),
    "one byte": ("os.write(flagged(0), b'a')", OLD),
    "nothing": ("os.write(flagged(0), b'')", OLD),
    "bad address": ("ctypes.CDLL(None).write(flagged(0), ctypes.c_void_p(8), ctypes.c_size_t(100))", OLD),
    "bad length": ("ctypes.CDLL(None).write(flagged(0), b'abcdefg', ctypes.c_size_t(1 << 63))", OLD),
}


@pytest.mark.parametrize("way", WRITES)
def test_half_of_a_write_is_stored(provider, way):
    code, found = WRITES[way]
    assert torn_at(provider, code) == found


def test_the_first_half_of_a_long_write_is_stored(provider):
    code = "os.write(flagged(0), bytes(range(256)) * 4096)"
    assert torn_at(provider, code) == bytes(range(256)) * 2048


def test_a_write_that_memory_does_not_hold_is_stored_as_far_as_it_does(provider):
    """As the kernel does; the vector after the hole is not reached."""
    code = """
libc = ctypes.CDLL(None)
held = ctypes.create_string_buffer(b"ab", 2)
libc.writev(flagged(0), (ctypes.c_size_t * 6)(ctypes.addressof(held), 2, 8, 50, ctypes.addressof(held), 2), 3)
"""
    assert torn_at(provider, code) == b"ab23456789"


@pytest.mark.parametrize("limit", ["limits", "its own"])
def test_no_file_grows_beyond_its_limit(provider, limit):
    code = "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    code += "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 4000))\n" if limit == "its own" else ""
    code += "os.write(flagged(os.O_APPEND), b'x' * 1000_000)"
    size = 1000 if limit == "its own" else 4000
    assert torn_at(provider, code, limits={"file_size": 4000}) == OLD + b"x" * (size - len(OLD))


def test_what_the_quota_does_not_hold_is_not_stored(provider):
    code = "os.writev(flagged(0), [bytes(1 << 20)] * 1000)"
    with opened(provider, HEAD + code + TAIL, armed=True, limits={"disk": 1 << 20}) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.receive(5000).line == b"up"
        assert process.exchange(b"q", 20_000, 1, torn=True) == Reply(killed=True, calls=1)
        assert 1 << 19 < sandbox.usage().written <= 2 << 20
        assert sandbox.start(["/bin/true"]).finish(5000).code == 0


def test_files_that_are_no_storage_are_left_alone(provider):
    """The runner writes with rights of its own: not to what stands for the program's process."""
    code = """
memory = os.open("/proc/self/mem", os.O_RDWR)
mapped = mmap.mmap(flagged(0), 10)
os.pwrite(memory, b"abcdefg", ctypes.addressof(ctypes.c_char.from_buffer(mapped)))
os.fsync(0)
"""
    assert torn_at(provider, code) == OLD
    assert torn_at(provider, code, 2) == b"abcdefg789"


def test_a_full_pipe_that_is_hidden_does_not_hold_the_runner_up(provider):
    code = """
pipe = path + ".pipe"
os.mkfifo(pipe)
fd = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
try:
    while True: os.write(fd, bytes(4096))
except BlockingIOError: os.set_blocking(fd, True)
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
os.write(fd, bytes(4096))
"""
    assert torn_at(provider, code, 2) == OLD


REPLACE = f"""
import os, sys
def store(text):
    fd = os.open("{STATE}/new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(fd, text.encode())
    os.fsync(fd)
    os.close(fd)
    os.rename("{STATE}/new", "{STATE}/value")
    folder = os.open("{STATE}", os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)
for line in sys.stdin:
    store(line)
    print("ok", flush=True)
"""
OVERWRITE = f"""
import os, sys
fd = os.open("{STATE}/value", os.O_WRONLY | os.O_CREAT)
for line in sys.stdin:
    os.pwrite(fd, line.encode(), 0)
    os.fsync(fd)
    print("ok", flush=True)
"""
LOG = f"""
import os, sys
fd = os.open("{STATE}/value", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
for line in sys.stdin:
    os.write(fd, line.encode())
    print("ok", flush=True)
"""


@pytest.mark.parametrize("at", [1, 2, 3, 4, 5, 6])
def test_replace_by_rename_outlives_torn_writes(provider, at):
    with opened(provider, REPLACE, armed=True) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"old", 5000) == Reply(line=b"ok", calls=5)
        reply = process.exchange(b"new", 5000, at, torn=True)
        assert reply == (Reply(line=b"ok", calls=5) if at == 6 else Reply(killed=True, calls=at))
        assert stored(sandbox) == (b"old\n" if at < 5 else b"new\n")
        assert stored(sandbox, "new") == {2: b"ne", 3: b"new\n", 4: b"new\n"}.get(at)


@pytest.mark.parametrize(
    ("code", "at", "torn", "found"),
    [
        (OVERWRITE, 1, False, b"old one\n"),
        (OVERWRITE, 1, True, b"new one\n"[:4] + b"old one\n"[4:]),
        (OVERWRITE, 2, True, b"new one\n"),
        (LOG, 1, False, b"old one\n"),
        (LOG, 1, True, b"old one\nnew "),
        (LOG, "response", True, b"old one\nnew one\n"),
    ],
)
def test_programs_that_one_write_undoes(provider, code, at, torn, found):
    with opened(provider, code, armed=True) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"old one", 5000).line == b"ok"
        assert process.exchange(b"new one", 5000, at, torn=torn).killed
        assert stored(sandbox) == found


def test_the_next_request_is_not_torn(provider):
    with opened(provider, LOG, armed=True) as sandbox:
        process = sandbox.start(["python", "main.py"])
        assert process.exchange(b"", 5000).line == b"ok"
        assert process.exchange(b"a", 5000, 2, torn=True) == Reply(line=b"ok", calls=1)
        assert process.exchange(b"b", 5000, 1) == Reply(killed=True, calls=1)
        assert stored(sandbox) == b"\na\n"


@pytest.mark.parametrize("flag", [kernel.PIDFD_THREAD, 1 << 20])
def test_a_descriptor_is_that_of_the_thread(monkeypatch, tmp_path, flag):
    """Also where the kernel has no descriptors of threads (it refuses the flag as it does one that no kernel has)."""
    monkeypatch.setattr(kernel, "PIDFD_THREAD", flag)
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    with (tmp_path / "file").open("wb", buffering=0) as file:
        fd = kernel.take_descriptor(thread.native_id, file.fileno())
        os.write(fd, b"abc")
        assert file.tell() == 3
        os.close(fd)
    with pytest.raises(OSError, match="pidfd_getfd") as caught:
        kernel.take_descriptor(thread.native_id, 1 << 20)
    assert caught.value.errno == errno.EBADF
    over.set()
    thread.join()
