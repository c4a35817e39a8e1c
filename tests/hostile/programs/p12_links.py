# ruff: noqa: PTH123
"""Makes links, devices and setuid files in its state."""

import os
import stat

from probe import STATE, answer, attempt, request

ask = request()
os.chdir(STATE)
found = {
    "symlink": attempt(os.symlink, ask["target"], "link"),
    "symlink to a folder": attempt(os.symlink, "/etc", "folder"),
    "symlink up": attempt(os.symlink, "../../../../../../../../etc/passwd", "up"),
    "hard link": attempt(os.link, ask["target"], "hard"),
    "hard link across": attempt(os.link, "/usr/bin/env", "across"),
    "device": attempt(os.mknod, "device", stat.S_IFCHR | 0o666, os.makedev(1, 5)),
    "block": attempt(os.mknod, "block", stat.S_IFBLK | 0o666, os.makedev(8, 0)),
}
with open("setuid", "wb") as file:
    file.write(b"#!/bin/sh\n")
found["setuid"] = attempt(os.chmod, "setuid", 0o6777)
answer(ask, found=found)
