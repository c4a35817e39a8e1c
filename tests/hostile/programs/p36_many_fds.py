"""Opens files for ever."""

import errno
import os

from probe import answer, request

ask = request()
opened, reason = 0, "bound"
while opened < ask["bound"]:
    try:
        os.dup(0)
    except OSError as error:
        reason = errno.errorcode[error.errno]
        break
    opened += 1
os.closerange(3, opened + 9)
answer(ask, opened=opened, reason=reason)
