"""Eight children take memory, each less than one process may."""

import os
import time

from probe import answer, request

ask = request()
parts = []
for _ in range(8):
    reader, writer = os.pipe()
    if os.fork() == 0:
        blocks = []
        while len(blocks) * 4 < ask["each"]:
            blocks.append(b"\1" * (4 << 20))
            time.sleep(0.02)
        os.write(writer, b"%d" % (len(blocks) * 4))
        time.sleep(60)
    os.close(writer)
    parts.append(reader)
answer(ask, mb=sum(int(os.read(part, 99) or b"0") for part in parts))
time.sleep(60)
