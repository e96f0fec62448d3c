"""The open connections, plain or private, to wait until they are gone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from perudo_protocol.link import Receiver, TcpLink

if TYPE_CHECKING:
    from .certificate import Identity


class Links:
    """Makes connections, and knows those that are open."""

    def __init__(self, log: logging.Logger, shown: Identity | None, handshake: float) -> None:
        """Show this identity, within so many seconds; without one the connections are plain."""
        self.log = log
        self._make: Callable[[Receiver], Counted] = Counted
        if shown is not None:
            from .private_link import PrivateLink  # here alone: most servers are plain

            self._make = partial(PrivateLink, identity=shown, handshake=handshake)
        self._open: set[TcpLink] = set()
        self._none_left = asyncio.Event()
        self._none_left.set()

    def new(self, receiver: Receiver) -> TcpLink:
        """Give a connection that tells this receiver what comes."""
        link = self._make(receiver)
        link.links = self
        return link

    def add(self, link: TcpLink) -> None:
        """Count one more."""
        self._open.add(link)
        self._none_left.clear()

    def drop(self, link: TcpLink) -> None:
        """Count one less."""
        self._open.discard(link)
        if not self._open:
            self._none_left.set()

    async def gone(self, patience: float, hurried: asyncio.Event) -> None:
        """Wait until all have closed, then abort what remains; hurried, at once."""
        waits = [asyncio.ensure_future(each.wait()) for each in (self._none_left, hurried)]
        await asyncio.wait(waits, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        for each in waits:
            each.cancel()
        for link in list(self._open):
            link.abort()
        await asyncio.wait_for(self._none_left.wait(), 1)


class Counted(TcpLink):
    """A connection that is known to be open."""

    links: Links

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.links.add(self)
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.links.drop(self)
        super().connection_lost(exc)
