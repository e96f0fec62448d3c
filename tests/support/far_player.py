"""A player in another network: the client's real line to a server, in a thread that lives there.

It plays by itself while `plays` is true, and can be waited for.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from perudo_bot.brain import Brain
from perudo_bot.identity import first_id
from perudo_bot.moments import Todo, Work, todo
from perudo_client import happenings as h
from perudo_client.address import Address
from perudo_client.connection import Connection, OnClosed, OnMessage
from perudo_client.model import Model
from perudo_client.wire import State, Wire
from perudo_protocol.messages import ClientMessage, Dudo, Ping, PlaceBid, ServerMessage, SpotOn
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Bid, Call, Phase

from .netns import Namespace

BOUND = 30.0
"""Seconds after which what a test waits for is held not to come."""


class NotSeen(AssertionError):
    """What was waited for did not come."""


class FarPlayer:
    """One player, who comes back by themselves."""

    def __init__(self, name: str, space: Namespace, port: int, host: str, pace: float) -> None:
        """Live in this namespace; think up to `pace` seconds."""
        self.name = name
        self.space = space
        self.plays = False
        self.model = Model(first_id=first_id())
        self.happened: list[h.Happening] = []
        self.lost_at = 0.0
        """When the player last knew that the connection was lost."""
        self.pings = 0
        """So often the server has asked for life."""
        self._where = Address(host, port)
        self._pace = pace
        self._rng = random.Random(name)
        self._brain = Brain(random.Random(name))
        self._news = threading.Condition()
        self._todo: Todo | None = None
        self._thinks = self._was_there = False
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()
        assert self._ready.wait(BOUND)

    # For the test's thread --------------------------------------------------------------------

    @property
    def state(self) -> State:
        return self.wire.state

    @property
    def view(self) -> TableView:
        assert self.model.view is not None
        return self.model.view

    @property
    def seat(self) -> int:
        return self.model.my_seat

    def come(self) -> None:
        """Connect, and be let in."""
        self.tell(self._begin)
        self.until_online()

    def ask(self, make: Callable[[Model], ClientMessage]) -> None:
        """Ask for something."""
        self.tell(lambda: self.wire.send(make(self.model)))

    def play(self, on: bool = True) -> None:
        """Play, or only look on."""
        self.plays = on
        self.tell(self._think)

    def tell(self, do: Callable[[], object]) -> None:
        """Do something in the player's thread."""
        self._loop.call_soon_threadsafe(do)

    def until(self, true: Callable[[], bool], bound: float = BOUND) -> float:
        """Wait until something is so for this player; give the time when it was seen."""
        with self._news:
            if not self._news.wait_for(true, bound):
                raise NotSeen(f"{self.name}: {self.state} {self.wire.why!r} {self.model.view!r}")
        if (alarm := self.model.proving.alarm) is not None:
            raise AssertionError(
                f"{self.name} has caught the server cheating: {alarm.fault!r:.1500}"
            )
        return time.monotonic()

    def until_online(self, bound: float = BOUND) -> float:
        """Wait until the player is connected, and let in."""
        return self.until(lambda: self.state is State.ONLINE, bound)

    def until_lost(self, bound: float = BOUND) -> float:
        """Wait until the player knows that the connection is lost."""
        self.until(lambda: self.state is State.AWAY, bound)
        return self.lost_at

    def until_shown(self, times: int = 1, bound: float = BOUND) -> float:
        """Wait until the player was shown the whole table so many times."""
        return self.until(lambda: self.seen(h.Arrived) >= times, bound)

    def until_dealt(self, bound: float = BOUND) -> float:
        """Wait until the player has dice and a round is being bid."""
        return self.until(
            lambda: len(self.view.hand) * (self.view.phase is Phase.BIDDING) > 0, bound
        )

    def until_away(self, seat: int, away: bool = True, bound: float = BOUND) -> float:
        """Wait until this player sees that one is away, or is not."""
        return self.until(lambda: (self.view.seats[seat].away > 0) is away, bound)

    def moves(self) -> int:
        """Count the bids and calls that this player has seen."""
        return sum(isinstance(each, h.BidMade | h.Revealed) for each in self.happened)

    def seen(self, kind: type[h.Happening]) -> int:
        """Count what happened of this kind."""
        return sum(isinstance(each, kind) for each in self.happened)

    def end(self) -> None:
        """Go, without a word."""
        self.plays = False
        with suppress(RuntimeError):  # has ended
            self.tell(self._end)
        self._thread.join(BOUND)

    # In the player's thread -------------------------------------------------------------------

    def _run(self) -> None:
        self.space.enter()
        asyncio.run(self._live())

    async def _live(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self.wire = Wire(self.model, self._hear, time.monotonic, self._connect)
        self._ready.set()
        await self._over.wait()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _connect(self, on_message: OnMessage, on_closed: OnClosed) -> Connection:
        def heard(message: ServerMessage) -> None:
            on_message(message)
            if isinstance(message, Ping):
                self.pings += 1
                self._hear([])

        self.line = Connection(heard, on_closed)
        return self.line

    def _begin(self) -> None:
        self._tasks.add(asyncio.ensure_future(self.wire.connect(self._where, self.name)))

    def _end(self) -> None:
        self.wire.drop()
        self._over.set()

    def _hear(self, happened: list[h.Happening]) -> None:
        with self._news:
            if self.state is not State.AWAY:
                self._was_there = True
            elif self._was_there:
                self._was_there, self.lost_at = False, time.monotonic()
            self.happened.extend(happened)
            self._news.notify_all()
        if any(isinstance(each, h.Welcomed | h.RequestRefused) for each in happened):
            self._todo = None
        self._think()

    def _think(self) -> None:
        if self.plays and not self._thinks:
            self._thinks = True
            self._loop.call_later(self._rng.uniform(0.3, 1) * self._pace, self._do)

    def _do(self) -> None:
        """Do what there is to do, once."""
        self._thinks = False
        view = self.model.view
        if view is None or not self.plays or self.state is not State.ONLINE:
            return
        if view.phase is Phase.OVER:
            if self.model.can_rematch and not self.model.pending:
                self.wire.send(self.model.rematch())
            return
        now = todo(view)
        if now is None or now == self._todo:
            return
        self._todo = now
        if now.work is Work.READY:
            self.wire.send(self.model.ready())
        elif now.work is Work.MOVE:
            self.wire.send(self._choose(view))

    def _choose(self, view: TableView) -> PlaceBid | Dudo | SpotOn:
        match self._brain.choose(view):
            case Bid(quantity, face):
                return self.model.bid(quantity, face)
            case Call.DUDO:
                return self.model.dudo()
            case Call.SPOT_ON:
                return self.model.spot_on()
