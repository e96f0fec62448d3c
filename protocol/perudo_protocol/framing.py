"""Frames of a 4-byte big-endian length and that many bytes: bytes in, frames out, no I/O.

The length is judged before anything is kept: a frame over the limit, or of no bytes, costs no
memory. The first bytes tell a visitor who speaks HTTP or TLS from one who speaks to us.
"""

from __future__ import annotations

from .errors import BadFrame, ForeignProtocol, FrameTooLarge

HEADER = 4
"""Bytes of the length before each frame."""
TO_SERVER = 8 * 1024
"""The longest frame, in bytes without header, that a server takes."""
TO_CLIENT = 64 * 1024
"""The longest frame, in bytes without header, that a client takes."""

_HTTP = (
    *(b"GET ", b"POST", b"HEAD", b"PUT ", b"OPTI", b"DELE", b"CONN", b"PATC", b"TRAC", b"PRI "),
    b"HTTP",  # a web server, met by a client of ours
)
_TLS = (b"\x16\x03", b"\x15\x03")  # a greeting, an alert


def frame(payload: bytes) -> bytes:
    """Put the length before a payload."""
    return len(payload).to_bytes(HEADER, "big") + payload


class FrameReader:
    """Cuts a stream of bytes into frames.

    `feed` bytes as they come, and after each segment take frames with `next` until it gives `None`:
    then no more is kept than one unfinished frame. After an error the reader stays broken: it keeps
    nothing, and every further `next` raises the error again.
    """

    def __init__(self, limit: int) -> None:
        """Take frames of 1 to `limit` bytes."""
        self._limit = limit
        self._buffer = bytearray()
        self._length = 0
        self._broken: BadFrame | None = None
        self._first = True

    @property
    def halfway(self) -> bool:
        """Say whether a frame has begun and its end has not come, once all whole ones are taken.

        It stays true over one frame's end when the next one's first bytes came with it: whoever
        times a frame begins anew with each whole one.
        """
        return bool(self._buffer) or self._length > 0

    def feed(self, data: bytes) -> None:
        """Add bytes from the stream; a broken reader drops them."""
        if self._broken is None:
            self._buffer += data

    def next(self) -> bytes | None:
        """Give the next whole frame's payload, or `None` until more bytes come.

        Raises `FrameTooLarge`, `ForeignProtocol` or `BadFrame` (a frame of no bytes).
        """
        if self._broken is not None:
            raise self._broken
        if self._length == 0 and not self._read_header():
            return None
        if len(self._buffer) < self._length:
            return None
        payload = bytes(self._buffer[: self._length])
        del self._buffer[: self._length]
        self._length = 0
        return payload

    def _read_header(self) -> bool:
        if len(self._buffer) < HEADER:
            return False
        header = bytes(self._buffer[:HEADER])
        if self._first:
            self._first = False
            self._check_first(header)
        length = int.from_bytes(header, "big")
        if length > self._limit:
            self._break(FrameTooLarge(f"a frame of {length} bytes; {self._limit} is the most"))
        if length == 0:
            self._break(BadFrame("a frame of no bytes"))
        del self._buffer[:HEADER]
        self._length = length
        return True

    def _check_first(self, header: bytes) -> None:
        if header in _HTTP:
            self._break(ForeignProtocol("http"))
        if header[:2] in _TLS:
            self._break(ForeignProtocol("tls"))

    def _break(self, error: BadFrame) -> None:
        self._buffer.clear()
        self._broken = error
        raise error
