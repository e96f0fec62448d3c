"""What waits to be sent to one connection: bounded, and written once per turn of the loop.

Whoever tells a story *puts* frames and never waits. Everything put within one turn of the loop goes
out in one write. A reader who is too slow costs a bounded amount: when the box is full it is
emptied, the reader is marked as behind, and gets one fresh picture when there is room again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from perudo_protocol.link import HIGH_WATER, Link

from .clock import Clock


class Flusher:
    """Writes out all the boxes that have something, once per turn of the loop."""

    def __init__(self, clock: Clock, log: logging.Logger) -> None:
        """Use this clock's loop."""
        self._clock = clock
        self._log = log
        self._waiting: dict[Outbox, None] = {}

    def want(self, box: Outbox) -> None:
        """Have this box written out soon."""
        if not self._waiting:
            self._clock.soon(self.flush)
        self._waiting[box] = None

    def flush(self) -> None:
        """Write out every box; one that fails does not stop the others."""
        waiting, self._waiting = self._waiting, {}
        for box in waiting:
            self.write(box)

    def write(self, box: Outbox) -> None:
        """Write out one box now."""
        try:
            box.write_out()
        except Exception:
            self._log.exception("write_failed")
            box.abort()


class Outbox:
    """The frames that wait for one link."""

    def __init__(
        self,
        link: Link,
        flusher: Flusher,
        frames: int,
        size: int,
        on_behind: Callable[[], None],
    ) -> None:
        """Hold at most so many frames and bytes; `on_behind` is called when it was not enough."""
        self._link = link
        self._flusher = flusher
        self._most_frames = frames
        self._most_bytes = size
        self._on_behind = on_behind
        self._frames: list[bytes] = []
        self._bytes = 0
        self._closing = False
        self.behind = False

    def put(self, frame: bytes) -> None:
        """Add a frame; what does not fit any more makes the reader fall behind."""
        if self.behind or self._closing:
            return
        self._frames.append(frame)
        self._bytes += len(frame)
        if len(self._frames) > self._most_frames or self._bytes > self._most_bytes:
            self._flusher.write(self)  # much may have come within one turn of the loop
            if not self._frames:
                return
            self._empty()
            self.behind = True
            self._on_behind()
        else:
            self._flusher.want(self)

    def write_out(self) -> None:
        """Write all that waits in one go, unless the link has enough already."""
        if self._frames and (self._closing or self._link.unsent <= HIGH_WATER):
            joined = b"".join(self._frames)
            self._empty()
            self._link.write(joined)
        if self._closing:
            self._link.close()

    def close(self) -> None:
        """Send what waits, then close the link."""
        self._closing = True
        self._flusher.want(self)

    def abort(self) -> None:
        """Forget what waits and close the link at once."""
        self._closing = True
        self._empty()
        self._link.abort()

    def _empty(self) -> None:
        self._frames.clear()
        self._bytes = 0
