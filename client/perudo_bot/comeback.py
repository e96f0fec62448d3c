"""Trying to come back to a server, again and again: when the next try is due, and making it.

The first try comes at once, the next ones after waits that grow to `LONGEST_WAIT`. Each wait is a
little different each time, so that the clients of a server that comes back do not all come in one
moment. A try that nothing answers is given up after `PATIENCE`, since what is sent into a network
that is down is lost, and only a new try finds out that the network is back.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Protocol

FIRST_WAIT = 0.3
WAITS = (0.5, 1.0)
LONGEST_WAIT = 1.5
"""A seat is to be taken again within two seconds of the network's return."""
PATIENCE = 1.2
"""So many seconds a try has to reach the server; an address is asked at 0 and at 1."""


class Timer(Protocol):
    """What a call for later gives back."""

    def cancel(self) -> None:
        """Call it off."""


CallLater = Callable[[float, Callable[[], None]], Timer]
"""Calls a function so many seconds later, as `loop.call_later` does."""


def wait_before(number: int, chance: float) -> float:
    """Give the seconds before a try; `number` counts them from 0, `chance` is from 0 to 1."""
    if number == 0:
        return FIRST_WAIT * chance
    longest = WAITS[number - 1] if number <= len(WAITS) else LONGEST_WAIT
    return longest * (0.6 + 0.4 * chance)


class Comeback:
    """Tries until it is stopped, or the time for it is over.

    `dial` makes one try: it raises `OSError` or one of `failures` when it comes to nothing. When a
    connection that it made is lost again, the owner says so by `failed`.
    """

    def __init__(
        self,
        dial: Callable[[], Awaitable[None]],
        now: Callable[[], float],
        *,
        call_later: CallLater | None = None,
        chance: Callable[[], float] = random.random,
        failures: tuple[type[Exception], ...] = (),
        on_change: Callable[[], None] = lambda: None,
        on_over: Callable[[], None] = lambda: None,
    ) -> None:
        """Make tries with `dial`; `now` gives the seconds of a steady clock.

        `on_change` is told when another try is due or made, `on_over` when the time is over.
        """
        self._dial = dial
        self._now = now
        self._call_later = call_later
        self._chance = chance
        self._failures: tuple[type[Exception], ...] = (OSError, *failures)
        self._on_change = on_change
        self._on_over = on_over
        self._timer: Timer | None = None
        self._try: asyncio.Task[None] | None = None
        self._number = 0
        self._due = 0.0
        self._end = float("inf")
        self.began: float | None = None
        """When the connection was lost; `None` while there is nothing to come back from."""

    def begin(self, seconds: float = float("inf")) -> None:
        """The connection is lost: try for so long; the first try comes at once."""
        self.stop()
        self.began = self._now()
        self._end = self.began + seconds
        self._number = 0
        self._wait()

    def failed(self) -> None:
        """A try came to nothing: wait for the next one."""
        if self.began is None:
            return
        if self._now() >= self._end:
            self.stop()
            self._on_over()
        else:
            self._wait()

    def hurry(self) -> None:
        """Make the next try at once, unless one is being made."""
        if self._timer is not None:
            self._timer.cancel()
            self._make()

    def stop(self) -> None:
        """Try no more."""
        self.began = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._try is not None:
            self._try.cancel()
            self._try = None

    @property
    def seconds_to_next(self) -> float:
        """Give the seconds until the next try; 0 while one is being made."""
        return max(0.0, self._due - self._now()) if self._timer is not None else 0.0

    def _wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        seconds = wait_before(self._number, self._chance())
        self._number += 1
        self._due = self._now() + seconds
        later = self._call_later or asyncio.get_running_loop().call_later
        self._timer = later(seconds, self._make)
        self._on_change()

    def _make(self) -> None:
        self._timer = None
        self._try = asyncio.get_running_loop().create_task(self._attempt())
        self._on_change()

    async def _attempt(self) -> None:
        this = asyncio.current_task()
        try:
            await self._dial()
        except self._failures:
            if self._try is this:
                self._try = None
                self.failed()
        else:
            if self._try is this:
                self._try = None
