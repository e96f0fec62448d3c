"""Scripted clients of a server, as cheap as Python makes them: they live in the driver's process.

There is no event loop and no protocol library here but `epoll` and the bare sockets, so that one
driver keeps a whole core's worth of server busy. What comes is cut into frames, and of a frame
whose message is only to be counted nothing is read but its first letters.
"""

from __future__ import annotations

import select
import socket
import ssl
import time
from collections.abc import Iterator
from typing import Any

from perudo_protocol.codec import decode_server, encode
from perudo_protocol.framing import HEADER
from perudo_protocol.messages import FromClient, Ping, Pong, Refused, ServerMessage

BOUND = 60.0
"""Seconds after which an answer is held not to come."""
WORD = slice(10, 13)
"""Where a frame has the first letters of its message's word: after the length, the byte that
announces the map, and the key `type`; the first of the three bytes is the word's length."""
UPDATE, BID, DONE, REFUSED, PING = b"\xa6up", b"\xa3bi", b"\xa4do", b"\xa7re", b"\xa4pi"
MOST = 16 * 1024
"""Bytes that are read at once: for more, Python would ask the system for memory each time."""


class Guest:
    """One connection."""

    __slots__ = ("inbox", "name", "owed", "person", "pings", "rest", "sock", "table", "tls", "went")

    def __init__(self, sock: socket.socket, context: ssl.SSLContext | None) -> None:
        """Take a connected socket, and make it private if there is a context."""
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sock = sock if context is None else context.wrap_socket(sock)
        self.sock.setblocking(False)
        self.tls = context is not None
        self.rest = b""
        self.name = ""
        self.person = 0
        """The number that the server gave."""
        self.table = 0
        """The index of the table in the driver's list."""
        self.owed = 0
        """Answers that have not come."""
        self.inbox: list[ServerMessage] | None = []
        """What was heard, while it is read at all; `None` while only updates are counted."""
        self.went = 0
        """Bytes that came and were sent."""
        self.pings = 0
        """So often it was asked for life, and answered."""

    def send(self, frame: bytes) -> None:
        """Send a whole frame; the system's buffer always has room for what a guest says."""
        self.went += len(frame)
        if self.sock.send(frame) != len(frame):
            raise RuntimeError("the server does not take what is sent")

    def ask(self, message: FromClient) -> None:
        """Send a request."""
        self.owed += 1
        self.send(encode(message))

    def hear(self) -> int:
        """Hear what came; give how many updates were in it."""
        data = self.rest + (self._read() if self.tls else self.sock.recv(MOST))
        self.went += len(data) - len(self.rest)
        at, end, updates = 0, len(data), 0
        while end - at >= HEADER:
            following = at + HEADER + int.from_bytes(data[at : at + HEADER], "big")
            if following > end:
                break
            word = data[at + WORD.start : at + WORD.stop]
            if word in (BID, UPDATE):
                updates += 1
            elif word == DONE:
                self.owed -= 1
            elif word == PING:
                ping = decode_server(data[at + HEADER : following])
                assert isinstance(ping, Ping)
                self.send(encode(Pong(now=ping.now)))
                self.pings += 1
            elif word == REFUSED:
                refused = decode_server(data[at + HEADER : following])
                assert isinstance(refused, Refused)
                if refused.reason:
                    raise RuntimeError(f"{self.name} was refused: {refused.reason}")
            if self.inbox is not None:
                self.inbox.append(decode_server(data[at + HEADER : following]))
            at = following
        self.rest = data[at:]
        return updates

    def _read(self) -> bytes:
        """Read all that came: the system does not tell what TLS has unpacked already."""
        found = b""
        try:
            while more := self.sock.recv(MOST):
                found += more
        except ssl.SSLWantReadError:
            pass
        return found


class Crowd:
    """All guests of a driver."""

    def __init__(self, port: int, context: ssl.SSLContext | None = None) -> None:
        """Be ready to connect to a port of this machine."""
        self._address = ("127.0.0.1", port)
        self._context = context
        self._epoll = select.epoll()
        self.guests: dict[int, Guest] = {}

    def connect(self) -> Guest:
        """Connect one more, and wait until the connection stands."""
        guest = Guest(socket.create_connection(self._address, BOUND), self._context)
        self.guests[guest.sock.fileno()] = guest
        self._epoll.register(guest.sock, select.EPOLLIN)
        return guest

    def close(self) -> None:
        """Close all connections."""
        for guest in self.guests.values():
            guest.sock.close()
        self.guests.clear()

    def also(self, descriptor: int) -> None:
        """Wake up for this one too, which is no guest's."""
        self._epoll.register(descriptor, select.EPOLLIN)

    def turn(self, wait: float) -> Iterator[tuple[Guest | None, int]]:
        """Hear everybody to whom something came within so many seconds: who, and how many updates.

        Gives `None` for what is no guest.
        """
        if wait > 0:  # `select` wakes up within microseconds, `epoll` within a millisecond
            select.select([self._epoll], [], [], wait)
        for descriptor, _ in self._epoll.poll(0):
            guest = self.guests.get(descriptor)
            yield guest, 0 if guest is None else guest.hear()

    def until(self, what: Any, who: str) -> None:
        """Hear everybody until this can be said to be so."""
        end = time.monotonic() + BOUND
        while not what():
            for _ in self.turn(0.1):
                pass
            if time.monotonic() > end:
                raise RuntimeError(f"waited too long for {who}")

    @property
    def went(self) -> int:
        """Bytes that all have sent and heard so far."""
        return sum(guest.went for guest in self.guests.values())

    @property
    def pings(self) -> int:
        """How often all have been asked for life so far, and have answered."""
        return sum(guest.pings for guest in self.guests.values())
