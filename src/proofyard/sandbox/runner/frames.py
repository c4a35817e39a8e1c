"""Frames on the control socket: two little-endian 32-bit lengths, a JSON header, a raw payload. Both ends use this."""

import array
import io
import json
import socket
import struct
from typing import Any

__all__ = ["FrameReader", "FramesClosedError", "pack", "receive_descriptors"]

LENGTHS = struct.Struct("<II")
CHUNK = 1 << 16
BLOCK = 1 << 18
_encode = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_decode = json.JSONDecoder().decode


class FramesClosedError(Exception):
    """The other end is gone."""


def pack(header: dict[str, Any], payload: bytes = b"") -> bytes:
    """Return the bytes of one frame."""
    head = _encode(header).encode()
    return b"%b%b%b" % (LENGTHS.pack(len(head), len(payload)), head, payload)


class FrameReader:
    """Reads frames from a blocking socket; a small frame costs one `recv`."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._buffer = bytearray()

    @property
    def pending(self) -> bool:
        """Whether bytes of a further frame were already read."""
        return bool(self._buffer)

    def read(self) -> tuple[dict[str, Any], bytes]:
        """Return header and payload of the next frame.

        Raises:
            FramesClosedError: end of stream.
            OSError: the socket failed or timed out.

        """
        buffer = self._buffer
        self._need(LENGTHS.size)
        head, body = LENGTHS.unpack_from(buffer)
        start = LENGTHS.size + head
        self._need(start)
        header = _decode(buffer[LENGTHS.size : start].decode())
        del buffer[:start]
        return header, self._payload(body) if body else b""

    def read_with_descriptors(self, count: int) -> tuple[dict[str, Any], list[int]]:
        """Read a frame that carries descriptors; return its header and them (none, if it is an error)."""
        data, fds = receive_descriptors(self._sock, CHUNK, count)
        if not data:
            raise FramesClosedError
        self._buffer += data
        header, _ = self.read()
        return header, fds

    def _payload(self, size: int) -> bytes:
        """Take the next bytes. Many of them grow in one place: files of a sandbox are large, the controller stays small."""
        if size <= CHUNK:
            self._need(size)
            payload = bytes(self._buffer[:size])
            del self._buffer[:size]
            return payload
        whole = io.BytesIO()
        whole.write(self._buffer[:size])
        del self._buffer[:size]
        while left := size - whole.tell():
            data = self._sock.recv(min(BLOCK, left))
            if not data:
                raise FramesClosedError
            whole.write(data)
        return whole.getvalue()

    def _need(self, size: int) -> None:
        while len(self._buffer) < size:
            data = self._sock.recv(max(CHUNK, size - len(self._buffer)))
            if not data:
                raise FramesClosedError
            self._buffer += data


def receive_descriptors(sock: socket.socket, size: int, most: int) -> tuple[bytes, list[int]]:
    """Receive up to `size` bytes and `most` descriptors, which no program that is started inherits.

    `socket.recv_fds` takes flags and does not use them.
    """
    found = array.array("i")
    data, ancillary, _, _ = sock.recvmsg(size, socket.CMSG_SPACE(most * found.itemsize), socket.MSG_CMSG_CLOEXEC)
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            found.frombytes(content[: len(content) - len(content) % found.itemsize])
    return data, list(found)
