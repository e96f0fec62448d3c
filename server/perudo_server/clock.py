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

    def now(self) -> float:
        """Give seconds since some fixed moment; never falls, knows no calendar."""

    def later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Call back once, this many seconds from now."""

    def soon(self, callback: Callable[..., None], *arguments: object) -> object:
        """Call back in the loop's next turn."""


class LoopClock:
    """The clock of the running event loop."""

    def __init__(self) -> None:
        """Take the loop that runs now."""
        self._loop = asyncio.get_running_loop()
        self._start = self._loop.time()

    def now(self) -> float:
        """Give seconds since this clock was made."""
        return self._loop.time() - self._start

    def later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Call back once, this many seconds from now."""
        return self._loop.call_later(seconds, callback)

    def soon(self, callback: Callable[..., None], *arguments: object) -> object:
        """Call back in the loop's next turn."""
        return self._loop.call_soon(callback, *arguments)


def millis(seconds: float) -> int:
    """Give a moment of the clock as the wire writes it: whole milliseconds."""
    return round(seconds * 1000)
