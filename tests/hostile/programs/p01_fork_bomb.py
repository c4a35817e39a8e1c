"""Forks as often as it can; the children do the same."""

import errno
import os
import time

from probe import answer, request

ask = request()
made, reason = 0, "bound"
while made < ask["bound"]:
    try:
        pid = os.fork()
    except OSError as error:
        reason = errno.errorcode[error.errno]
        break
    while pid == 0:
        if not ask["gentle"]:
            try:
                os.fork()
            except OSError:
                time.sleep(0.02)
        else:
            time.sleep(0.5)
    made += 1
answer(ask, made=made, reason=reason)
time.sleep(60)
