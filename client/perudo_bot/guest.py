"""A bot over TCP: it comes back by itself, goes where the server sends it, and keeps its seat."""

from __future__ import annotations

import asyncio
import random
from typing import Any, NamedTuple, Protocol

from perudo_protocol import tls
from perudo_protocol.elsewhere import Astray, Elsewhere, Known, NotThere
from perudo_protocol.link import Link, TcpLink
from perudo_protocol.messages import Redirect, ServerMessage
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT
from perudo_protocol.words import ByeReason

from .brain import Brain
from .comeback import Comeback
from .identity import Identity
from .joining import JoinPlan
from .journey import Journey
from .runner import BotPlayer

DIAL_SECONDS = 10.0
LEAVE_SECONDS = 2.0
AFTER_SHUTDOWN = 60.0
"""So long a bot with a seat waits for a server that has stopped to be started again."""
LONGEST_TRY = 300.0
"""So long it tries to come back when the connection is lost."""


class Place(NamedTuple):
    """Where a server is, and the hash of the certificate that it must have; empty for none."""

    host: str
    port: int
    certificate: bytes = b""

    def __str__(self) -> str:
        """Name it in a sentence."""
        return f"{self.host}, port {self.port}"

    @property
    def address(self) -> str:
        """Name it for a command."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @classmethod
    def elsewhere(cls, sent: Elsewhere) -> Place:
        """Give the place to which a server has sent us."""
        return cls(*sent)


class SeatKeeper(Protocol):
    """Keeps a seat for the case that this program ends."""

    def left(self) -> Identity | None:
        """Give who we were, if a program that has ended has left a seat."""

    def keep(self, who: Identity, view: TableView, name: str) -> None:
        """We sit at this table."""

    def drop(self) -> None:
        """We have no seat any more."""


class Guest(BotPlayer):
    """A bot over TCP: it comes back by itself; its end can be waited for, and asked for."""

    def __init__(
        self, name: str, seconds: float, join: JoinPlan, keeper: SeatKeeper | None = None
    ) -> None:
        """Prepare to play; call within a running loop."""
        self._keeper = keeper
        who = keeper.left() if keeper is not None else None
        super().__init__(name, Brain(random.Random()), seconds, join, who=who or Identity())
        self.comeback: Comeback | None = None
        """How to come back after a lost connection; it does not without."""
        self.plan = join
        self.journey = Journey(asyncio.get_running_loop().time)
        """Where the server is to be found."""
        self.port = 0
        """The port that we are connected to."""
        self.known: Known = lambda host, port: b""
        """Gives the certificate by which the server at an address is known."""
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the connection is over, or when there will be none."""
        self.stopped = 0
        """The signal that has asked it to end, if one has."""
        self.confused = ""
        """What went wrong over something that the server said; no server of ours says such."""
        self._dialled: Link | None = None
        self._at_table = False
        self._moves = False
        """This connection is given up for another one."""

    def opened(self, link: Link) -> None:
        """Greet."""
        self._dialled = link
        super().opened(link)

    def received(self, data: bytes) -> None:
        """Take bytes from the server, and keep the seat that we have after them."""
        super().received(data)
        if self._keeper is None or self._who is None or self.stopped:
            return
        if self._seated and self.view is not None:
            self._keeper.keep(self._who, self.view, self.name)
        elif self._at_table:
            self._keeper.drop()
        self._at_table = self.view is not None

    @property
    def _seated(self) -> bool:
        return self.view is not None and self.view.my_seat != NO_SEAT

    def _heard(self, message: ServerMessage) -> None:
        if not self.journey.bars(message):
            super()._heard(message)

    def sent_on(self, said: Redirect) -> None:
        """Go on where the server sends us, or end where we are not to go there."""
        link = self._mouth.link
        try:
            if link is None or self._who is None or not self._who.known:
                raise NotThere(Astray.UNKNOWN)
            ends = link.peer, self.port, link.certificate
            place = Place.elsewhere(self.journey.follow(said, *ends, self.known))
        except NotThere as wrong:
            self.confused = f"sent on: {wrong.why}"
        else:
            self.plan.tell(f"the server sends us on to {place.address}")
            self._moves = True
        self.close()

    def greets(self) -> bool:
        """Say whether we may greet here: at the first address alone."""
        if not self.journey.untried:
            return True
        self.journey.begin_again()
        self._moves = True
        self.close()
        return False

    def welcomed(self) -> None:
        """Try no more to come back."""
        self.journey.arrived()
        if self.comeback is not None:
            self.comeback.stop()

    def lost(self) -> None:
        """The connection is over: come back if there is a seat to come back to."""
        moved = self._moves
        seconds = self._seconds_to_try()
        super().lost()
        if self.comeback is None or not seconds:
            self.end()
        elif self.comeback.began is None:
            if not moved:
                self.plan.tell("the connection was lost; trying to come back")
            self.comeback.begin(seconds)
        else:
            self.comeback.failed()

    def _seconds_to_try(self) -> float:
        moves, self._moves = self._moves, False
        trying = self.comeback is not None and self.comeback.began is not None
        if self.stopped or self.confused:
            return 0.0
        if moves or self.journey.untried:  # whatever is there: the first address may know better
            return LONGEST_TRY
        wanted = not (self.encrypted or self.locked)
        passes = self.error is None and self.bye in ("", ByeReason.DEAD, ByeReason.SHUTDOWN)
        if not (wanted and passes and (trying or self._seated)):
            return 0.0
        return AFTER_SHUTDOWN if self.bye == ByeReason.SHUTDOWN else LONGEST_TRY

    def stop(self, number: int) -> None:
        """Leave the table and end; at once where there is no connection, else soon."""
        self.stopped = number
        if self._dialled is None or self._mouth.link is None:
            self.end()
        else:
            self.leave()
            if self._keeper is not None:
                self._keeper.drop()
            asyncio.get_running_loop().call_later(LEAVE_SECONDS, self.end)

    def puzzle(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End, since the server makes no sense."""
        self.confused = self.confused or type(context.get("exception")).__name__
        self.close()
        self.end()

    def end(self) -> None:
        """Be done."""
        if self.comeback is not None:
            self.comeback.stop()
        if not self.over.done():
            self.over.set_result(None)


async def dial(bot: Guest, place: Place) -> None:
    """Connect, unless somebody ends the bot before; raises `OSError` or `tls.NotPrivate`."""
    loop = asyncio.get_running_loop()
    dialling = loop.create_task(connect(bot, place))
    waiting: set[asyncio.Future[Any]] = {dialling, bot.over}
    await asyncio.wait(waiting, timeout=DIAL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    if dialling.done():
        dialling.result()
        return
    dialling.cancel()
    await asyncio.wait({dialling})
    if not bot.stopped:
        raise TimeoutError


async def connect(bot: Guest, place: Place) -> None:
    """Connect; raises `OSError` or `tls.NotPrivate`."""
    bot.port = place.port
    if place.certificate:
        await tls.connect(bot, place.certificate, host=place.host, port=place.port)
    else:
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: TcpLink(bot), place.host, place.port)
