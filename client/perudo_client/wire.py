"""The app at a server: what it asks for, what comes, and a server of its own for a game alone.

One `Wire` outlives its connections. It folds what comes into the model at once, tells the app by
`on_happened`, and says by `state` where things stand.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from typing import cast

from perudo_bot.comeback import CallLater
from perudo_bot.identity import Identity
from perudo_protocol.errors import BadMessage
from perudo_protocol.messages import ClientMessage, Request, ServerMessage
from perudo_protocol.words import ByeReason, ErrorWord

from . import happenings as h
from . import private, reasons, seat_words, trust_words
from .address import Address
from .connection import Connection
from .embedded import CannotStart, EmbeddedServer
from .gate import Gate, key_for, new_lock
from .i18n import _
from .keeping import Keeper
from .kept import KeptSeat, KeptSeats, kept_seat
from .lasting import LastingLine
from .line import Connector, Host
from .line import State as State
from .model import Model
from .naming import numbered
from .trust import CannotRead

BOTS = 3
"""How many bots sit down with somebody who plays alone."""
MOST_NAMES = 9
"""So many numbers are tried behind a name that others have."""


class Wire(LastingLine):
    """Connects, listens, sends; there is one for the whole life of the app."""

    def __init__(
        self,
        model: Model,
        on_happened: Callable[[list[h.Happening]], None],
        now: Callable[[], float],
        connector: Connector = Connection,
        start_server: Callable[[], Awaitable[Host]] = EmbeddedServer.start,
        certificate_of: Callable[[Address], Awaitable[bytes]] = private.certificate_of,
        seats: KeptSeats | None = None,
        call_later: CallLater | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """Fold into this model and tell this app.

        `seats` keeps our seat for the case that this program ends; `call_later` and `chance` are
        for when to try to come back.
        """
        super().__init__(model, now, connector, certificate_of, call_later, chance)
        self.last: Address | None = None
        """The last server without those of our own, which nobody goes to by their address."""
        self.keeper = Keeper(None)
        """Saves the games; nowhere unless told."""
        self.demo = False
        """We only watch the bots."""
        self.setting_up = False
        """The bots have not all sat down yet."""
        self._go_to = 0
        self._watch = False
        self._server: Host | None = None
        self._tries = 0
        self._seats = seats or KeptSeats(None)
        self.gate = Gate(model, self._attempt, self.send, lambda: self.certificate)
        self._working: asyncio.Task[None] | None = None
        self._on_happened = on_happened
        self._now = now
        self._start_server = start_server

    # Coming and going -----------------------------------------------------------------------------

    async def connect(
        self, where: Address, name: str, *, watch: bool = False, chosen: bool = True
    ) -> None:
        """Connect to a server, and go to the table of the address, if it names one.

        Where a seat of ours is left there, by a program that has ended, we come back to it; under
        another name only if this one was not `chosen`.
        """
        self._seats.let_go()
        left = None if watch else self._seats.waiting(where, name, chosen=chosen)
        if left is not None:
            if name not in (left.asked, left.name):
                self.tell(seat_words.taken(left))
            await self.go_back(left)
            return
        if not watch and (other := self._seats.other(where)) is not None:
            self.tell(seat_words.other_name(other))
        self._begin(name)
        self.where = self.last = where
        self._go_to, self._watch = where.table, watch
        self.gate.begin(where)
        await self._dial()

    async def go_back(self, seat: KeptSeat) -> None:
        """Come back to a seat that a program which has ended has left."""
        self._begin(seat.asked)
        self.where = self.last = seat.where._replace(table=0)
        self._go_to, self._watch = 0, False
        self.gate.begin(seat.where)
        if self._seats.take(seat):
            self._who = Identity(seat.key, seat.person)
        await self._dial()

    async def play_alone(self, name: str, *, demo: bool = False) -> None:
        """Start a server, sit down there with bots, or watch them, and begin."""
        self._begin(name)
        self.alone = self.setting_up = True
        self.demo = demo
        try:
            if self._server is None:
                self._server = await self._start_server()
        except CannotStart as wrong:
            self._lose(str(wrong))
            return
        self.where = self._server.address
        await self._dial()

    async def again(self) -> None:
        """Connect once more, as the last time."""
        if self.alone:
            await self.stop_server()
            await self.play_alone(self.name, demo=self.demo)
        elif self.where is not None:
            await self.connect(self.where, self.name, watch=self._watch)

    async def trust(self) -> None:
        """Know the server by the certificate that was asked about, and connect to it."""
        if self.where is None or not self.stranger:
            return
        try:
            self.known.remember(self.where, self.stranger)
        except (CannotRead, OSError) as wrong:
            self._lose(trust_words.not_kept(self.where, self.stranger, str(wrong)))
            return
        await self.connect(self.where._replace(table=self._go_to), self.name, watch=self._watch)

    def leave(self) -> None:
        """Leave the table on purpose, end the connection and go home.

        While the connection is lost nobody can be told: then the seat stays, and may be taken.
        """
        if self.state is State.ONLINE and self.model.view is not None:
            self.send(self.model.leave())
            self._seats.drop()
        self.drop()

    def drop(self) -> None:
        """End the connection and go home, but leave the seat to be taken again."""
        self._comeback.stop()
        self._seats.let_go()
        self._drop()
        self.state, self.why, self.alone, self.setting_up = State.HOME, "", False, False
        self.model.forget()
        self._on_happened([])

    async def stop_server(self) -> None:
        """End the server of our own, if there is one."""
        server, self._server = self._server, None
        if server is not None:
            await server.stop()

    def send(self, message: ClientMessage) -> None:
        """Send a message; without a connection nothing happens, then or later.

        While the dice are found wrong, nothing is played until the player has decided.
        """
        if self.state is State.AWAY or self.model.proving.stops(message):
            if isinstance(message, Request):
                self.model.answered(message.id)
        elif self._line is not None:
            self._line.send(message)

    async def make(
        self, name: str, preset: str, changes: Mapping[str, bool | int | str], words: str
    ) -> None:
        """Ask for a table, locked with these words unless they are empty."""
        line = self._line
        lock = await asyncio.to_thread(new_lock, words) if words else None
        if self._line is line:
            self.gate.words_here = words
            self.send(self.model.make(name, preset, changes, lock))

    def _attempt(self, words: str) -> None:
        """Answer the question that stands; making the key would hold up the screen."""
        self._working = asyncio.get_running_loop().create_task(self._answer(words))

    async def _answer(self, words: str) -> None:
        challenge, line = self.gate.challenge, self._line
        if challenge is None or line is None:
            return
        key = await asyncio.to_thread(key_for, challenge, words)
        if self._line is line and self.gate.challenge is challenge:
            answer = self.gate.answer(key, line.certificate)
            if answer is not None:
                self.send(answer)

    @property
    def seat_left(self) -> KeptSeat | None:
        """A seat on some server that a program of ours which has ended has left."""
        return self._seats.offered()

    # How the line stands --------------------------------------------------------------------------

    def _changed(self) -> None:
        self._on_happened([])

    def _begin(self, name: str) -> None:
        self._seats.let_go()
        super()._begin(name)
        self.gate.begin(None)
        self.model.forget()
        self._tries, self.setting_up = 0, False
        self._changed()

    def _go_away(self, seconds: float) -> None:
        self.setting_up = False
        super()._go_away(seconds)

    def _lose(self, why: str) -> None:
        self._seats.let_go()
        self.setting_up = False
        super()._lose(why)

    def _drop(self) -> None:
        self.gate.close()
        self.keeper.rest()
        super()._drop()

    # What comes -----------------------------------------------------------------------------------

    def _received(self, message: ServerMessage) -> None:
        if self._journey.bars(message):
            raise BadMessage("join words are asked for at the first address alone")
        happened = self.model.apply(message, self._now())
        for said in self.model.proving.outgoing:
            self.send(said)
        welcome = self.model.welcome
        self.keeper.take(self.model.proving.steps, "" if welcome is None else welcome.name)
        for happening in happened:
            self.gate.take(happening)
            self._react(happening)
        if happened:
            self._on_happened(happened)
            if self.state is State.ONLINE and not isinstance(happened[-1], h.Welcomed):
                self._keep()

    def _keep(self) -> None:
        """Write down our seat for the case that this program ends, or forget it."""
        view, welcome = self.model.view, self.model.welcome
        elsewhere = self._word in (ByeReason.TAKEN_OVER, ByeReason.SHUTDOWN)
        if self.alone or self.where is None or welcome is None or elsewhere:
            return
        if view is None or not self.model.seated:
            self._seats.drop()
        else:
            seat = kept_seat(self.where, self._who.key, welcome, view, asked=self.name)
            self._seats.keep(seat)

    def _react(self, happening: h.Happening) -> None:
        match happening:
            case h.Welcomed(welcome):
                self.state = State.ONLINE
                self._came_back(welcome.resumed)
                if not welcome.resumed:
                    if self._tries:
                        ours = self.where and self._seats.is_held(self.where, self.name)
                        said = reasons.name_was_taken(self.name, welcome.you, by_us=bool(ours))
                        self.tell(said)
                    self._enter()
            case h.Arrived(view, again=False) if self.setting_up:
                if self.demo:
                    self.send(self.model.watch(view.table))
                for _bot in range(BOTS + self.demo):
                    self.send(self.model.add_bot())
                self.send(self.model.start())
            case h.GameStarted() | h.RequestRefused():
                self.setting_up = False
            case h.ErrorHappened():
                self._wrong(happening)
            case h.SentOn(redirect):
                self._follow(redirect)
            case h.ServerBye(reason):
                self._word = reason
                self.why = reasons.goodbye(reason, for_good=self._over_for_good)
                if reason == ByeReason.TAKEN_OVER or self._over_for_good:
                    self._seats.drop()
            case _:
                pass

    def _enter(self) -> None:
        if self.alone:
            name = _("Bots at play") if self.demo else _("Game alone")
            self.send(self.model.make(name, "standard", {"turn_seconds": 0}))
        elif self._go_to:
            go = self.model.watch if self._watch else self.model.join
            self.send(go(self._go_to))
            self._go_to = 0

    def _wrong(self, happening: h.ErrorHappened) -> None:
        self._word = happening.error
        if happening.error == ErrorWord.BAD_PROOF:
            self._come_anew()
            return
        if self._journey.untried:
            self._go_back()
            return
        self._tries += 1
        if happening.error == ErrorWord.NAME_TAKEN and self._tries <= MOST_NAMES:
            if self._line is not None:
                self._line.greet(numbered(self.name, self._tries + 1))
            return
        self.why = reasons.error(happening)
        if happening.error in (ErrorWord.BAD_NAME, ErrorWord.NAME_TAKEN):
            self._lose(self.why)

    def _came_back(self, resumed: bool) -> None:
        """Be who we were: ask again what was not answered."""
        self._comeback.stop()
        self._journey.arrived()
        self.why = self.sent_on = ""
        if resumed:
            for request in list(self.model.pending.values()):
                self.send(cast(ClientMessage, request))

    def _come_anew(self) -> None:
        """Nobody waits for us there: greet as somebody new under the same name."""
        if self.alone:
            self._lose(reasons.given_up_alone())
            return
        view = self.model.view
        seated = self.model.seated or self.model.welcome is None
        if view is not None and not seated:
            self._go_to, self._watch = view.table, True
        name = self.model.welcome.you if self.model.welcome is not None else self.name
        self._seats.drop()
        self._who.renew()
        self.gate.begin(self.gate.where)
        self.model.forget()
        if self._journey.is_there:
            self._journey.begin_again()  # nobody is greeted but at the address that was asked for
            self._go_back()
        else:
            self._comeback.stop()
            self.state = State.CONNECTING
        self._on_happened([h.NotWaitedFor(seated)])
        if self._line is not None:
            self._line.greet(name)
