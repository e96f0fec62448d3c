"""The shell's only clock: monotonic, and given to whoever needs it, so that tests can hold it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
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
        return _LoopTimer(self, seconds, callback)

    def soon(self, callback: Callable[..., None], *arguments: object) -> object:
        """Call back in the loop's next turn."""
        return self._loop.call_soon(callback, *arguments)

    def call_at(self, when: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        """Call back when the clock shows this, or earlier if it stands still meanwhile."""
        return self._loop.call_at(self._start + when, callback)

    def _beat(self) -> None:
        self.now()
        self._next_beat = self._loop.time() + BEAT
        self._loop.call_at(self._next_beat, self._beat)
        self.on_beat()


class _LoopTimer:
    """A timer that waits on when its clock has stood still."""

    __slots__ = ("_callback", "_clock", "_due", "_handle")

    def __init__(self, clock: LoopClock, seconds: float, callback: Callable[[], None]) -> None:
        self._clock = clock
        self._due = clock.now() + seconds
        self._callback = callback
        self._handle = clock.call_at(self._due, self._ring)

    def cancel(self) -> None:
        self._handle.cancel()

    def _ring(self) -> None:
        if self._clock.now() < self._due - 0.001:
            self._handle = self._clock.call_at(self._due, self._ring)
        else:
            self._callback()


def millis(seconds: float) -> int:
    """Give a moment of the clock as the wire writes it: whole milliseconds."""
    return round(seconds * 1000)
