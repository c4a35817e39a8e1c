"""Writes a small root file system as a tar archive, of this machine's own programs: what an image is made of from scratch."""

import io
import os
import re
import shutil
import subprocess
import sys
import tarfile

PROGRAMS = (
    *(
        "bash",
        "sh",
        "cat",
        "chmod",
        "chown",
        "cmp",
        "cp",
        "cut",
        "date",
        "env",
        "find",
        "grep",
        "head",
        "id",
        "ln",
        "ls",
    ),
    *("mkdir", "mkfifo", "mv", "nohup", "printf", "readlink", "rm", "rmdir", "sed", "seq", "setsid", "sleep", "sort"),
    *("tail", "tee", "touch", "tr", "true", "uniq", "wc", "xargs"),
)
LINKED = ("bin", "lib", "lib64", "sbin")
FOLDERS = {"etc": 0o755, "root": 0o700, "tmp": 0o1777}
ACCOUNTS = b"root:x:0:0::/root:/bin/bash\napp:x:1000:1000::/app:/bin/bash\n"


def in_usr(path: str) -> str:
    return f"/usr{path}" if path.split("/")[1] in LINKED else path


def files() -> set[str]:
    """The programs, the libraries they load, and what links among these lead to."""
    found: set[str] = set()
    for name in PROGRAMS:
        program = shutil.which(name, path="/usr/bin:/bin")
        if program is None:
            raise SystemExit(f"{name} is not on this machine")
        program = in_usr(program)
        real = os.path.realpath(program)
        listed = subprocess.run(["ldd", real], capture_output=True, text=True, check=False).stdout
        libraries = {in_usr(path) for path in re.findall(r"/\S+", listed)}
        found |= {program, real, *libraries, *map(os.path.realpath, libraries)}
    return found


def main(target: str) -> None:
    with tarfile.open(target, "w") as archive:
        for name in LINKED:
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, f"usr/{name}"
            archive.addfile(link)
        for name, mode in FOLDERS.items():
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode = tarfile.DIRTYPE, mode
            archive.addfile(folder)
        for path in sorted(files()):
            archive.add(path, arcname=path.lstrip("/"))
        accounts = tarfile.TarInfo("etc/passwd")
        accounts.size = len(ACCOUNTS)
        archive.addfile(accounts, io.BytesIO(ACCOUNTS))


if __name__ == "__main__":
    main(sys.argv[1])
