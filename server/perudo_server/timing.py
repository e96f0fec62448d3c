"""The times of a game: until when a turn lasts, when the next round begins, the host's pauses.

Each rings once. A pause stops turn and wait, and both go on with what was left of them. All of it
is written down whenever it has changed, so that a restart goes on from there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from msgspec.structs import replace

from . import entries as n
from .clock import Clock, Timer

A_MOMENT = 0.001
"""Left of a time that is up just now; 0 would mean that there is none."""
Keep = Callable[[n.AnyEntry], None]


class Timing(ABC):
    """What runs by the clock in a game, which says what follows when it rings."""

    def __init__(self, clock: Clock, pause_seconds: float, keep: Keep | None) -> None:
        """Wait for nothing yet; `keep` writes down what happens, if anything is kept here."""
        self.deadline = 0.0
        """When the time of the turn is up, on the clock; 0 without one."""
        self.resume = 0.0
        """When the next round begins by itself; 0 when none is awaited."""
        self.paused = 0.0
        """When a pause of the host's ends by itself; 0 without one."""
        self._clock = clock
        self._keep = keep
        self._pause_left = pause_seconds
        """The seconds that this game may still be paused for, when the present pause began."""
        self._turn_left = self._resume_left = 0.0
        """The seconds that were left of turn and wait when the pause began."""
        self._timer: Timer | None = None
        self._rings = 0.0
        """When the timer of the turn rings; 0 when it is for something else, or there is none."""
        self._pause_timer: Timer | None = None
        self._timed = n.Timed(0.0, 0.0, 0.0, 0.0, 0.0)
        """What was last written down."""

    @abstractmethod
    def time_up(self) -> None:
        """Do what follows when nobody acted in time."""

    @abstractmethod
    def deal(self) -> None:
        """Begin with the next round."""

    @abstractmethod
    def go_on(self) -> None:
        """End a pause, and tell so."""

    def _start_turn(self, seconds: int) -> None:
        """Begin a turn of so many seconds; 0: it lasts as long as it takes."""
        self.resume = self._resume_left = self._turn_left = 0.0
        if seconds and not self.paused:
            self._run_turn(seconds)
        else:
            self.deadline, self._turn_left = 0.0, float(seconds)
            self._set_timer(None)

    def _run_turn(self, seconds: float) -> None:
        """Let the turn last so long. A timer that rings before that is left as it is: it waits on
        then. So a turn that is taken in time costs no timer of its own."""
        self.deadline = deadline = self._clock.now() + seconds
        if not 0 < self._rings <= deadline:
            self._set_timer(self._clock.later(seconds, self._ring), deadline)

    def _ring(self) -> None:
        self._rings = 0.0
        left = self.deadline - self._clock.now()
        if left > A_MOMENT:
            self._run_turn(left)
        else:
            self.time_up()

    def _await_round(self, seconds: float) -> None:
        """Have the next round begin by itself after so long, pauses not counted."""
        self.deadline = self._turn_left = 0.0
        if self.paused:
            self._resume_left = seconds
        else:
            self._run_wait(seconds)

    def _run_wait(self, seconds: float) -> None:
        self.resume = self._clock.now() + seconds
        self._set_timer(self._clock.later(seconds, self.deal))

    def _hold(self, *, drawing: bool) -> None:
        """Let turn and wait stand still for a pause, though not a draw that goes on."""
        now = self._clock.now()
        self._turn_left = max(A_MOMENT, self.deadline - now) if self.deadline else 0.0
        self._resume_left = max(A_MOMENT, self.resume - now) if self.resume else 0.0
        self.deadline = self.resume = 0.0
        self.paused = now + self._pause_left
        if not drawing:
            self._set_timer(None)
        self._pause_timer = self._clock.later(self._pause_left, self.go_on)

    def _release(self) -> None:
        """Let turn and wait go on after a pause."""
        self._pause_left = max(0.0, self.paused - self._clock.now())
        self.paused = 0.0
        self._stop_pause()
        if self._turn_left:
            self._run_turn(self._turn_left)
        elif self._resume_left:
            self._run_wait(self._resume_left)
        self._turn_left = self._resume_left = 0.0

    def _stop_times(self) -> None:
        """Forget all that was to happen by itself."""
        self._set_timer(None)
        self._stop_pause()
        self.deadline = self.resume = self.paused = 0.0
        self._turn_left = self._resume_left = 0.0

    def _stop_pause(self) -> None:
        if self._pause_timer is not None:
            self._pause_timer.cancel()
            self._pause_timer = None

    def _set_timer(self, timer: Timer | None, rings: float = 0.0) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._rings = timer, rings

    # What is written down -----------------------------------------------------------------------

    def _keep_time(self) -> None:
        """Write down what the clock is waited for, when that has changed."""
        if self._keep is None:
            return
        timed = self._times()
        if timed != self._timed:
            self._timed = timed
            self._keep(timed)

    def _times(self) -> n.Timed:
        lefts = (self._turn_left, self._resume_left)
        return n.Timed(self.deadline, self.resume, self.paused, *lefts, self._pause_left)

    def _new_deadline(self) -> float:
        """Give the turn's end, if nothing else has changed since the times were written down: then
        it goes into the entry of the event that began the turn, as with each bid. Else 0."""
        times = self._times()
        turned = times.deadline > 0 and replace(self._timed, deadline=times.deadline) == times
        if not turned or times == self._timed:
            return 0.0
        self._timed = times
        return times.deadline

    def _restore_deadline(self, deadline: float) -> None:
        self.deadline = deadline
        self._timed = replace(self._timed, deadline=deadline)

    def _restore_time(self, kept: n.Timed) -> None:
        """Take in what was once written down; no clock runs."""
        self._timed = kept
        self.deadline, self.resume, self.paused = kept.deadline, kept.resume, kept.paused
        self._turn_left, self._resume_left = kept.turn_left, kept.resume_left
        if kept.pause_left >= 0:
            self._pause_left = kept.pause_left

    def _wake_pause(self) -> None:
        """Let a pause that was on when the server ended end when it would have."""
        if self.paused:
            left = max(0.0, self.paused - self._clock.now())
            self._pause_timer = self._clock.later(left, self.go_on)
