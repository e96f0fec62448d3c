"""A connection with TLS that is known to be open."""

from __future__ import annotations

from perudo_protocol.link import Receiver
from perudo_protocol.tls import ServerLink

from .certificate import Identity
from .links import Counted
from .log import event


class PrivateLink(Counted, ServerLink):
    """Tells the log when there is no TLS with the other side."""

    def __init__(self, receiver: Receiver, identity: Identity, handshake: float) -> None:
        """Show this identity, within so many seconds."""
        ServerLink.__init__(self, receiver, *identity, handshake)

    def connection_lost(self, exc: Exception | None) -> None:
        """End; called by asyncio."""
        super().connection_lost(exc)
        if self.trouble is not None:
            event(self.links.log, "no_tls", why=self.trouble.value)
