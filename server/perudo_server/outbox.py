"""What waits to be sent to one connection: bounded, and written once per turn of the loop.

Whoever tells a story *puts* frames and never waits. Everything put within one turn of the loop goes
out in one write, as soon as the journal has made durable what it tells of. A reader who is too slow
costs a bounded amount: when the box is full it is emptied, the reader is marked as behind, and gets
one fresh picture when there is room again.

To write at once, after each one who was heard, was slower by a quarter under load: the processor
goes to and fro between what a bid needs and what sending needs, and forgets one over the other.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterable
from itertools import repeat
from typing import TYPE_CHECKING, Protocol

from perudo_protocol.link import Link

from .clock import Clock

if TYPE_CHECKING:
    from .keeper import Keeper


class Flusher:
    """Writes out all the boxes that have something, once per turn of the loop, and never before
    the journal holds what they tell."""

    def __init__(self, clock: Clock, log: logging.Logger, journal: Keeper) -> None:
        """Use this clock's loop, and wait for this journal."""
        self._clock = clock
        self._log = log
        self._journal = journal
        self.waiting: list[Outbox] = []
        """The boxes that have something new, each once; whoever puts the first in wakes us."""
        self._held: deque[tuple[int, list[Outbox], list[int]]] = deque()
        """For each batch of the journal: which boxes wait for it, and up to which frame each."""
        self._soon = False

    def wake(self) -> None:
        """Have what was written down made durable soon, and told."""
        if not self._soon:
            self._soon = True
            self._clock.soon(self.flush)

    def flush(self) -> None:
        """Write out every box, or hold it until the journal is as far; one that fails does not
        stop the others."""
        self._soon = False
        boxes, self.waiting = self.waiting, []
        for box in boxes:
            box.waits = False
        if self._must_wait:
            self._held.append((self._journal.written, boxes, [box.put_in for box in boxes]))
            self._journal.commit()
        else:
            self._write(boxes, repeat(None))

    @property
    def _must_wait(self) -> bool:
        return self._journal.pending or bool(self._held)

    def press(self, box: Outbox) -> None:
        """Write out a box that is full now, if nothing in it has to wait for the journal."""
        if not self._must_wait:
            self._write([box], [None])

    def durable(self) -> None:
        """Hear from the journal that it has got on; write out what had to wait for that."""
        while self._held and self._held[0][0] <= self._journal.committed:
            self._write(*self._held.popleft()[1:])
        if self._held:
            self._journal.commit()

    def _write(self, boxes: Iterable[Outbox], until: Iterable[int | None]) -> None:
        for box, last in zip(boxes, until, strict=False):
            try:
                box.write_out(last)
            except Exception:
                self._log.exception("write_failed")
                box.abort()


class Reader(Protocol):
    """Whose box it is."""

    def fell_behind(self) -> None:
        """Hear that the box was too full, and is empty now."""

    def drained(self) -> None:
        """Hear, when behind, that there is room again."""


class Outbox:
    """The frames that wait for one link."""

    __slots__ = (
        "_bytes",
        "_closing",
        "_flusher",
        "_frames",
        "_gone",
        "_link",
        "_most_bytes",
        "_most_frames",
        "_reader",
        "_until",
        "behind",
        "waits",
    )

    def __init__(
        self,
        link: Link,
        flusher: Flusher,
        frames: int,
        size: int,
        reader: Reader,
    ) -> None:
        """Hold at most so many frames and bytes for this reader."""
        self._link = link
        self._flusher = flusher
        self._most_frames = frames
        self._most_bytes = size
        self._reader = reader
        self._frames: list[bytes] = []
        self._bytes = 0
        self._closing = False
        self._gone = 0
        """So many frames, counted since the beginning, are not in here any more."""
        self._until = 0
        """Up to this frame, counted since the beginning, all may be told."""
        self.behind = False
        self.waits = False
        """Whether the flusher knows already that there is something."""

    @property
    def put_in(self) -> int:
        """So many frames were put in since the beginning."""
        return self._gone + len(self._frames)

    def put(self, frame: bytes) -> None:
        """Add a frame; what does not fit any more makes the reader fall behind."""
        if self.behind or self._closing:
            return
        frames = self._frames
        frames.append(frame)
        self._bytes += len(frame)
        if len(frames) > self._most_frames or self._bytes > self._most_bytes:
            self._make_room()
        if not self.waits:
            self.waits = True
            flusher = self._flusher
            if not flusher.waiting:
                flusher.wake()
            flusher.waiting.append(self)

    def _make_room(self) -> None:
        """Write out what may be told already, or else forget it all, and be behind."""
        self._flusher.press(self)  # much may have come within one turn of the loop
        if len(self._frames) > self._most_frames or self._bytes > self._most_bytes:
            self._empty()
            self.behind = True
            self._reader.fell_behind()

    def write_out(self, until: int | None = None) -> None:
        """Write all that may be told in one go, unless the link has enough already.

        `until` says up to which frame, counted since the beginning, that is; without it, all is.
        """
        frames, link, gone = self._frames, self._link, self._gone
        self._until = until = gone + len(frames) if until is None else until
        if until > gone and (not link.full or self._closing):
            data = frames[0] if until == gone + 1 else b"".join(frames[: until - gone])
            del frames[: until - gone]
            self._gone = until
            self._bytes -= len(data)
            link.write(data)
        if self._closing and not frames:
            link.close()
        elif self.behind and not link.full:
            self._reader.drained()

    def go_on(self) -> None:
        """Write what may be told, as far as before, when there is room again."""
        self.write_out(self._until)

    def urge(self, frame: bytes) -> None:
        """Send a frame before all that waits: it tells nothing that could be lost."""
        if not self._closing and not self._link.full:
            self._link.write(frame)

    def close(self) -> None:
        """Send what waits, then close the link."""
        self._closing = True
        if not self.waits:
            self.waits = True
            self._flusher.wake()
            self._flusher.waiting.append(self)

    def abort(self) -> None:
        """Forget what waits and close the link at once."""
        self._closing = True
        self._empty()
        self._link.abort()

    def _empty(self) -> None:
        self._gone += len(self._frames)
        self._frames.clear()
        self._bytes = 0
