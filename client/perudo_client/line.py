"""What both clients need of a connection and of a server of our own, and where it can stand."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from perudo_bot.identity import Identity
from perudo_protocol.messages import ClientMessage

from .address import Address
from .connection import OnClosed, OnMessage


class State(Enum):
    """Where the connection stands."""

    HOME = "home"
    CONNECTING = "connecting"
    ASKING = "asking"
    """The server's certificate is not known: the player decides."""
    ONLINE = "online"
    AWAY = "away"
    """The connection is lost and we try to come back; what we see is as it was."""
    LOST = "lost"


class OpenLine(Protocol):
    """What is needed of a connection that has come about."""

    @property
    def certificate(self) -> bytes:
        """The SHA-256 of the server's certificate; no bytes on a plain line."""

    @property
    def peer(self) -> str:
        """The server's address in numbers; empty when the connection is over."""

    def greet(self, name: str, /) -> None:
        """Greet again, with another name."""

    def send(self, message: ClientMessage, /) -> None:
        """Send a message."""

    def close(self) -> None:
        """End the connection after what is unsent."""


class Line(OpenLine, Protocol):
    """What is needed of a connection."""

    async def connect(self, address: Address, name: str, *, who: Identity, seconds: float) -> None:
        """Connect and greet, or come back; raises `CannotConnect`."""


Connector = Callable[[OnMessage, OnClosed], Line]


class Host(Protocol):
    """What is needed of a server of our own."""

    address: Address

    async def stop(self) -> None:
        """End it."""
