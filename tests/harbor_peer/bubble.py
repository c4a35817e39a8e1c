"""An environment for the `harbor` package: commands in bubblewrap, files in a folder of its own. Runs in Harbor's Python.

The image is laid out beforehand (`image.py`); its description is named by the environment variable PEER_IMAGE.
"""

import asyncio
import contextlib
import json
import os
import shutil
import tempfile
from pathlib import Path

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities

SYSTEM = [
    *("--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/usr", "/usr", "--proc", "/proc"),
    *("--dev", "/dev", "--tmpfs", "/tmp", "--ro-bind-try", "/etc/alternatives", "/etc/alternatives", "--clearenv"),
]
LINKS = [
    word
    for name in ("bin", "sbin", "lib", "lib32", "lib64")
    if (path := Path("/", name)).is_symlink()
    for word in ("--symlink", str(path.readlink()), f"/{name}")
]
BEFORE = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "TZ": "UTC"}


class Bubble(BaseEnvironment):
    """A folder in which an image lies, and what is at work in it."""

    @staticmethod
    def type() -> str:
        return "bubble"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(disable_internet=True)

    def _validate_definition(self) -> None:
        self._image = json.loads(Path(os.environ["PEER_IMAGE"]).read_text())

    async def start(self, force_build: bool) -> None:
        self._home = Path(tempfile.mkdtemp(prefix="bubble-"))
        shutil.copytree(self._image["root"], self._home, symlinks=True, dirs_exist_ok=True)
        for name in ("root", "logs/agent", "logs/verifier", "logs/artifacts", "tests", "solution"):
            (self._home / name).mkdir(parents=True, exist_ok=True)
        packages = self._image["packages"]
        folders = sorted(self._home.iterdir())
        binds = [word for path in folders for word in ("--bind", str(path), f"/{path.name}")]
        more = {"PYTHONPATH": "/opt/packages"} if packages else {}
        binds += ["--ro-bind", packages, "/opt/packages"] if packages else []
        self._options = [*SYSTEM, *LINKS, *binds]
        self._variables = {**BEFORE, **more, **self._image["environment"]}

    async def stop(self, delete: bool) -> None:
        shutil.rmtree(self._home, ignore_errors=True)

    def _inside(self, path: str) -> Path:
        return self._home / str(path).lstrip("/")

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        self._inside(target_path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source_path, self._inside(target_path))

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        shutil.copytree(source_dir, self._inside(target_dir), symlinks=True, dirs_exist_ok=True)

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        Path(target_path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(self._inside(source_path), target_path)

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        shutil.copytree(self._inside(source_dir), target_dir, symlinks=True, dirs_exist_ok=True)

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        variables = {**self._variables, **(self._merge_env(env) or {})}
        words = [word for name, value in variables.items() for word in ("--setenv", name, value)]
        argv = [*self._options, *words, "--chdir", cwd or self._image["workdir"], "--", "bash", "-c", command]
        pipe = asyncio.subprocess.PIPE
        null = asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec("bwrap", *argv, stdin=null, stdout=pipe, stderr=pipe)
        try:
            out, err = await asyncio.wait_for(process.communicate(), timeout_sec)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            out, err = await process.communicate()
            return ExecResult(stdout=out.decode(), stderr=err.decode(), return_code=124)
        return ExecResult(stdout=out.decode(), stderr=err.decode(), return_code=process.returncode or 0)
