"""A stand-in for docker: takes the calls that proofyard makes, writes each down, and runs a container's command in bubblewrap.

It knows one image, `here:1`, whose python3 is this machine's. `gone:1` can be fetched; others cannot. It is no test of docker.
"""

import contextlib
import json
import os
import signal
import sys
import time
from pathlib import Path

STATE = Path(os.environ["STAND_IN"])
VALUED = {
    *("--name", "--pull", "--network", "--label", "--user", "--workdir", "--hostname", "--cap-drop", "--security-opt"),
    *("--log-driver", "--memory", "--memory-swap", "--pids-limit", "--ulimit", "--shm-size", "--tmpfs", "--volume"),
    "--entrypoint",
}


def options_of(words):
    found, rest = {}, list(words)
    while rest and rest[0].startswith("-"):
        name = rest.pop(0)
        found.setdefault(name, []).append(rest.pop(0) if name in VALUED else "")
    return found, rest


def run(words):
    options, rest = options_of(words)
    (name,), (python,) = options["--name"], options["--entrypoint"]
    assert (python, rest[0]) == ("python3", "here:1")
    if (STATE / "broken").exists():
        print("the daemon is out of order", file=sys.stderr)
        sys.exit(125)
    argv = [
        "bwrap",
        "--unshare-all",
        "--die-with-parent",
        "--as-pid-1",
        "--uid",
        "65534",
        "--gid",
        "65534",
        "--clearenv",
    ]
    for top in sorted(Path("/").iterdir()):
        if top.is_symlink():
            argv += ["--symlink", str(top.readlink()), str(top)]
        elif top.name not in {"tmp", "workspace", "proc", "dev", "sys", "opt"}:
            argv += ["--ro-bind", str(top), str(top)]
    argv += ["--proc", "/proc", "--dev", "/dev"]
    for place in options["--tmpfs"]:
        argv += ["--tmpfs", place.partition(":")[0]]
    for volume in options.get("--volume", []):
        source, inside, mode = volume.split(":")
        assert mode == "ro"
        argv += ["--ro-bind", source, inside]
    while (STATE / "slow").exists() and '["rm"' not in (STATE / "calls.jsonl").read_text():
        time.sleep(0.01)
    (STATE / name).write_text(str(os.getpid()))
    os.execvp("bwrap", [*argv, "--", os.path.realpath(sys._base_executable), *rest[1:]])


def rm(words):
    place = STATE / words[-1]
    if (STATE / "undying").exists():
        return
    if place.exists():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(place.read_text()), signal.SIGKILL)
        place.unlink()


def main():
    verb, *words = sys.argv[1:]
    with (STATE / "calls.jsonl").open("a") as calls:
        calls.write(json.dumps(sys.argv[1:]) + "\n")
    if verb == "version":
        print("99.1")
    elif verb == "image":
        if words[-1] != "here:1" and not (STATE / f"pulled {words[-1]}").exists():
            sys.exit(1)
        print("sha256:5e1f")
    elif verb == "pull":
        if words[-1] != "gone:1":
            print("no such image", file=sys.stderr)
            sys.exit(1)
        (STATE / f"pulled {words[-1]}").touch()
    elif verb == "run":
        run(words)
    elif verb == "rm":
        rm(words)
    elif verb == "ps":
        name = words[-1].removeprefix("name=^/?").removesuffix("$")
        print("0123" if (STATE / name).exists() else "")
    elif verb == "inspect":
        print("true" if (STATE / "hungry").exists() else "false")
    else:
        sys.exit(64)


main()
