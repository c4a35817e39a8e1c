"""Types into the terminal, if it finds one."""

import fcntl
import os
import termios

from probe import answer, attempt, request


def typed(path):
    fd = os.open(path, os.O_RDWR | os.O_NOCTTY) if isinstance(path, str) else path
    fcntl.ioctl(fd, termios.TIOCSTI, b"#")


ask = request()
found = {str(place): attempt(typed, place) for place in (0, 1, 2, "/dev/tty", "/dev/console", "/dev/tty0", "/dev/tty1")}
found |= {path: attempt(typed, path) for path in ask["terminals"]}
opened = {path: attempt(os.open, path, os.O_RDWR | os.O_NOCTTY) for path in ("/dev/tty", *ask["terminals"])}
answer(ask, found=found, opened=opened, tty=[fd for fd in range(3) if os.isatty(fd)])
