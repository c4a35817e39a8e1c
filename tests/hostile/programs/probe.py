"""What the hostile programs share: one request in, one answer out, and the answer to an attempt as one word."""

import ctypes
import errno
import json
import os
import sys

STATE = sys.argv[1] if len(sys.argv) > 1 else "."
LIBC = ctypes.CDLL(None, use_errno=True)


def request():
    return json.loads(sys.stdin.readline())


def answer(ask, **found):
    sys.stdout.write(json.dumps({"id": ask["id"], **found}) + "\n")
    sys.stdout.flush()


def attempt(function, *args):
    """Call it: `ok`, the name of the error number, or the name of the exception."""
    try:
        function(*args)
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)
    except BaseException as error:
        return type(error).__name__
    return "ok"


def libc(name, *args):
    """Call a function of the C library that answers -1 for an error."""
    ctypes.set_errno(0)
    if getattr(LIBC, name)(*args) == -1:
        raise OSError(ctypes.get_errno(), name)


def syscall(number, *args):
    libc("syscall", ctypes.c_long(number), *(ctypes.c_long(a) for a in args))


def read(path, size=4096):
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        return os.read(fd, size)
    finally:
        os.close(fd)


def write(path, data=b"hostile"):
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK, 0o666)
    try:
        os.write(fd, data)
    finally:
        os.close(fd)
