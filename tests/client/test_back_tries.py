"""When a client tries to come back: at once, then less and less often, and never for too long."""

from __future__ import annotations

import asyncio

import pytest

from perudo_bot.comeback import FIRST_WAIT, LONGEST_WAIT, PATIENCE, Comeback, wait_before
from perudo_client.coming_back import AFTER_SHUTDOWN, FOR_EVER, seconds_to_try
from perudo_client.endings import Closed
from perudo_protocol.words import ByeReason, ErrorWord
from tests.support.held_clock import HeldClock

RETURN_SECONDS = 2.0
"""A seat is taken again within so many seconds of the network's return."""


class Tries:
    """A comeback on a held clock; each try fails until told otherwise."""

    def __init__(self, chance: float = 1.0) -> None:
        self.clock = HeldClock()
        self.start = self.clock.now()
        self.times: list[float] = []
        self.succeeds = False
        self.over = 0
        self.comeback = Comeback(
            self.dial,
            self.clock.now,
            call_later=self.clock.later,
            chance=lambda: chance,
            on_over=self._over,
        )

    def _over(self) -> None:
        self.over += 1

    async def dial(self) -> None:
        self.times.append(self.clock.now() - self.start)
        if not self.succeeds:
            raise ConnectionRefusedError

    async def pass_time(self, seconds: float, step: float = 0.05) -> None:
        """Let time pass, and each try come to its end."""
        for _ in range(round(seconds / step)):
            self.clock.advance(step)
            await asyncio.sleep(0)
            await asyncio.sleep(0)


@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_the_waits_grow_and_are_never_quite_the_same(chance: float) -> None:
    waits = [wait_before(number, chance) for number in range(50)]
    assert waits[0] <= FIRST_WAIT
    assert waits[1] < waits[2] < waits[3] == waits[49] <= LONGEST_WAIT
    assert wait_before(5, 0.0) < wait_before(5, 1.0)


def test_a_network_that_is_back_is_noticed_in_time() -> None:
    """What was sent last into the dark, at the end of a try, is as old as this at most."""
    last_sent = 1.0  # an address that does not answer is asked again after a second, then at 3
    assert last_sent < PATIENCE
    assert PATIENCE - last_sent + LONGEST_WAIT < RETURN_SECONDS


async def test_it_tries_at_once_and_then_again_and_again() -> None:
    tries = Tries()
    tries.comeback.begin()
    assert tries.comeback.seconds_to_next == pytest.approx(FIRST_WAIT)
    await tries.pass_time(12)
    gaps = [b - a for a, b in zip(tries.times, tries.times[1:], strict=False)]
    assert tries.times[0] <= FIRST_WAIT + 0.05
    assert max(gaps) <= LONGEST_WAIT + 0.11
    assert len(tries.times) >= 8
    assert tries.over == 0


async def test_a_try_that_succeeds_is_the_last_until_its_connection_is_lost() -> None:
    tries = Tries()
    tries.succeeds = True
    tries.comeback.begin()
    await tries.pass_time(30)
    assert len(tries.times) == 1
    tries.comeback.failed()  # lost before anybody answered: go on where we were
    await tries.pass_time(0.7)
    assert len(tries.times) == 2
    tries.comeback.stop()
    await tries.pass_time(30)
    assert len(tries.times) == 2
    assert tries.comeback.began is None


async def test_it_ends_when_its_time_is_over() -> None:
    tries = Tries()
    tries.comeback.begin(5.0)
    await tries.pass_time(20)
    assert tries.over == 1
    assert max(tries.times) <= 5.0 + LONGEST_WAIT
    assert tries.comeback.began is None


async def test_somebody_in_a_hurry_does_not_wait() -> None:
    tries = Tries()
    tries.comeback.begin()
    await tries.pass_time(6)
    before = len(tries.times)
    tries.comeback.hurry()
    await asyncio.sleep(0)
    assert len(tries.times) == before + 1
    await asyncio.sleep(0)
    await tries.pass_time(LONGEST_WAIT + 0.1)
    assert len(tries.times) == before + 2


@pytest.mark.parametrize(
    ("why", "word", "trying", "seconds"),
    [
        (Closed.GONE, "", False, FOR_EVER),
        (Closed.TOLD, ByeReason.DEAD, False, FOR_EVER),
        (Closed.TOLD, ByeReason.SHUTDOWN, False, AFTER_SHUTDOWN),
        (Closed.TOLD, ByeReason.TAKEN_OVER, False, 0.0),
        (Closed.TOLD, ErrorWord.FLOOD, False, 0.0),
        (Closed.TOLD, ErrorWord.TOO_MANY, False, 0.0),
        (Closed.TOLD, ErrorWord.TOO_MANY, True, FOR_EVER),
        (Closed.TOLD, ErrorWord.VERSION, True, 0.0),
        (Closed.BY_US, "", False, 0.0),
        (Closed.NONSENSE, "", True, 0.0),
    ],
)
def test_which_losses_one_comes_back_from(
    why: Closed, word: str, trying: bool, seconds: float
) -> None:
    assert seconds_to_try(why, word, trying=trying) == seconds
