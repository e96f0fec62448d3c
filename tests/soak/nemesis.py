"""What is done to a server and its players: killed, stopped, ended, connections torn."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from .player import Scripted
from .process import Server

LONGEST_LID = 15.0
"""The longest that a player is away, in seconds; a seat is kept for ten."""


@dataclass
class Nemesis:
    """Does harm at random moments, until the server was killed so many times."""

    server: Server
    players: list[Scripted]
    rng: random.Random
    look: Callable[[], Awaitable[None]]
    """Called whenever the server is dead: now its journal may be read."""
    calm: float
    """The mean time between two harms, in seconds."""
    done: Counter[str] = field(default_factory=Counter)
    _said: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self) -> None:
        """Hear that a player says something: a good moment."""
        self._said.set()

    async def rage(self, kills: int) -> None:
        """Go on until so many kills are done."""
        while self.done["kill"] < kills:
            await self._moment()
            await self._harm()

    async def _moment(self) -> None:
        """Wait for any moment, or for one just after a player has said something."""
        await asyncio.sleep(self.rng.expovariate(1 / self.calm))
        if self.rng.random() < 0.7:
            self._said.clear()
            try:
                async with asyncio.timeout(2.0):
                    await self._said.wait()
            except TimeoutError:
                return
            await asyncio.sleep(self.rng.choice((0, 0, 0.0005, 0.002, 0.005)))

    async def _harm(self) -> None:
        chance = self.rng.random()
        if chance < 0.55:
            await self._kill()
        elif chance < 0.63:
            self.done["end"] += 1
            await self.server.end()
            await self.look()
            await self.server.start()
        elif chance < 0.76:
            await self._stop(self.rng.uniform(0.02, 1.5))
        elif chance < 0.77:
            await self._stop(self.rng.uniform(5.5, 8.0))
        elif chance < 0.78:
            self.done["lid"] += 1
            self.rng.choice(self.players).close_lid(self.rng.uniform(0, LONGEST_LID))
        else:
            self._tear()

    async def _kill(self) -> None:
        self.done["kill"] += 1
        if self.rng.random() < 0.2:  # at once with connections, or while it stands still
            self._tear() if self.rng.random() < 0.5 else self.server.stop()
            await asyncio.sleep(self.rng.uniform(0, 0.1))
        await self.server.kill()
        await self.look()
        if self.rng.random() < 0.1:
            self.done["kill while starting"] += 1
            await self.server.spawn()
            await asyncio.sleep(self.rng.uniform(0, 1.0))
            await self.server.kill()
            await self.look()
        await self.server.start()

    async def _stop(self, seconds: float) -> None:
        self.done["stop" if seconds < 5 else "long stop"] += 1
        self.server.stop()
        if self.rng.random() < 0.3:
            self._tear()
        await asyncio.sleep(seconds)
        self.server.go_on()

    def _tear(self) -> None:
        number = self.rng.choice((1, 1, 1, 2, 6))
        for player in self.rng.sample(self.players, number):
            self.done["reset"] += 1
            player.tear(reset=True)
