"""A wire that remembers: a proxy between clients and a server, and clients that play by themselves.

Everything here runs in the test's own event loop; the server is a process of its own.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from perudo_protocol import messages as m
from perudo_protocol.codec import decode_server, encode
from perudo_protocol.framing import HEADER, TO_CLIENT, FrameReader
from perudo_protocol.link import Link, TcpLink
from perudo_protocol.tls import ClientLink
from perudo_protocol.vocabulary import FACES, Phase

from .fair_table import FairPeer

BOUND = 60.0
"""Seconds after which what is waited for is held not to come."""


class Line:
    """All bytes of one connection."""

    def __init__(self) -> None:
        self.to_server = bytearray()
        self.to_client = bytearray()

    def frames(self) -> list[tuple[int, bytes]]:
        """Give each frame to the client, header and all, with the place where it begins."""
        reader = FrameReader(TO_CLIENT)
        reader.feed(bytes(self.to_client))
        found, at = [], 0
        while (payload := reader.next()) is not None:
            whole = len(payload).to_bytes(HEADER, "big") + payload
            found.append((at, whole))
            at += len(whole)
        return found

    def messages(self) -> list[m.ServerMessage]:
        """Give all messages to the client, and see that each says nothing but what it holds."""
        found = []
        for _, frame in self.frames():
            found.append(decode_server(frame[HEADER:]))
            assert encode(found[-1]) == frame
        return found


class Recorder:
    """Passes bytes on in both directions, and keeps them: a line for each connection, in order."""

    def __init__(self, port: int) -> None:
        self.lines: list[Line] = []
        self.port = 0
        self._server_port = port
        self._tasks: set[asyncio.Task[None]] = set()

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take a client's connection."""
        line = Line()
        self.lines.append(line)
        there = await asyncio.open_connection("127.0.0.1", self._server_port)
        for source, sink, kept in (
            (reader, there[1], line.to_server),
            (there[0], writer, line.to_client),
        ):
            self._tasks.add(asyncio.create_task(self._pump(source, sink, kept)))

    async def _pump(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, kept: bytearray
    ) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                kept += data
                sink.write(data)
        sink.close()

    async def end(self) -> None:
        """Wait until all connections are over."""
        async with asyncio.timeout(BOUND):
            await asyncio.gather(*self._tasks)


@asynccontextmanager
async def recorder(port: int) -> AsyncIterator[Recorder]:
    """Stand before the server at this port of the loopback."""
    kept = Recorder(port)
    server = await asyncio.start_server(kept.take, "127.0.0.1", 0)
    kept.port = server.sockets[0].getsockname()[1]
    try:
        yield kept
    finally:
        server.close()


class WirePlayer(FairPeer):
    """Plays whatever is offered, as soon as it is asked: chance alone decides."""

    def __init__(self, which: int, stir: asyncio.Event) -> None:
        super().__init__(which)
        self.answers: dict[int, str] = {}
        self.plays = True
        self._stir = stir
        self._chance = random.Random(which)
        self._done: set[tuple[int, ...]] = set()

    def opened(self, link: Link) -> None:
        super().opened(link)
        self._stir.set()

    def hear(self, message: m.ServerMessage) -> None:
        super().hear(message)
        match message:
            case m.Done(re=number):
                self.answers[number] = "done"
            case m.Refused(re=number, reason=reason):
                self.answers[number] = reason
            case m.Update() | m.View() if self.plays:
                self._play()
        self._stir.set()

    def lost(self) -> None:
        super().lost()
        self._stir.set()

    def _play(self) -> None:
        if self.view is None or self.seat < 0 or not self.mine.dice:
            return
        at = self.at
        if at.phase in (Phase.THROW, Phase.REVEAL) and self._once(at.game, at.round):
            self.send(m.SetReady(id=self.new_id(), game=at.game, round=at.round))
        elif at.turn is not None and at.turn.seat == self.seat:
            if self._once(at.game, at.round, len(at.ladder)):
                self.send(self._move())

    def _once(self, *moment: int) -> bool:
        fresh = moment not in self._done
        self._done.add(moment)
        return fresh

    def _move(self) -> m.Act:
        options = self.at.options_for(self.seat)
        stamp = {"id": self.new_id(), **self.stamp()}
        faces = [face for face in FACES if options.least[face - 1]]
        if options.may_spot_on and self._chance.random() < 0.1:
            return m.SpotOn(**stamp)
        if options.may_dudo and (not faces or self._chance.random() < 0.4):
            return m.Dudo(**stamp)
        face = self._chance.choice(faces)
        return m.PlaceBid(**stamp, quantity=options.least[face - 1], face=face)


class Evening:
    """People who come through one recorder, by name."""

    def __init__(self, recorder: Recorder, certificate: bytes = b"") -> None:
        """Expect this certificate, or a plain line without one."""
        self.people: dict[str, WirePlayer] = {}
        self._recorder = recorder
        self._certificate = certificate
        self._stir = asyncio.Event()

    def line(self, name: str) -> Line:
        """Give all that went over somebody's line."""
        return self._recorder.lines[list(self.people).index(name)]

    async def until(self, done: Callable[[], bool]) -> None:
        """Wait for something that is so after one message or another."""
        async with asyncio.timeout(BOUND):
            while not done():
                self._stir.clear()
                await self._stir.wait()

    async def come(self, name: str) -> WirePlayer:
        """Connect and greet."""
        player = self.people[name] = WirePlayer(len(self.people) + 1, self._stir)
        await asyncio.get_running_loop().create_connection(
            lambda: self._link(player), "127.0.0.1", self._recorder.port
        )
        await self.until(lambda: player.link is not None)
        player.send(m.Hello(versions=(1,), client="recorded", name=name))
        await self.until(lambda: bool(player.all(m.Tables)))
        return player

    def _link(self, player: WirePlayer) -> TcpLink:
        if self._certificate:
            return ClientLink(player, self._certificate, BOUND)
        return TcpLink(player)

    async def ask(self, player: WirePlayer, kind: type[m.Request], **fields: Any) -> None:
        """Send a request and see it carried out."""
        number = player.new_id()
        player.send(kind(id=number, **fields))
        await self.until(lambda: number in player.answers)
        assert player.answers[number] == "done"

    async def part(self) -> None:
        """Have everybody leave, and wait until all is over."""
        for player in self.people.values():
            if player.link is not None and not player.is_lost:
                player.link.close()
        await self._recorder.end()
