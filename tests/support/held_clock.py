"""A clock that a test holds in its hand: time passes when the test says so."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable


class HeldTimer:
    """Something that will happen on a `HeldClock`."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        self.callback = None


class HeldClock:
    """Runs what is to happen soon until nothing is left, and timers as time is let pass."""

    def __init__(self) -> None:
        self._now = 1000.0
        self.on_pause: Callable[[], None] = lambda: None
        self.on_beat: Callable[[], None] = lambda: None
        self.held = False
        self._soon: deque[Callable[[], None]] = deque()
        self._timers: list[tuple[float, int, HeldTimer]] = []
        self._count = 0

    def now(self) -> float:
        return self._now

    def hold(self, held: bool) -> None:
        """Note that nothing is to happen by time now; `advance` does nothing meanwhile."""
        self.held = held

    def soon(self, callback: Callable[..., None], *arguments: object) -> object:
        self._soon.append(lambda: callback(*arguments))
        return None

    def later(self, seconds: float, callback: Callable[[], None]) -> HeldTimer:
        timer = HeldTimer(callback)
        self._count += 1
        heapq.heappush(self._timers, (self._now + seconds, self._count, timer))
        return timer

    def forget(self) -> None:
        """Have nothing to do any more, as when the process has ended."""
        self._soon.clear()
        self._timers.clear()
        self.held = False

    def settle(self, bound: int = 100_000) -> None:
        """Run everything that is to happen in this turn of the loop and the next ones."""
        for _ in range(bound):
            if not self._soon:
                return
            self._soon.popleft()()
        raise AssertionError("the loop never comes to rest")

    def advance(self, seconds: float) -> None:
        """Let time pass, running each timer at its moment."""
        self.settle()
        if self.held:
            self.on_beat()
            self.settle()
            return
        end = self._now + seconds
        while self._timers and self._timers[0][0] <= end:
            when, _, timer = heapq.heappop(self._timers)
            self._now = max(self._now, when)
            if timer.callback is not None:
                timer.callback()
            self.settle()
            if self.held:
                return  # no time passes any more
        self._now = end

    def until(self, done: Callable[[], bool], bound: float) -> None:
        """Let time pass from timer to timer until something is so, for at most `bound` seconds."""
        end = self._now + bound
        self.settle()
        while not done():
            live = [t for t in self._timers if t[2].callback is not None]
            if not live or min(live)[0] > end:
                raise AssertionError(f"not so within {bound} seconds")
            self.advance(max(min(live)[0] - self._now, 0))
