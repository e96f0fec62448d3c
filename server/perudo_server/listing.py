"""The list of tables, for all who are at none: told soon after a change, but not too often."""

from __future__ import annotations

import math

from perudo_protocol.codec import encode
from perudo_protocol.messages import Tables

from .clock import Clock
from .register import Register

MOST_LISTED = 80
"""So many tables are listed at the most: a frame holds them, whatever they are called."""
LISTS_A_SECOND = 1000
"""So many copies of the list are sent in a second at the most: thousands who choose a table get it
less often, so that it holds up no game."""


class Listing:
    """Tells which tables there are."""

    def __init__(self, register: Register, clock: Clock, pause: float) -> None:
        """Tell of what stands there; between two lists are so many seconds at least."""
        self._register = register
        self._clock = clock
        self._pause = pause
        self._is_old = False
        self._sent = -math.inf
        self._copies = 0
        """To how many it was sent."""

    def changed(self) -> None:
        """Send the list to all who are at no table: soon, but not too often."""
        if self._is_old:
            return
        self._is_old = True
        pause = max(self._pause, self._copies // LISTS_A_SECOND)
        wait = self._sent + pause - self._clock.now()
        if wait > 0:
            self._clock.later(wait, self._send)
        else:
            self._clock.soon(self._send)

    def message(self) -> Tables:
        """Tell of all tables; where there are too many, of those first at which a seat is free."""
        tables = list(self._register.tables.values())
        if len(tables) > MOST_LISTED:
            best = sorted(tables, key=lambda t: (not t.is_open, -t.number))[:MOST_LISTED]
            tables = sorted(best, key=lambda t: t.number)
        return Tables(tables=tuple(table.line() for table in tables))

    def _send(self) -> None:
        self._is_old = False
        self._sent = self._clock.now()
        idle = [person for person in self._register.people.values() if not person.table]
        self._copies = len(idle)
        if idle:
            frame = encode(self.message())
            for person in idle:
                person.put(frame)
