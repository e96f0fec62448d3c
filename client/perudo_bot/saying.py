"""How a bot says something: numbered, on the link that it has at the moment."""

from __future__ import annotations

from perudo_protocol.codec import encode
from perudo_protocol.link import Link
from perudo_protocol.messages import ClientMessage


class Mouth:
    """Says messages; without a link nobody hears them."""

    def __init__(self, first_id: int = 0) -> None:
        """Number requests from the one after this."""
        self.link: Link | None = None
        self._last_id = first_id

    def new_id(self) -> int:
        """Give the number of another request."""
        self._last_id += 1
        return self._last_id

    def say(self, message: ClientMessage) -> None:
        """Say something."""
        if self.link is not None:
            self.link.write(encode(message))
