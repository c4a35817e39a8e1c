"""Takes memory, block by block, until there is none."""

from probe import answer, request

ask = request()
blocks, reason = [], "bound"
while len(blocks) * 16 < ask["bound"]:
    try:
        blocks.append(bytes(16 << 20))
    except MemoryError:
        reason = "MemoryError"
        break
answer(ask, mb=len(blocks) * 16, reason=reason)
