"""Scripted players who come and go: they leave, drop, come back, and open a table of their own when
theirs has closed. The few who belong together are a crew."""

from __future__ import annotations

import asyncio
import random
from collections import Counter

from perudo_protocol import messages as m
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Phase, Player
from perudo_protocol.words import Denial

from .line import Line
from .player import HARMLESS, Scripted
from .witness import Facts

RETRY = 0.5
"""Seconds before another try to come to a table."""


class Crew:
    """Those who meet at one table, over and over; the `Evening` of each of them."""

    def __init__(self, number: int, port: int, rng: random.Random, figures: Figures) -> None:
        self.port = port
        self.table = 0
        self.options: dict[str, bool | int | str] = {
            "start_dice": 2,
            "turn_seconds": 30,
            "away_seconds": 10,
            "on_leave": rng.choice(["bot", "ghost"]),
        }
        self.pace = 1.5
        self.facts = Facts()
        self.maker: Guest | None = None
        """Who is opening a table."""
        self.bots = rng.randint(1, 2)
        self.figures = figures
        self.open = True
        """Whether they still come to tables."""
        self._rng = rng
        self._made = 0
        self._number = number
        names = (f"{who} {number}" for who in ("Ana", "Bo", "Cy")[: rng.randint(2, 3)])
        self.guests = [Guest(name, self, random.Random(rng.getrandbits(64))) for name in names]

    def table_name(self) -> str:
        """Give a name that no table has."""
        self._made += 1
        return f"T{self._number} {self._made}"

    def wrong(self, what: str) -> None:
        """Keep evidence."""
        self.figures.evidence.append(f"crew {self._number}: {what}")

    def sent(self, player: Scripted, message: m.FromClient) -> None:
        """Begin to measure how long the answer takes."""
        if isinstance(message, m.Request):
            self.figures.asked(message.id)

    def news(self) -> None:
        """Nobody waits for any."""

    def resumed(self, player: Scripted, lost: float) -> None:
        """Count it."""
        self.figures.counts["resumed"] += 1

    def may_start(self, view: TableView) -> bool:
        """Say whether two at least are there."""
        there = [s for s in view.seats if s.player is Player.PERSON and not s.away]
        waiting = [person for person in view.watchers if person.waiting]
        return self.open and len(there) + len(waiting) >= 2

    async def meet(self, start: float) -> None:
        """Come after so many seconds, and do what people do."""
        await asyncio.sleep(start)
        for guest in self.guests:
            guest.come()
        while self.open:
            await asyncio.sleep(self._rng.uniform(1, 9))
            self._happen(self._rng.choice(self.guests))

    def _happen(self, guest: Guest) -> None:
        chance = self._rng.random()
        if guest.line is None:
            return
        if chance < 0.25:
            self.figures.counts["reset"] += 1
            guest.tear(reset=True)
        elif chance < 0.4:
            self.figures.counts["lid"] += 1
            guest.close_lid(self._rng.uniform(0.5, 15))
        elif chance < 0.55 and guest.view is not None:
            self.figures.counts["leave"] += 1
            guest.leave()


class Figures:
    """What is counted and measured over all crews."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.evidence: list[str] = []
        self.waits: list[float] = []
        self._asked: dict[int, float] = {}

    def asked(self, request: int) -> None:
        """Begin to measure."""
        self._asked.setdefault(request, asyncio.get_running_loop().time())

    def answered(self, request: int) -> None:
        """Note how long the answer took."""
        if (asked := self._asked.pop(request, None)) is not None:
            self.waits.append(asyncio.get_running_loop().time() - asked)


class Guest(Scripted):
    """One of a crew."""

    harmless = HARMLESS | {"no_table", "not_at_table", "table_full", "name_taken", "at_table"}

    def __init__(self, name: str, crew: Crew, rng: random.Random) -> None:
        super().__init__(name, crew, rng)
        self._crew = crew
        self._going = False

    def leave(self) -> None:
        """Leave the table, perhaps to come to it again."""
        self._ask(m.Leave(id=self.new_id()))

    def go(self) -> None:
        """Leave the table and the server, for good."""
        self._going = True
        if self.line is None or self.view is None:
            self.end()
        else:
            self.leave()

    def _hear(self, line: Line, message: m.ServerMessage) -> None:
        if isinstance(message, m.Done | m.Refused):
            self._crew.figures.answered(message.re)
        if isinstance(message, m.Away):
            self.view, self.settled = None, False
            self._waits_for = 0
            self._stop_timer()
            self._again()
        else:
            super()._hear(line, message)
        if isinstance(message, m.Refused) and message.reason == Denial.NO_TABLE:
            self._crew.table = 0
        if isinstance(message, m.View):
            self._crew.maker = None
            self.told.clear()
            self.answers.clear()
        if self._going and not self.pending:
            self.end()

    def _again(self) -> None:
        self._loop.call_later(RETRY, self._go_to_table)

    def _go_to_table(self) -> None:
        crew = self._crew
        if self.view is not None or self.pending or self.line is None or not crew.open:
            return
        if crew.table:
            self._ask(m.Join(id=self.new_id(), table=crew.table))
        elif crew.maker in (None, self):
            crew.maker = self
            name = crew.table_name()
            self._ask(m.Make(id=self.new_id(), name=name, options=crew.options))
        self._again()

    def _do(self) -> None:
        view = self.view
        if view is not None and view.phase is Phase.LOBBY and view.host == view.you:
            bots = sum(seat.player is Player.BOT for seat in view.seats)
            if bots < self._crew.bots and not self.pending:
                self._wait_for(m.AddBot(id=self.new_id()))
                return
        super()._do()
