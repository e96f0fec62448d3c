"""Frames of a 4-byte big-endian length and that many bytes: bytes in, frames out, no I/O.

The length is judged before anything is kept: a frame over the limit, or of no bytes, costs no
memory. The first bytes tell a visitor who speaks HTTP or TLS from one who speaks to us.
"""

from __future__ import annotations

from struct import Struct

from .errors import BadFrame, ForeignProtocol, FrameTooLarge

_LENGTH = Struct(">I")
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
    return _LENGTH.pack(len(payload)) + payload


class FrameReader:
    """Cuts a stream of bytes into frames.

    `feed` bytes as they come, and after each segment take frames with `next` until it gives `None`:
    then no more is kept than one unfinished frame. After an error the reader stays broken: it keeps
    nothing, and every further `next` raises the error again.
    """

    __slots__ = ("_broken", "_buffer", "_first", "_limit", "_start")

    def __init__(self, limit: int) -> None:
        """Take frames of 1 to `limit` bytes."""
        self._limit = limit
        self._buffer: bytes | bytearray = b""
        """What has come and is not taken: a segment as it came, or the rest of several."""
        self._start = 0
        """Where in it the next frame begins."""
        self._broken: BadFrame | None = None
        self._first = True

    @property
    def halfway(self) -> bool:
        """Say whether a frame has begun and its end has not come, once all whole ones are taken.

        It stays true over one frame's end when the next one's first bytes came with it: whoever
        times a frame begins anew with each whole one.
        """
        return bool(self._buffer)

    def feed(self, data: bytes) -> None:
        """Add bytes from the stream; a broken reader drops them."""
        if self._broken is None:
            if self._buffer:
                self._keep_rest()
                self._buffer += data
            else:
                self._buffer = data

    def next(self) -> bytes | None:
        """Give the next whole frame's payload, or `None` until more bytes come.

        Raises `FrameTooLarge`, `ForeignProtocol` or `BadFrame` (a frame of no bytes).
        """
        if self._broken is not None:
            raise self._broken
        buffer = self._buffer
        if not buffer:
            return None
        head = self._start + HEADER
        if len(buffer) < head:
            self._keep_rest()
            return None
        (length,) = _LENGTH.unpack_from(buffer, self._start)
        if self._first or not 0 < length <= self._limit:
            self._judge(bytes(buffer[self._start : head]), length)
        end = head + length
        if len(buffer) < end:
            self._keep_rest()
            return None
        if len(buffer) == end:
            self._buffer, self._start = b"", 0
        else:
            self._start = end
        return bytes(buffer[head:end])

    def _keep_rest(self) -> None:
        """Keep what is not taken yet, in what can grow byte by byte without copies."""
        if self._start or isinstance(self._buffer, bytes):
            self._buffer, self._start = bytearray(self._buffer[self._start :]), 0

    def _judge(self, header: bytes, length: int) -> None:
        if self._first:
            self._first = False
            self._check_first(header)
        if length > self._limit:
            self._break(FrameTooLarge(f"a frame of {length} bytes; {self._limit} is the most"))
        if length == 0:
            self._break(BadFrame("a frame of no bytes"))

    def _check_first(self, header: bytes) -> None:
        if header in _HTTP:
            self._break(ForeignProtocol("http"))
        if header[:2] in _TLS:
            self._break(ForeignProtocol("tls"))

    def _break(self, error: BadFrame) -> None:
        self._buffer, self._start = b"", 0
        self._broken = error
        raise error
