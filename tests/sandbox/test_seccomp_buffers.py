"""Sizes of the kernel's buffers cannot be set under the filter, and what honest programs do with buffers works."""

import errno

from tests.sandbox.test_seccomp import HERE, answer, number

BUFFERS = """
import fcntl, socket
pair, tcp, pipe = socket.socketpair(), socket.socket(), os.pipe()
def answer(what, *args):
    try:
        what(*args)
    except OSError as error:
        return error.errno
    return 0
def size(option):
    return pair[0].getsockopt(socket.SOL_SOCKET, option)
before = [size(7), size(8), fcntl.fcntl(pipe[0], 1032)]
print(json.dumps([
    [answer(s.setsockopt, socket.SOL_SOCKET, option, 1 << 17) for s in (pair[0], tcp) for option in (7, 8)],
    answer(tcp.setsockopt, socket.SOL_SOCKET, 18, 1 << 17),
    answer(fcntl.fcntl, pipe[0], 1031, 1 << 17),
    answer(tcp.setsockopt, socket.SOL_SOCKET, socket.SO_REUSEADDR, 1),
    before == [size(7), size(8), fcntl.fcntl(pipe[0], 1032)],
    answer(os.sync), call(%d, -1),
]))
"""


def test_buffers_keep_their_sizes_and_sync_does_nothing() -> None:
    code = BUFFERS % number(HERE, "syncfs")
    eperm = errno.EPERM
    assert answer(code, True) == [[eperm] * 4, eperm, eperm, 0, True, 0, 0]  # not even the descriptor is looked at
    assert answer(code, False) == [[0] * 4, 0, 0, 0, False, 0, errno.EBADF]


HONEST = """
import asyncio, multiprocessing, socket, subprocess
def triple(value):
    return 3 * value
def fill(ends, shared):
    ends.send_bytes(b"x" * 1_000_000)
    shared["child"] = "told"
async def echo(reader, writer):
    writer.write(await reader.readexactly(1_000_000))
    await writer.drain()
    writer.close()
async def streams():
    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(b"y" * 1_000_000)
    back = await reader.readexactly(1_000_000)
    writer.close()
    server.close()
    process = await asyncio.create_subprocess_exec("cat", stdin=-1, stdout=-1)
    out, _ = await process.communicate(b"z" * 1_000_000)
    return len(back), len(out)
def main():
    out = []
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        out.append(sum(pool.map(triple, range(100))))
    with context.Manager() as manager:
        shared = manager.dict()
        ours, theirs = context.Pipe()
        child = context.Process(target=fill, args=(theirs, shared))
        child.start()
        out.append(len(ours.recv_bytes()))
        child.join()
        out.append(shared["child"])
    out.append(asyncio.run(streams()))
    out.append(len(subprocess.run(["cat"], input=b"w" * 1_000_000, capture_output=True, check=True).stdout))
    a, b = socket.socketpair()
    a.sendall(b"v" * 100_000)
    a.close()
    out.append(sum(iter(lambda: len(b.recv(65536)), 0)))
    print(json.dumps(out))
main()
"""


def test_honest_use_of_sockets_and_pipes_works() -> None:
    assert answer(HONEST, True) == [14850, 1_000_000, "told", [1_000_000, 1_000_000], 1_000_000, 100_000]
