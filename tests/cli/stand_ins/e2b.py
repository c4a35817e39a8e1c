"""A stand-in for the package `e2b`: a folder for a sandbox, a shell for its commands. It speaks to no cloud.

`E2B_STAND_IN` names a folder: `script` there holds one line for each sandbox: what goes wrong with it.
"""

import json
import os
import subprocess
from pathlib import Path

HOME = "/home/user/work"


class SandboxException(Exception):  # noqa: N818 - the name there
    pass


class AuthenticationException(Exception):  # noqa: N818
    pass


class Files:
    def __init__(self, folder, trouble):
        self._folder = folder
        self._trouble = trouble

    def _path(self, path):
        assert path.startswith(HOME + "/")
        return self._folder / path.removeprefix(HOME + "/")

    def write(self, path, data):
        if self._trouble == "full":
            raise SandboxException("no space")
        self._path(path).write_bytes(data)

    def exists(self, path):
        if self._trouble == "lost":
            raise SandboxException("the sandbox is not there")
        return self._path(path).exists()

    def read(self, path, format):  # noqa: A002
        assert format == "bytes"
        return bytearray(self._path(path).read_bytes())


class Commands:
    def __init__(self, folder):
        self._folder = folder

    def run(self, cmd, *, cwd, timeout):
        assert (cwd, timeout) == (HOME, 60)
        subprocess.run(["sh", "-c", cmd], cwd=self._folder, check=True)


class Sandbox:
    def __init__(self, folder, trouble):
        self.files = Files(folder, trouble)
        self.commands = Commands(folder)

    @classmethod
    def create(cls, *, template, timeout, allow_internet_access, metadata):
        state = Path(os.environ["E2B_STAND_IN"])
        with (state / "created.jsonl").open("a") as made:
            made.write(json.dumps([template, timeout, allow_internet_access, metadata]) + "\n")
        number = len((state / "created.jsonl").read_text().splitlines())
        script = (state / "script").read_text().split() if (state / "script").exists() else []
        trouble = script[number - 1] if number <= len(script) else ""
        if trouble == "key":
            raise AuthenticationException("wrong key")
        if trouble == "busy":
            raise SandboxException("too many sandboxes")
        folder = state / f"sandbox{number}"
        folder.mkdir()
        return cls(folder, trouble)

    def kill(self):
        with (Path(os.environ["E2B_STAND_IN"]) / "killed").open("a") as killed:
            killed.write("x")
