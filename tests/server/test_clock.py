"""The server's clock does not count the time when its whole process stood still."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from pathlib import Path

from perudo_protocol import messages as m
from perudo_server.clock import STOOD_STILL, LoopClock
from tests.support.house import HouseOfTests
from tests.support.servers import server


class PausedLoop(asyncio.SelectorEventLoop):
    """A loop whose time can be let jump, as it does when a process is stopped and goes on."""

    def __init__(self) -> None:
        super().__init__()
        self.jumped = 0.0

    def time(self) -> float:
        return super().time() + self.jumped


def run_paused(seconds: float) -> tuple[float, list[str], int]:
    """Pause a loop for so long; give what its clock counts, which timers rang, and the wakes."""
    rang: list[str] = []
    woke: list[None] = []

    async def scene() -> float:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, PausedLoop)
        clock = LoopClock()
        clock.on_pause = lambda: woke.append(None)
        clock.later(0.01, lambda: rang.append("early"))
        clock.later(8.0, lambda: rang.append("late"))
        called_off = clock.later(0.02, lambda: rang.append("never"))
        called_off.cancel()
        before = clock.now()
        loop.jumped += seconds
        for _ in range(20):
            await asyncio.sleep(0.005)
        return clock.now() - before

    with asyncio.Runner(loop_factory=PausedLoop) as runner:
        return runner.run(scene()), rang, len(woke)


def test_a_pause_is_not_counted() -> None:
    """Timers are where they were."""
    counted, rang, woke = run_paused(3600)
    assert counted < 3
    assert rang == ["early"]
    assert woke == 1


def test_time_that_passes_in_small_steps_is_counted() -> None:
    """A loop that was busy for a moment was not paused."""
    counted, rang, woke = run_paused(STOOD_STILL - 0.5)
    assert counted > STOOD_STILL - 1
    assert rang == ["early"]
    assert woke == 0


def test_after_a_pause_a_turn_has_time_left() -> None:
    """Fifteen seconds at least, told to all; a longer one stays as it is."""
    house = HouseOfTests([6, 1])
    ana, bia = house.game("Ana", "Bia", turn_seconds=60)
    told = len(bia.all(m.Update))
    house.clock.on_pause()
    house.clock.settle()
    assert len(bia.all(m.Update)) == told
    house.clock.advance(55)
    house.clock.on_pause()
    house.clock.settle()
    turn = bia.at.turn
    assert turn is not None
    assert turn.deadline == round((house.clock.now() + 15) * 1000)
    house.clock.advance(14.9)
    assert ana.at.ladder == ()
    house.clock.advance(0.2)
    assert len(ana.at.ladder) == 1


def test_a_server_that_was_stopped_drops_nobody(tmp_path: Path) -> None:
    """A real one, stopped for longer than a silence may last."""
    with server(tmp_path, PERUDO_DEAD_SECONDS="3", PERUDO_PING_SECONDS="1") as running:
        guest = running.guest("Ana")
        running.process.send_signal(signal.SIGSTOP)
        threading.Event().wait(7.5)
        running.process.send_signal(signal.SIGCONT)
        end = time.monotonic() + 3
        while time.monotonic() < end and " woke" not in running.log():
            guest.hear()
        assert " woke" in running.log()
        assert " dead " not in running.log()
