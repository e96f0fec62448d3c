"""One connection of a scripted player: frames in and out, and how it is torn."""

from __future__ import annotations

import asyncio
import socket
import struct
from typing import Protocol

from perudo_protocol.codec import decode_server, encode
from perudo_protocol.framing import TO_CLIENT, FrameReader
from perudo_protocol.link import Link, TcpLink
from perudo_protocol.messages import FromClient, ServerMessage

PATIENCE = 1.2
"""Seconds that a try to connect and greet may take, as in the real clients."""


class Owner(Protocol):
    """Whose connection it is."""

    def opened(self, line: Line) -> None:
        """It stands."""

    def hear(self, line: Line, message: ServerMessage) -> None:
        """The server said something."""

    def lost(self, line: Line) -> None:
        """It is over."""


class Line:
    """A `perudo_protocol.link.Receiver`."""

    def __init__(self, owner: Owner) -> None:
        self._owner = owner
        self._reader = FrameReader(TO_CLIENT)
        self._link: Link | None = None
        self._transport: asyncio.Transport | None = None
        self.welcomed = asyncio.get_running_loop().create_future()
        """Done when the server has let the player in."""

    async def dial(self, port: int) -> None:
        """Connect and wait to be let in; raises `OSError`."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(PATIENCE):
                self._transport, _ = await loop.create_connection(
                    lambda: TcpLink(self), "127.0.0.1", port
                )
                await self.welcomed
        except (Exception, asyncio.CancelledError):
            if not self.inside:
                self.tear()
            raise

    @property
    def inside(self) -> bool:
        """Say whether the player was let in on this connection."""
        future = self.welcomed
        return future.done() and not future.cancelled() and future.exception() is None

    def send(self, message: FromClient) -> None:
        """Send a message; it may get lost with the connection."""
        if self._link is not None:
            self._link.write(encode(message))

    def tear(self, reset: bool = False) -> None:
        """End the connection at once; with `reset`, so that the server's side breaks too."""
        if self._transport is None or self._transport.is_closing():
            return
        if reset:
            sock = self._transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()

    def opened(self, link: Link) -> None:
        self._link = link
        self._owner.opened(self)

    def received(self, data: bytes) -> None:
        self._reader.feed(data)
        while self._link is not None and (payload := self._reader.next()) is not None:
            self._owner.hear(self, decode_server(payload))

    def drained(self) -> None:
        pass

    def lost(self) -> None:
        self._link = None
        if not self.welcomed.done():
            self.welcomed.set_exception(ConnectionResetError("lost before the welcome"))
            self.welcomed.exception()  # looked at, whether or not anybody waits
        self._owner.lost(self)
