"""One small interface for "a connection", over TCP and in memory.

Two sides meet here: a `Link` takes bytes and never blocks; a `Receiver` is told what comes. Both
are synchronous: everything happens in the event loop's own turn, and no task is made per message.

`TcpLink` is an `asyncio.Protocol`, which `tls` makes private; `memory_links` makes two links joined
back to back, over which a bot in the same process gets the very bytes that a person gets.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol, cast

SILENT_SECONDS = 20
"""After so many seconds without a receipt the system gives a connection up, where it can be told
so. Servers and clients notice sooner by themselves; this is for what is left after a close, and
for bots, which only listen. By default the system would try for a quarter of an hour, and on an
idle line for ever."""
HIGH_WATER = 16 * 1024
"""With more bytes than this unsent, a connection has enough for now; `drained` follows."""


class Link(Protocol):
    """The sending half of a connection."""

    @property
    def peer(self) -> str:
        """The other side's address without port, or `memory`."""

    @property
    def certificate(self) -> bytes:
        """The SHA-256 of the server's certificate, on both ends; no bytes on a plain line."""

    @property
    def full(self) -> bool:
        """Say whether so much is unsent, more than `HIGH_WATER`, that there is enough for now."""

    @property
    def unsent(self) -> int:
        """Bytes that were written and have not left this process."""

    def write(self, data: bytes) -> None:
        """Send bytes; they are kept until they can go. After a close: nothing happens."""

    def listen(self, on: bool) -> None:
        """Take no more bytes for now, or take them again; what is on its way then waits there."""

    def close(self) -> None:
        """Send what is unsent, then end the connection; the receiver's `lost` follows."""

    def abort(self) -> None:
        """End the connection at once."""


class Receiver(Protocol):
    """The hearing half of a connection."""

    def opened(self, link: Link) -> None:
        """The connection stands; called once, first."""

    def received(self, data: bytes) -> None:
        """Bytes came."""

    def drained(self) -> None:
        """What was unsent has left; called only after more than `HIGH_WATER` had piled up."""

    def lost(self) -> None:
        """The connection is over; called once, last."""


CHUNK = 8 * 1024
"""Bytes that a connection hears at the most in one turn of the loop: then the others are heard."""


class _Desk(threading.local):
    """One buffer for all connections of a thread, since what comes is read at once."""

    def __init__(self) -> None:
        self.chunk = bytearray(CHUNK)


_DESK = _Desk()


class TcpLink(asyncio.BufferedProtocol):
    """A connection over TCP; give it to `create_server` or `create_connection`."""

    def __init__(self, receiver: Receiver) -> None:
        """Tell this receiver what comes."""
        self._receiver = receiver
        self._chunk = _DESK.chunk
        self.full = False
        self._transport: asyncio.Transport | None = None
        self._peer = ""

    @property
    def peer(self) -> str:
        """The other side's address without port."""
        return self._peer

    @property
    def certificate(self) -> bytes:
        """No bytes: what goes over this line can be read on its way."""
        return b""

    @property
    def unsent(self) -> int:
        """Bytes in the transport's buffer."""
        transport = self._transport
        return 0 if transport is None else transport.get_write_buffer_size()

    def write(self, data: bytes) -> None:
        """Hand bytes to the transport."""
        transport = self._transport
        if transport is not None and not transport.is_closing():
            transport.write(data)

    def listen(self, on: bool) -> None:
        """Stop or go on reading."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        if on:
            transport.resume_reading()
        else:
            transport.pause_reading()

    def close(self) -> None:
        """Close after what is unsent."""
        if self._transport is not None:
            self._transport.close()

    def abort(self) -> None:
        """Close at once."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin; called by asyncio."""
        self._take(transport)
        self._receiver.opened(self)

    def _take(self, transport: asyncio.BaseTransport) -> None:
        """Set the connection up."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(HIGH_WATER)
        name = transport.get_extra_info("peername")
        self._peer = str(name[0]) if name else ""
        sock = transport.get_extra_info("socket")
        if sock is not None:
            with suppress(OSError):  # some systems refuse when the other side is gone already
                # Or a second write waits for the receipt of the first, 40 ms. asyncio sees to it
                # only where a socket names its protocol, and one that was accepted does not.
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                watch_over(sock)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Say where to put bytes, and so how many at the most; called by asyncio."""
        return self._chunk

    def buffer_updated(self, nbytes: int) -> None:
        """Take them; called by asyncio."""
        self._receiver.received(bytes(self._chunk[:nbytes]))

    def pause_writing(self) -> None:
        """Hear that there is enough for now; called by asyncio."""
        self.full = True

    def resume_writing(self) -> None:
        """Say that there is room again; called by asyncio."""
        self.full = False
        self._receiver.drained()

    def connection_lost(self, exc: Exception | None) -> None:
        """End; called by asyncio."""
        self._transport, self.full = None, False
        self._tell_lost()

    def _tell_lost(self) -> None:
        self._receiver.lost()


def watch_over(sock: socket.socket) -> None:
    """Have the system ask for life on an idle line, and give up on a dead one."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    figures = {
        "TCP_KEEPIDLE": SILENT_SECONDS / 2,
        "TCP_KEEPINTVL": SILENT_SECONDS / 4,
        "TCP_KEEPCNT": 2,
        "TCP_USER_TIMEOUT": SILENT_SECONDS * 1000,  # the one in milliseconds
    }
    for name, figure in figures.items():
        if (option := getattr(socket, name, None)) is not None:
            sock.setsockopt(socket.IPPROTO_TCP, option, max(1, int(figure)))


class _MemoryLink:
    """One end of a connection within a process: what is written reaches the other end's receiver
    in a later turn of the loop, in order."""

    peer = "memory"
    certificate = b""
    unsent = 0
    full = False

    def __init__(self, receiver: Receiver, call_soon: Callable[..., object]) -> None:
        self.receiver = receiver
        self.other: _MemoryLink | None = None
        self._call_soon = call_soon
        self._coming: deque[bytes | None] = deque()
        self._closed = False
        self._over = False

    def write(self, data: bytes) -> None:
        if self.other is not None and not self._closed:
            self.other.expect(data)

    def listen(self, on: bool) -> None:
        pass

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self.expect(None)
            if self.other is not None:
                self.other.expect(None)

    def abort(self) -> None:
        self.close()

    def expect(self, data: bytes | None) -> None:
        self._coming.append(data)
        self._call_soon(self._deliver)

    def _deliver(self) -> None:
        data = self._coming.popleft()
        if self._over:
            return
        if data is None:
            self._closed = self._over = True
            self.other = None
            self.receiver.lost()
        elif not self._closed:
            self.receiver.received(data)


def memory_links(
    one: Receiver, two: Receiver, call_soon: Callable[..., object] | None = None
) -> tuple[Link, Link]:
    """Join two receivers in this process; gives the link of each. Call within a running loop."""
    soon = call_soon or asyncio.get_running_loop().call_soon
    first, second = _MemoryLink(one, soon), _MemoryLink(two, soon)
    first.other, second.other = second, first
    one.opened(first)
    two.opened(second)
    return first, second
