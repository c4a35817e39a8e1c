"""Makes 20,000 files in each place."""

import errno
import os

from probe import STATE, answer, request


def make(folder, bound):
    for number in range(bound):
        try:
            os.close(os.open(f"{folder}/n{number}", os.O_WRONLY | os.O_CREAT))
        except OSError as error:
            return number, errno.errorcode[error.errno]
    return bound, "bound"


ask = request()
found = {folder: make(folder, ask["bound"]) for folder in ask["places"]}
found["state"] = make(STATE, ask["bound"])
answer(ask, found=found)
