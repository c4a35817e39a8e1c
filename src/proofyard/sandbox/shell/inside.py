"""The part that runs inside the sandbox: a bash that stays, asked by JSON lines. Standard library only; run as `python -c`.

A question is `{"run": COMMAND, "wall_ms": N, "most": BYTES}`, the answer `{"out": TEXT, "elided": BYTES, "code": N or null,
"timed_out": BOOL, "restarted": BOOL}`. The shell is an interactive one without a terminal: what reaches it as an interrupt ends
the whole command, as Ctrl-C does, while jobs in the background and the shell's own state stay.
"""

import contextlib
import json
import os
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

GRACE_S = 3.0
"""How long a command may take to end once it is interrupted, and again once it is killed."""
CHUNK = 65_536
ARGV = ["bash", "--noprofile", "--norc", "--noediting", "-i"]
NOISE = re.compile(rb"^bash: \[\d+: \d+ \(\d+\)\] tcsetattr: [^\n]*\n", re.MULTILINE)
"""What an interactive bash without a terminal says of that."""
SETTINGS = "PS1= PS2= PROMPT_COMMAND=; set +H +o history; unset HISTFILE MAILCHECK\n"


class Output:
    """The beginning and the end of what is written, and how much was left out between them."""

    def __init__(self, most: int) -> None:
        self.half = max(1, most // 2)
        self.head = b""
        self.tail = b""
        self.total = 0

    def add(self, data: bytes) -> None:
        """Take what was read."""
        self.total += len(data)
        room = self.half - len(self.head)
        self.head += data[:room]
        self.tail = (self.tail + data[room:])[-self.half :] if len(data) > room else self.tail

    @property
    def elided(self) -> int:
        """Bytes left out."""
        return self.total - len(self.head) - len(self.tail)

    def text(self) -> str:
        """What is kept, the gap marked."""
        gap = f"\n[... {self.elided} bytes left out ...]\n".encode() if self.elided else b""
        return NOISE.sub(b"", self.head + gap + self.tail).decode("utf-8", "replace")


class Shell:
    """One bash after the other: a command that takes it down finds a new one, in the folder where it was."""

    def __init__(self) -> None:
        self.cwd = str(Path.cwd())
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start a bash in the folder of the last command."""
        self.out, out = os.pipe()
        self.control, control = os.pipe()
        where = self.cwd if Path(self.cwd).is_dir() else "/"
        self.process = subprocess.Popen(
            ARGV, stdin=subprocess.PIPE, stdout=out, stderr=out, pass_fds=(control,), cwd=where, start_new_session=True
        )
        os.close(out)
        os.close(control)
        for fd in (self.out, self.control):
            os.set_blocking(fd, False)
        self.told = control
        self.write(SETTINGS)
        self.ask("true", 10.0, Output(CHUNK))

    def run(self, command: str, wall_s: float, most: int) -> dict[str, object]:
        """Run one command to its end, or for so long."""
        output = Output(most)
        before = set(self.below())
        timed_out = restarted = False
        ended = self.ask(command, wall_s, output)
        if ended is None:
            timed_out = self.alive()
            ended = self.stop(before, output) if timed_out else None
        if ended is None:
            restarted = True
            code = None if timed_out else self.process.wait() if self.process else None
            self.end()
            self.drain(output)
            self.start()
            ended = code
        return {
            "out": output.text(),
            "elided": output.elided,
            "code": None if timed_out else ended,
            "timed_out": timed_out,
            "restarted": restarted,
        }

    def ask(self, command: str, wall_s: float, output: Output) -> int | None:
        """Have a command run; its exit code, None if its time is over or the shell is gone."""
        own = f"{self.told}>&-"
        self.write(f"eval {shlex.quote(command)} </dev/null {own}\n")
        self.write(f'printf "%s %s\\n" "$?" "$PWD" >&{self.told}\n')
        return self.wait(wall_s, output)

    def wait(self, wall_s: float, output: Output) -> int | None:
        """Collect output until the shell tells that the command has ended."""
        deadline = time.monotonic() + wall_s
        said = b""
        while True:
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self.out, self.control], [], [], max(0.0, min(left, 0.2)))
            if self.out in ready:
                self.read(output)
            if self.control in ready:
                said += self.some(self.control)
                if said.endswith(b"\n"):
                    self.drain(output)
                    code, _, cwd = (
                        said.decode("utf-8", "surrogateescape").strip("\n").rpartition("\n")[2].partition(" ")
                    )
                    self.cwd = cwd
                    return int(code)
            if not self.alive() or left <= 0:
                return None

    def stop(self, before: set[int], output: Output) -> int | None:
        """Interrupt what runs, then kill it; whether the shell itself stayed shows in the code."""
        seen = self.of_command(before)
        if self.process and seen:
            # Before what it waits for: else it could go on with the next command before it hears of the interrupt.
            self.signal(self.process.pid, signal.SIGINT)
            for pid in seen:
                self.signal(pid, signal.SIGINT)
        elif self.process:
            # Nothing to be seen: it is the shell itself, or processes are hidden.
            os.killpg(self.process.pid, signal.SIGINT)
        ended = self.wait(GRACE_S, output)
        if ended is None and self.alive():
            for pid in self.of_command(before):
                self.signal(pid, signal.SIGKILL)
            ended = self.wait(GRACE_S, output)
        return ended

    def of_command(self, before: set[int]) -> set[int]:
        """The processes that a command began: not those of earlier ones, nor what these have begun since."""
        parents = self.below()
        found: set[int] = set()
        for pid in parents:
            one = pid
            while one in parents and one not in before:
                one = parents[one]
            if one not in before:
                found.add(pid)
        return found

    def end(self) -> None:
        """Kill the shell and what is in its session."""
        if self.process is None:
            return
        for pid in {*self.below(), self.process.pid}:
            self.signal(pid, signal.SIGKILL)
        self.process.wait()
        for fd in (self.out, self.control):
            os.close(fd)
        if self.process.stdin:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
        self.out = self.control = -1

    def below(self) -> dict[int, int]:
        """The processes of the shell's session, but for the shell, each with its parent."""
        found: dict[int, int] = {}
        leader = self.process.pid if self.process else 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            pid = int(stat.parent.name)
            if int(fields[3]) == leader and pid != leader:
                found[pid] = int(fields[1])
        return found

    def signal(self, pid: int, number: int) -> None:
        """Signal one process, if it is still there."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)

    def alive(self) -> bool:
        """Whether the shell is there."""
        return self.process is not None and self.process.poll() is None

    def write(self, text: str) -> None:
        """Give the shell words; one that is gone is found out later."""
        try:
            if self.process and self.process.stdin:
                self.process.stdin.write(text.encode("utf-8", "surrogateescape"))
                self.process.stdin.flush()
        except OSError:
            return

    def drain(self, output: Output) -> None:
        """Read what is there by now."""
        while self.out >= 0 and select.select([self.out], [], [], 0)[0]:
            if not self.read(output):
                return

    def read(self, output: Output) -> bool:
        """Read once; whether there was anything."""
        data = self.some(self.out)
        output.add(data)
        return bool(data)

    def some(self, fd: int) -> bytes:
        """Read what a pipe holds."""
        try:
            return os.read(fd, CHUNK)
        except OSError:
            return b""


def main() -> None:
    """Answer questions until there are no more."""
    shell = Shell()
    for line in sys.stdin:
        asked = json.loads(line)
        answer = shell.run(asked["run"], asked["wall_ms"] / 1000, asked["most"])
        print(json.dumps(answer), flush=True)
    shell.end()


if __name__ == "__main__":
    main()
