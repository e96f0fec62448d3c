"""The shell's only clock: monotonic, and given to whoever needs it, so that tests can hold it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Protocol


class Timer(Protocol):
    """Something that will happen, and may be called off."""

    def cancel(self) -> None:
        """Call it off; harmless when it has happened."""


class Clock(Protocol):
    """Time that never jumps, and things to do later."""

    on_pause: Callable[[], None]
    """Called after the whole process stood still, which this clock does not count."""
    on_beat: Callable[[], None]
    """Called about once a second of real time, also while the clock is held."""

    def now(self) -> float:
        """Give seconds since some fixed moment; never falls, knows no calendar."""

    def hold(self, held: bool) -> None:
        """Let the clock stand still, or go on."""

    def later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Call back once, this many seconds from now."""

    def soon(self, callback: Callable[..., None], *arguments: object) -> object:
        """Call back in the loop's next turn."""


BEAT = 1.0
"""So often, in seconds, a clock looks whether its machine stood still."""
STOOD_STILL = 5.0
"""A beat that comes so much too late means that the machine, or this process, was paused."""


EARLY = 0.001
"""A timer that rings so much too early is as good as one in time."""
MOST_OFF = 100
"""So many timers that are called off are no trouble."""


class LoopClock:
    """The clock of the running event loop. It stands still while the whole process does.

    A laptop that was closed, or a process that was stopped, finds its timers where they were: no
    turn ran out and no peer fell silent meanwhile, since nobody could have been heard.
    """

    def __init__(self, start: float = 0.0) -> None:
        """Take the loop that runs now, and show `start`: that of a server before goes on."""
        self.on_pause: Callable[[], None] = lambda: None
        """Called after the process stood still, when the clock goes on."""
        self.on_beat: Callable[[], None] = lambda: None
        """Called once a second."""
        self._loop = asyncio.get_running_loop()
        self._next_beat = self._loop.time()
        self._start = self._next_beat - start
        self._held: float | None = None
        self._timers: list[_ClockTimer] = []
        """All that are to ring, the next one first: the loop knows of that one alone."""
        self._off = 0
        """So many of them are called off."""
        self._alarm: asyncio.TimerHandle | None = None
        self._beat()

    def now(self) -> float:
        """Give seconds since this clock was made, less those when it stood still."""
        time = self._loop.time()
        if time - self._next_beat > STOOD_STILL:
            self._start += time - self._next_beat
            self._next_beat = time
            self._loop.call_soon(self.on_pause)
        if self._held is not None:
            self._start = time - self._held
        return time - self._start

    def hold(self, held: bool) -> None:
        """Let the clock stand still, or go on."""
        now = self.now()
        self._held = now if held else None

    def later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Call back once, this many seconds from now."""
        timer = _ClockTimer(self, self.now() + seconds, callback)
        heappush(self._timers, timer)
        if self._timers[0] is timer:
            self._set_alarm()
        return timer

    def soon(self, callback: Callable[..., None], *arguments: object) -> object:
        """Call back in the loop's next turn."""
        return self._loop.call_soon(callback, *arguments)

    def called_off(self) -> None:
        """Hear that a timer will not ring; where these are the most, forget them all."""
        self._off += 1
        if self._off > MOST_OFF and 2 * self._off > len(self._timers):
            self._timers = [timer for timer in self._timers if timer.waits]
            heapify(self._timers)
            self._off = 0

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._timers:
            self._alarm = self._loop.call_at(self._start + self._timers[0].due, self._ring)

    def _ring(self) -> None:
        """Ring what is due, each in its own step of the loop; wait on when the clock stood still
        meanwhile."""
        now, timers = self.now() + EARLY, self._timers
        while timers and timers[0].due <= now:
            timer = heappop(timers)
            if timer.waits:
                timer.waits = False
                self._loop.call_soon(timer.ring)
            else:
                self._off -= 1
        self._set_alarm()

    def _beat(self) -> None:
        self.now()
        self._next_beat = self._loop.time() + BEAT
        self._loop.call_at(self._next_beat, self._beat)
        self.on_beat()


class _ClockTimer:
    """Rings once, unless it is called off. It is small: each connection has some."""

    __slots__ = ("_callback", "_clock", "due", "waits")

    def __init__(self, clock: LoopClock, due: float, callback: Callable[[], None]) -> None:
        self._clock = clock
        self._callback = callback
        self.due = due
        self.waits = True
        """Whether the clock still has it in its list, to ring."""

    def __lt__(self, other: _ClockTimer) -> bool:
        return self.due < other.due

    def cancel(self) -> None:
        self._callback = _nothing
        if self.waits:
            self.waits = False
            self._clock.called_off()

    def ring(self) -> None:
        callback = self._callback
        self._callback = _nothing  # it holds nobody any more, who may hold this timer
        callback()


def _nothing() -> None:
    """What a timer does that is over."""


def millis(seconds: float) -> int:
    """Give a moment of the clock as the wire writes it: whole milliseconds."""
    return round(seconds * 1000)
