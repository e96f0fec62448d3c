"""How a reveal is paced: cups open one by one, then there is time to read, then we are ready.

Any key shows all at once, and the next key says that we are ready. Nothing that comes from the
server cuts a reveal short: it is kept on the screen until it was shown whole.
"""

from __future__ import annotations

from collections.abc import Callable

from textual.message_pump import MessagePump
from textual.timer import Timer

from perudo_protocol.views import TableView

OPENING = 2.0
"""How many seconds the cups take to open, whatever their number."""
READING = 4.0
"""How many seconds there are to read what came of it, before we say that we are ready."""
LAST_READING = 8.0
"""The same for the last reveal of a game."""
GRACE = 0.35
"""So many seconds at its beginning a key skips nothing: it was meant for the table."""


class Pacing:
    """The course of one reveal after the other; tells by `on_step` and `on_seen`."""

    def __init__(
        self,
        owner: MessagePump,
        on_step: Callable[[], bool],
        on_seen: Callable[[], None],
        now: Callable[[], float],
    ) -> None:
        """Run on this screen's timers; `on_step` shows one thing more and says if that was all."""
        self._owner = owner
        self._on_step = on_step
        self._on_seen = on_seen
        self._now = now
        self._timer: Timer | None = None
        self._began = 0.0
        self._reading = READING
        self.view: TableView | None = None
        """The table at the reveal that is shown; `None` while none is."""
        self.whole = False
        """Whether all of it is shown."""
        self.seen = False
        """Whether it was read or skipped."""

    @property
    def holds(self) -> bool:
        """Whether the reveal must stay on the screen, whatever came meanwhile."""
        return self.view is not None and not self.seen

    def begin(self, view: TableView, steps: int, motion: bool, last: bool) -> None:
        """Show a reveal, step by step or all at once."""
        self._stop()
        self.view, self.whole, self.seen = view, False, False
        self._began = self._now()
        self._reading = LAST_READING if last else READING
        if motion:
            self._timer = self._owner.set_interval(OPENING / max(steps, 1), self._step)
        else:
            self._finish()

    def follow(self, view: TableView) -> None:
        """Take a newer picture of the same reveal."""
        self.view = view

    def skip(self) -> bool:
        """Take a key: show all, or be done with it; gives whether the key was taken."""
        if not self.holds:
            return False
        if self._now() - self._began < GRACE:
            return True
        if self.whole:
            self._done()
        else:
            self._finish()
        return True

    def end(self) -> None:
        """Show no reveal any more."""
        self._stop()
        self.view = None

    def _step(self) -> None:
        if self._on_step():
            self._finish()

    def _finish(self) -> None:
        self._stop()
        self.whole = True
        while not self._on_step():
            pass
        self._timer = self._owner.set_timer(self._reading, self._done)

    def _done(self) -> None:
        self._stop()
        self.seen = True
        self._on_seen()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
