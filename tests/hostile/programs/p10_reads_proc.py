# ruff: noqa: PTH123, PTH208
"""Reads what /proc tells of the other processes and looks for a secret there (which comes written backwards)."""

import os

from probe import answer, request


def memory(pid):
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", buffering=0) as file:
        for line in maps:
            span, rights = line.split()[:2]
            start, end = (int(part, 16) for part in span.split("-"))
            if rights.startswith("rw"):
                try:
                    file.seek(start)
                    yield file.read(min(end - start, 8 << 20)) or b""
                except (OSError, ValueError, OverflowError):
                    continue


def whole(path):
    with open(path, "rb", buffering=0) as file:
        yield file.read(1 << 20)


def holds(chunks, backwards):
    """Whether a chunk holds the secret; compared backwards so that it is in no memory of ours."""
    try:
        return any(backwards in chunk[::-1] for chunk in chunks)
    except OSError as error:
        return type(error).__name__


ask = request()
backwards = ask["secret"].encode()
own = os.getpid()
pids = {1, os.getppid()}
try:
    pids |= {int(name) for name in os.listdir("/proc") if name.isdigit()}
except OSError:
    pids |= set()
hits = []
readable = 0
for pid in sorted(pids - {own}):
    for name in ("environ", "cmdline", "maps", "cgroup", "mountinfo"):
        answered = holds(whole(f"/proc/{pid}/{name}"), backwards)
        readable += answered is False or answered is True
        if answered is True:
            hits.append(f"{pid}/{name}")
    if ask["memory"] and holds(memory(pid), backwards) is True:
        hits.append(f"{pid}/mem")
answer(ask, hits=hits, readable=readable, pids=len(pids))
