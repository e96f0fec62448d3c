"""Who sent more at once than is heard at once: all of them share a small part of the time.

Everybody else waits while they are heard, and so does the journal's thread, without which no bid is
told. So no more of them is heard when many flood than when few do, and there is a pause after each
time, which leaves most of the processor to those who send what people send.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from .clock import Clock

SESSIONS_AT_ONCE = 4
"""So many of those who wait are heard in one turn of the loop."""
PAUSE = 0.001
"""Seconds until the next are."""


class Backlog:
    """Those who have more to say, in the order in which they are heard."""

    def __init__(self, clock: Clock) -> None:
        """Hear them in this clock's loop."""
        self._clock = clock
        self._waiting: deque[Callable[[], None]] = deque()
        self._soon = False

    def add(self, hear: Callable[[], None]) -> None:
        """Hear somebody when it is their turn; whoever has still more then adds themselves anew."""
        self._waiting.append(hear)
        self._wake()

    def _wake(self) -> None:
        if self._waiting and not self._soon:
            self._soon = True
            self._clock.later(PAUSE, self._hear_some)

    def _hear_some(self) -> None:
        try:
            for _ in range(min(SESSIONS_AT_ONCE, len(self._waiting))):
                self._waiting.popleft()()
        finally:  # one who fails does not stop the others
            self._soon = False
            self._wake()
