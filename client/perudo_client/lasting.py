"""A line to one server that comes back by itself when it is lost, and goes where it is sent.

It makes one connection after the other, as one person, until it is given up. What is said on them
is for whoever builds on it.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable

from perudo_bot.comeback import PATIENCE, CallLater, Comeback
from perudo_bot.identity import Identity
from perudo_bot.journey import Journey
from perudo_protocol.elsewhere import Astray, NotThere
from perudo_protocol.messages import Redirect, ServerMessage
from perudo_protocol.words import ByeReason

from . import reasons, sent_words, trust_words
from .address import Address, place_of
from .coming_back import FOR_EVER, seconds_alone, seconds_to_try
from .dialing import CONNECT_SECONDS
from .endings import NOT_THE_SAME, CannotConnect, Closed
from .line import Connector, Line, State
from .model import Model
from .trust import CannotRead, KnownServers


class LastingLine(ABC):
    """Connects, and connects again; there is one for the whole life of the app."""

    def __init__(
        self,
        model: Model,
        now: Callable[[], float],
        connector: Connector,
        certificate_of: Callable[[Address], Awaitable[bytes]],
        call_later: CallLater | None,
        chance: Callable[[], float],
    ) -> None:
        """`call_later` and `chance` are for when to try to come back."""
        self.model = model
        self.state = State.HOME
        self.why = ""
        """Why the connection is over, or did not come about; a sentence."""
        self.where: Address | None = None
        """The server that we are at, or were at last."""
        self.tell: Callable[[str], None] = lambda sentence: None
        """Hears what the player should know about a connection that came about."""
        self.known = KnownServers()
        """The servers whose certificates are known."""
        self.stranger = b""
        """The certificate that the player is asked about; empty for none."""
        self.mistrusted = False
        """No connection came about since the server is not the one that it should be."""
        self.name = ""
        self.alone = False
        """A game against bots on a server of our own."""
        self.sent_on = ""
        """Where the server has sent us, in a sentence, while we are on our way."""
        self._line: Line | None = None
        self._connector = connector
        self._certificate_of = certificate_of
        self._looking: asyncio.Task[None] | None = None
        self._pinned = b""
        self._who = Identity()
        self._word = ""
        """Of the last `bye` or `error` on this connection."""
        self._stops = False
        self._journey = Journey(now)
        self._port = 0
        self._comeback = Comeback(
            self._try_again,
            now,
            call_later=call_later,
            chance=chance,
            failures=(CannotConnect,),
            on_change=self._changed,
            on_over=self._give_up,
        )

    @abstractmethod
    def _changed(self) -> None:
        """Hear that things stand in another way."""

    @abstractmethod
    def _received(self, message: ServerMessage) -> None:
        """Hear what the server says; may raise `BadMessage`."""

    @property
    def certificate(self) -> bytes:
        """The hash of the server's certificate; no bytes on a plain line, and without a line."""
        return b"" if self._line is None else self._line.certificate

    # The first connection, and its end ------------------------------------------------------------

    def _begin(self, name: str) -> None:
        """Be somebody new under this name, and at no server yet."""
        self._comeback.stop()
        self._drop()
        self._who = Identity()
        self.name, self.why, self.sent_on = name, "", ""
        self.alone = self.mistrusted = False
        self._journey.begin_again()
        self.state = State.CONNECTING

    async def _dial(self) -> None:
        try:
            await self._reach(CONNECT_SECONDS)
        except CannotConnect as wrong:
            self._cannot(wrong)

    async def _reach(self, seconds: float) -> None:
        """Connect and say who we are; raises `CannotConnect`, unless we want it no more."""
        assert self.where is not None

        def received(message: ServerMessage) -> None:
            if self._line is line:
                self._received(message)

        def closed(why: Closed) -> None:
            if self._line is line:
                self._closed(why)

        line = self._connector(received, closed)
        is_first = self.state is State.CONNECTING
        self._line, self._word = line, ""
        try:
            where, is_sent = self.where, False
            if not self.alone:
                sent = self._journey.next()
                is_sent = sent is not None
                where = self.known.vouched(where) if sent is None else place_of(sent)
            self._pinned, self._port = where.digest, where.port
            await line.connect(where, self.name, who=self._who, seconds=seconds)
            if not is_sent and self.known.introduce(where) and is_first:
                self.tell(trust_words.another(where))
        except CannotRead as wrong:
            self._lose(str(wrong))
        except CannotConnect:
            if self._line is line:
                self._line = None
                raise
        except asyncio.CancelledError:
            line.close()
            raise

    def _cannot(self, wrong: CannotConnect) -> None:
        """Say why no connection came about."""
        assert self.where is not None
        self.mistrusted = wrong.trouble in NOT_THE_SAME
        self._lose(reasons.cannot_connect(wrong.trouble, self.where, self._pinned, wrong.found))

    def _drop(self) -> None:
        """End the connection, and what goes on beside it."""
        self.stranger = b""
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
        line, self._line = self._line, None
        if line is not None:
            line.close()

    def _lose(self, why: str) -> None:
        self._comeback.stop()
        self._drop()
        self.state = State.LOST
        self.why = why or self.why
        self._changed()

    def _closed(self, why: Closed) -> None:
        if self._journey.untried:
            self._go_away(FOR_EVER)  # whatever is there: the first address may know better
            return
        if why is Closed.ENCRYPTED:
            self._comeback.stop()
            self._drop()
            self._looking = asyncio.get_running_loop().create_task(self._look())
            return
        seconds = self._seconds_to_try(why)
        self.why = self.why or reasons.closed(why)
        if seconds:
            self._go_away(seconds)
        else:
            self._lose(self.why)

    async def _look(self) -> None:
        """Look at the certificate of a server that turned out to encrypt, and ask the player."""
        assert self.where is not None
        try:
            found = await self._certificate_of(self.where)
        except CannotConnect as wrong:
            self._looking = None
            self._lose(reasons.cannot_connect(wrong.trouble, self.where))
            return
        self._looking = None
        self.stranger, self.state = found, State.ASKING
        self._changed()

    def _seconds_to_try(self, why: Closed) -> float:
        """Give for how long to try to come back from this; 0 for not at all."""
        if self.state not in (State.ONLINE, State.AWAY) or self._over_for_good:
            return 0.0
        if self.alone:
            return seconds_alone(self._word)
        trying = self.state is State.AWAY
        return seconds_to_try(why, self._word, trying=trying)

    @property
    def _over_for_good(self) -> bool:
        """Whether the server has stopped, and our seat with it."""
        lost = self.model.seated and not self.model.keeps
        return lost and self._word == ByeReason.SHUTDOWN and self.model.welcome is not None

    # Coming back ----------------------------------------------------------------------------------

    @property
    def away_since(self) -> float | None:
        """When we heard the server last, after the connection was lost; `None` while it is not."""
        began = self._comeback.began
        return None if began is None else min(began, self.model.heard)

    @property
    def stopping(self) -> bool:
        """Whether the server said that it stops, when it was last heard of."""
        return self._stops

    @property
    def seconds_to_next_try(self) -> float:
        """Give the seconds until we try again; 0 while we are trying."""
        return self._comeback.seconds_to_next

    def hurry(self) -> None:
        """Try again at once."""
        self._comeback.hurry()

    def _go_away(self, seconds: float) -> None:
        """Try to come back, for so many seconds."""
        self._line = None
        if self.state is State.AWAY:
            self._comeback.failed()
            return
        self.state = State.AWAY
        self._stops = self._word == ByeReason.SHUTDOWN
        self._comeback.begin(seconds)

    async def _try_again(self) -> None:
        try:
            await self._reach(PATIENCE)
        except CannotConnect as wrong:
            if wrong.trouble not in NOT_THE_SAME or self._journey.is_there:
                raise
            self._cannot(wrong)

    def _give_up(self) -> None:
        self._lose(self.why)

    # Being sent on --------------------------------------------------------------------------------

    def _follow(self, said: Redirect) -> None:
        """Go on at another address as who we are, or end where we are not to go there."""
        line = self._line
        if line is None:
            return
        try:
            if self.alone or not self._who.known:
                raise NotThere(Astray.UNKNOWN)
            ends = line.peer, self._port, line.certificate
            place = self._journey.follow(said, *ends, self.known.certificate_at)
        except NotThere as wrong:
            self._lose(sent_words.not_there(wrong.why, said.place))
        except CannotRead as wrong:
            self._lose(str(wrong))
        else:
            self.sent_on = sent_words.sent_on(place_of(place))
            self.tell(self.sent_on)
            self._go_back()

    def _go_back(self) -> None:
        """End this connection, and come back on another one."""
        line, self._line = self._line, None
        if line is not None:
            line.close()
        self._go_away(FOR_EVER)
