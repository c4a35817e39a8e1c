"""The same programs without a sandbox: positive controls. They run bounded, as an unprivileged uid where we are root."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.hostile.drive import PROGRAMS

UID = 64_233
"""An uid that nobody has; used only when we are root."""


def interpreter() -> str:
    """An interpreter that the unprivileged uid can reach."""
    return "/usr/bin/python3" if os.getuid() == 0 and Path("/usr/bin/python3").exists() else sys.executable


@contextmanager
def started(
    program: str, folder: Path, *, env: Mapping[str, str] | None = None, wrapped: bool = False
) -> Iterator[subprocess.Popen[bytes]]:
    """Run one program in a session of its own; whatever is left of the session is killed at the end."""
    place = folder / "programs"
    if not place.exists():
        shutil.copytree(PROGRAMS, place, ignore=shutil.ignore_patterns("__pycache__"))
        state = folder / "state"
        state.mkdir()
        state.chmod(0o777)
        folder.chmod(0o755)
    argv = [interpreter(), "-B", str(place / program), str(folder / "state")]
    if wrapped:
        argv = [interpreter(), "-c", "import subprocess, sys; subprocess.run(sys.argv[1:])", *argv]
    user = UID if os.getuid() == 0 else None
    process = subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder / "state",
        env={"PATH": "/usr/bin:/bin", **(env or {})},
        user=user,
        group=user,
        extra_groups=[] if user else None,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()


def asked(process: subprocess.Popen[bytes], request: Mapping[str, Any]) -> bytes:
    """Send one request and read one line."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(json.dumps(request).encode() + b"\n")
    process.stdin.flush()
    return process.stdout.readline()


def answers(program: str, folder: Path, request: Mapping[str, Any], **options: Any) -> Any:
    """The answer of one program to one request."""
    with started(program, folder, **options) as process:
        line = asked(process, {"id": "r", **request})
        if not line:
            assert process.stderr
            raise AssertionError(process.stderr.read().decode())
        return json.loads(line)


def raw(program: str, folder: Path, size: int = -1) -> bytes:
    """What one program prints after one request, at most `size` bytes."""
    with started(program, folder) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b'{"id": "r"}\n')
        process.stdin.flush()
        return process.stdout.read(size)
