"""A bot over the network: `perudo-client --bot host:port`.

Goes to a table, plays there game after game, and looks for another one when the table closes; until
the server stops or somebody ends it. One plain line of text tells each event.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import sys
from typing import Any, NamedTuple, Protocol

from perudo_protocol import tls
from perudo_protocol.elsewhere import Astray, Elsewhere, Known, NotThere
from perudo_protocol.link import Link, TcpLink
from perudo_protocol.messages import Challenge, Redirect, ServerMessage
from perudo_protocol.pins import fingerprint, pin_of
from perudo_protocol.text import clean
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT
from perudo_protocol.words import ByeReason, ErrorWord

from .brain import Brain
from .comeback import PATIENCE, Comeback
from .identity import Identity
from .joining import JoinPlan
from .journey import Journey
from .runner import BotPlayer
from .unlocking import SERVER

OK = 0
INTERRUPTED = 128
"""A signal that ends the bot gives this exit code and its number, as shells do."""
UNAVAILABLE = 69
"""The exit code when the server cannot be reached, or is lost; that of `sysexits.h`."""
REFUSED = 76
"""The exit code when the server will not have this bot; that of `sysexits.h`."""
NO_PERMISSION = 77
"""The exit code when the join words are missing or wrong."""
NOT_TRUSTED = 77
"""The exit code when the server is not the one that it should be, or nobody has vouched for it."""
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
        door = isinstance(message, Challenge) and message.table == SERVER
        if not (door and self.journey.is_there):  # words are for the first address alone
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
            self._end()
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

    def end(self) -> None:
        """Be done."""
        self._end()

    def stop(self, number: int) -> None:
        """Leave the table and end; at once where there is no connection, else soon."""
        self.stopped = number
        if self._dialled is None or self._mouth.link is None:
            self._end()
        else:
            self.leave()
            if self._keeper is not None:
                self._keeper.drop()
            asyncio.get_running_loop().call_later(LEAVE_SECONDS, self._end)

    def puzzle(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End, since the server makes no sense."""
        self.confused = self.confused or type(context.get("exception")).__name__
        self.close()
        self._end()

    def _end(self) -> None:
        if self.comeback is not None:
            self.comeback.stop()
        if not self.over.done():
            self.over.set_result(None)


def run(
    host: str,
    port: int,
    *,
    name: str,
    table: int | None,
    seconds: float,
    certificate: bytes = b"",
    secret: str = "",
    keeper: SeatKeeper | None = None,
    known: Known = lambda host, port: b"",
) -> int:
    """Play on this server until it stops or a signal comes; gives the exit code.

    Goes to this table, or to the first with a free seat. `seconds` is the usual thinking time. With
    the hash of a certificate the connection is encrypted, and the server must have that one.
    `secret` holds join words for a locked server or table; `keeper` keeps the seat; `known` gives
    the certificates of servers that the player knows.
    """
    plan = JoinPlan(table, _tell, secret=secret)
    try:
        place = Place(host, port, certificate)
        return asyncio.run(_visit(place, name, plan, seconds, keeper, known))
    except KeyboardInterrupt:  # where the loop takes no signal handlers
        return INTERRUPTED + signal.SIGINT


async def _visit(
    place: Place,
    name: str,
    plan: JoinPlan,
    seconds: float,
    keeper: SeatKeeper | None,
    known: Known,
) -> int:
    bot = Guest(name, seconds, plan, keeper)
    bot.known = known
    loop = asyncio.get_running_loop()

    async def again() -> None:
        async with asyncio.timeout(PATIENCE):
            sent = bot.journey.next()
            await _connect(bot, place if sent is None else Place.elsewhere(sent))

    failures = (tls.NotPrivate,)
    bot.comeback = Comeback(again, loop.time, failures=failures, on_over=bot.end)
    loop.set_exception_handler(bot.puzzle)
    for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, bot.stop, number)
    try:
        await _dial(bot, place)
    except OSError as wrong:
        why = "no answer" if isinstance(wrong, TimeoutError) else wrong.strerror or str(wrong)
        return _fail(f"cannot reach a server at {place}: {why}", UNAVAILABLE)
    except tls.NotPrivate as wrong:
        return _not_private(place, wrong)
    await bot.over
    if bot.encrypted and not bot.stopped:
        return await _stranger(place)
    return _farewell(bot, place)


def _not_private(place: Place, wrong: tls.NotPrivate) -> int:
    match wrong.trouble:
        case tls.Trouble.CERTIFICATE:
            return _fail(
                f"the certificate at {place} is not the one expected: its fingerprint is"
                f" {fingerprint(wrong.found)}, and should be {fingerprint(place.certificate)};"
                f" if who runs it says that all is well, run perudo-client --forget {place.address}"
                " or use the new address",
                NOT_TRUSTED,
            )
        case tls.Trouble.PLAIN:
            return _fail(
                f"the server at {place} does not encrypt, and should; if who runs it says that all"
                f" is well, run perudo-client --forget {place.address}",
                NOT_TRUSTED,
            )
        case _:
            return _fail(f"no encrypted connection to {place} came about", UNAVAILABLE)


async def _stranger(place: Place) -> int:
    """Say how to go to a server that encrypts and is not known; a bot trusts nobody by itself."""
    try:
        found = await tls.certificate_of(host=place.host, port=place.port)
    except (OSError, tls.NotPrivate):
        return _fail(f"no encrypted connection to {place} came about", UNAVAILABLE)
    return _fail(
        f"nobody has vouched for the server at {place}: its certificate's fingerprint is"
        f" {fingerprint(found)}; if perudo-server showed the same when it started, use"
        f" perudo://{place.address}#{pin_of(found)}",
        NOT_TRUSTED,
    )


async def _dial(bot: Guest, place: Place) -> None:
    """Connect, unless somebody ends the bot before; raises `OSError` or `tls.NotPrivate`."""
    loop = asyncio.get_running_loop()
    dialling = loop.create_task(_connect(bot, place))
    waiting: set[asyncio.Future[Any]] = {dialling, bot.over}
    await asyncio.wait(waiting, timeout=DIAL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    if dialling.done():
        dialling.result()
        return
    dialling.cancel()
    await asyncio.wait({dialling})
    if not bot.stopped:
        raise TimeoutError


async def _connect(bot: Guest, place: Place) -> None:
    bot.port = place.port
    if place.certificate:
        await tls.connect(bot, place.certificate, host=place.host, port=place.port)
    else:
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: TcpLink(bot), place.host, place.port)


def _farewell(bot: Guest, place: Place) -> int:
    if bot.stopped:
        return INTERRUPTED + bot.stopped
    if bot.confused:
        return _fail(f"the bot makes no sense of what the server says ({bot.confused})", REFUSED)
    if bot.locked:
        return _fail(_locked(bot.locked, given=bool(bot.plan.secret)), NO_PERMISSION)
    if bot.error is not None and bot.error.error == ErrorWord.TOO_MANY_TRIES:
        return _fail("too many wrong join words came from here; wait a minute", NO_PERMISSION)
    if bot.error is not None:
        return _fail(_what_is_wrong(bot), REFUSED)
    if bot.bye == ByeReason.SHUTDOWN:
        _tell("the server has stopped")
        return OK
    return _fail(f"the connection to {place} was lost", UNAVAILABLE)


def _locked(what: str, *, given: bool) -> str:
    if given:
        return f"these are not the join words of this {what}"
    return f"this {what} is locked: give its join words with --secret or PERUDO_SECRET"


def _what_is_wrong(bot: Guest) -> str:
    assert bot.error is not None
    match bot.error.error:
        case ErrorWord.VERSION:
            theirs = ", ".join(map(str, bot.error.versions))
            return f"the server speaks other versions of the protocol: {theirs}"
        case ErrorWord.BAD_NAME:
            return f"the server does not take the name {bot.name!r}: 1 to 16 letters wide would do"
        case ErrorWord.NAME_TAKEN:
            return f"the server has too many players who are called {bot.name!r} or nearly so"
        case ErrorWord.TOO_MANY:
            return "the server has as many connections as it may; try again later"
        case other:
            return f"the server ended the connection: {clean(other)}"


def _tell(line: str) -> None:
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def _fail(sentence: str, code: int) -> int:
    sys.stderr.write(f"perudo-client: {sentence}\n")
    return code
