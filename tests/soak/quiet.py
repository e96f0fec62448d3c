"""A quiet table: six clients in one process who bid by what is offered, and measure.

`python -m tests.soak.quiet HOST PORT` plays until its standard input ends. It prints the number of
its table once a game is on; at the end, as JSON, each bid's moment of sending and the seconds until
the last of the six had it (both by the monotonic clock, which processes share).
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import count
from typing import cast

from msgspec.structs import replace

from perudo_protocol import messages as m
from perudo_protocol.codec import decode_server, encode
from perudo_protocol.framing import TO_CLIENT, FrameReader
from perudo_protocol.story import BidPlaced, fold_all, with_hand
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import FACES, Phase

NAMES = ("Ana", "Bia", "Caio", "Duda", "Gil", "Iara")
PACE = 0.05
"""Seconds between a bid that all have seen and the next one."""
EACH = 0.3
"""Seconds between two acts of the same player; more often would be refused in the long run."""
LONGEST = 150
"""Bids after which somebody calls, so that rounds end."""
STALLED = 30.0
"""Seconds without any news after which the table is held to be dead."""


class Player(asyncio.Protocol):
    """One of the six."""

    def __init__(self, table: QuietTable, name: str) -> None:
        self.name = name
        self.view: TableView | None = None
        self._table = table
        self._reader = FrameReader(TO_CLIENT)
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self.send(m.Hello(versions=(1,), client="quiet", name=self.name))

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (payload := self._reader.next()) is not None:
            self._hear(_decode(payload))
        self._table.look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._table.broken(f"{self.name} lost the connection")

    def send(self, message: m.FromClient) -> None:
        assert self._transport is not None
        self._transport.write(encode(message))

    def _hear(self, message: m.ServerMessage) -> None:
        match message:
            case m.View(view=view):
                self.view = view
            case m.Update(rev=rev, events=events) if self.view is not None:
                self.view = replace(fold_all(self.view, events), rev=rev)
                if any(isinstance(step, BidPlaced) for step in events):
                    self._table.seen()
            case m.OwnHand(dice=dice, seed=seed) if self.view is not None:
                self.view = with_hand(self.view, dice, seed)
            case m.Ping(now=now):
                self.send(m.Pong(now=now))
            case m.Refused(reason=reason) if reason not in ("stale", "game_on"):
                self._table.broken(f"{self.name} was refused: {reason}")
            case m.Error(error=word) | m.Bye(reason=word):
                self._table.broken(f"{self.name} was told {word}")


class QuietTable:
    """The six together. They look at each other's views, since they are here to measure."""

    def __init__(self) -> None:
        self.players = [Player(self, name) for name in NAMES]
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.figures: list[tuple[float, float]] = []
        self.table = 0
        self._sent = 0.0
        self._missing = 0
        self._ids = count(1)
        self._done: tuple[object, ...] = ()
        self._news = time.monotonic()

    async def play(self, host: str, port: int) -> None:
        """Sit down and play until `over`."""
        loop = asyncio.get_running_loop()
        for player in self.players:
            await loop.create_connection(partial(_same, player), host, port)
            if player is self.players[0]:
                player.send(m.Make(id=0, name="Quiet", options={"turn_seconds": 0}))
            else:
                player.send(m.Join(id=0, table=self.table))
            await self._until(partial(_sits, player))
            assert player.view is not None
            self.table = player.view.table
        self.players[0].send(m.Start(id=next(self._ids)))
        await self._until(lambda: self._stage() is Phase.BIDDING)
        _tell(self.table)
        while not self.over.done():
            await asyncio.wait([self.over], timeout=1)
            if time.monotonic() - self._news > STALLED:
                self.broken("nothing was heard for a long time")
        self.over.result()

    async def _until(self, done: Callable[[], bool]) -> None:
        while not done():
            if self.over.done():
                self.over.result()
            await asyncio.sleep(0.005)

    def broken(self, why: str) -> None:
        """End, since the quiet table is not left in peace."""
        if not self.over.done():
            self.over.set_exception(RuntimeError(why))

    def seen(self) -> None:
        """Hear that one more of the six has seen the bid."""
        self._missing -= 1
        if self._missing == 0:
            now = time.monotonic()
            self.figures.append((self._sent, now - self._sent))

    def _stage(self) -> Phase | None:
        view = self.players[0].view
        return None if view is None else view.phase

    def look(self) -> None:
        """Do what is to be done once all six have seen the same."""
        self._news = time.monotonic()
        views = [player.view for player in self.players]
        first = views[0]
        if first is None or not self.table or self.over.done():
            return
        if any(view is None or view.rev != first.rev for view in views):
            return
        stage = (first.game, first.round, first.phase, len(first.ladder), first.turn is None)
        if stage == self._done:
            return
        if first.phase is Phase.BIDDING and (first.turn is None or not self._dealt()):
            return
        self._done = stage
        left = sum(seat.dice > 0 for seat in first.seats)
        pace = max(PACE, EACH / max(1, left))
        asyncio.get_running_loop().call_later(pace, self._move, first)

    def _dealt(self) -> bool:
        return all(
            player.view is not None
            and len(player.view.hand) == player.view.seats[player.view.my_seat].dice
            for player in self.players
        )

    def _move(self, view: TableView) -> None:
        if self.over.done():
            return
        match view.phase:
            case Phase.BIDDING:
                self._bid(view)
            case Phase.OVER:
                host = next(p for p in self.players if p.view and p.view.my_seat == 0)
                host.send(m.Rematch(id=next(self._ids)))
            case Phase.THROW | Phase.REVEAL:
                for player in self.players:
                    player.send(m.SetReady(id=next(self._ids), game=view.game, round=view.round))
            case _:
                pass

    def _bid(self, view: TableView) -> None:
        assert view.turn is not None
        seat = view.turn.seat
        player = next(p for p in self.players if p.view and p.view.my_seat == seat)
        stamp = {"game": view.game, "round": view.round, "number": len(view.ladder)}
        least = view.options_for(seat).least
        offered = [(least[face - 1], face) for face in FACES if least[face - 1]]
        if not offered or len(view.ladder) >= LONGEST:
            player.send(m.Dudo(id=next(self._ids), **stamp))
            return
        quantity, face = min(offered)
        bid = m.PlaceBid(id=next(self._ids), quantity=quantity, face=face, **stamp)
        self._missing = len(self.players)
        self._sent = time.monotonic()
        player.send(bid)


@lru_cache(maxsize=64)
def _decode(payload: bytes) -> m.ServerMessage:
    """Read what all six get but once: each stands for a machine of its own."""
    return decode_server(payload)


def _same(player: Player) -> Player:
    return player


def _sits(player: Player) -> bool:
    return player.view is not None


def _tell(figures: object) -> None:
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.stdout.flush()


async def _run(host: str, port: int) -> None:
    table = QuietTable()
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    playing = loop.create_task(table.play(host, port))
    waiting = loop.create_task(reader.read())
    await asyncio.wait({playing, waiting}, return_when=asyncio.FIRST_COMPLETED)
    if not table.over.done():
        table.over.set_result(None)
    await playing
    _tell(table.figures)


if __name__ == "__main__":
    asyncio.run(_run(sys.argv[1], int(sys.argv[2])))
