"""A person (or bot) on this server, as lobby and tables know one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from perudo_protocol.codec import encode
from perudo_protocol.messages import FromServer

from .locks import Visit


@dataclass(slots=True, eq=False)
class Person:
    """Somebody connected. Identity is the connection's; nothing on the wire can claim it."""

    number: int
    name: str
    key: str
    """The name's skeleton: no two people here have the same."""
    bot: bool
    address: str
    put: Callable[[bytes], None]
    """Hands a frame to the person's outbox; never blocks."""
    hang_up: Callable[[], None]
    """Closes the person's connection after what was put."""
    ours: bool = False
    """A bot of this server's own."""
    table: int = 0
    """The number of the table where this person is; 0 for none."""
    visit: Visit = field(default_factory=Visit)
    """Which doors have opened to this person's connection."""

    def send(self, message: FromServer) -> None:
        """Tell this person alone."""
        self.put(encode(message))
