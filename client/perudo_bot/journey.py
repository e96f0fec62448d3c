"""Where a client's server is: at its first address, or where the client was sent from there.

Tries to come back go in turn to where one was sent and to the first address, which may know better
by now; so neither a place that is gone nor a first address that is gone ends the evening.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from perudo_protocol.elsewhere import (
    HOPS_SECONDS,
    MOST_HOPS,
    Astray,
    Elsewhere,
    Known,
    NotThere,
    elsewhere,
)
from perudo_protocol.messages import Challenge, Redirect, ServerMessage

from .unlocking import SERVER


class Journey:
    """One client's way from its first address."""

    def __init__(self, now: Callable[[], float]) -> None:
        """Begin at the first address; `now` gives the seconds of a steady clock."""
        self.is_there = False
        """Whether the connection, or the try to make one, is to where we were sent."""
        self.untried = False
        """The same, while nobody there has known us yet."""
        self._now = now
        self._sent: Elsewhere | None = None
        self._next_is_first = False
        self._hops: deque[float] = deque(maxlen=MOST_HOPS)

    def follow(
        self, said: Redirect, peer: str, port: int, certificate: bytes, known: Known
    ) -> Elsewhere:
        """Be sent on by the connection that stands; raises `NotThere` where we are not to go.

        The values are those of `elsewhere`; the next try goes there.
        """
        place = elsewhere(said, peer, port, certificate, known)
        if self.is_there:
            now = self._now()
            if len(self._hops) == MOST_HOPS and now - self._hops[0] < HOPS_SECONDS:
                raise NotThere(Astray.IN_CIRCLES)
            self._hops.append(now)
        self._sent, self._next_is_first = place, False
        return place

    def bars(self, message: ServerMessage) -> bool:
        """Say whether this asks for a server's join words where we were sent: they are said at the
        first address alone."""
        return self.is_there and isinstance(message, Challenge) and message.table == SERVER

    def next(self) -> Elsewhere | None:
        """Give where to try now; `None` for the first address."""
        self.is_there = self._sent is not None and not self._next_is_first
        self._next_is_first = self.untried = self.is_there
        return self._sent if self.is_there else None

    def arrived(self) -> None:
        """Hear that we are known where we are: if this connection is lost, here is tried first."""
        if not self.is_there:
            self._sent = None
        self._next_is_first = self.untried = False

    def begin_again(self) -> None:
        """Try the first address alone from now on."""
        self._sent = None
        self.is_there = self.untried = self._next_is_first = False
