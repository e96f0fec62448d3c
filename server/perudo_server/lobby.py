"""The house: who is connected, under which name, and which tables there are.

Every request of every connection comes through `handle`; it is answered with `done` or `refused`
after all that it caused was told. Who asks is known from the connection, never from the message.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from perudo_protocol import messages as m
from perudo_protocol import returning
from perudo_protocol.codec import encode
from perudo_protocol.version import VERSIONS, common, program_version
from perudo_protocol.words import ByeReason, Denial, ErrorWord

from . import entries as n
from .backlog import Backlog
from .books import Books
from .clock import Clock, millis
from .dice import Dice
from .entrance import Entrance, Ticket
from .greeting import skew
from .journal import NoJournal
from .listing import Listing
from .locks import SERVER, Bolt, Porter, Visit
from .log import event
from .people import Person
from .register import Register
from .session import Session, rates_of
from .settings import Settings
from .tries import Tries

if TYPE_CHECKING:
    from perudo_protocol.ruleset import Ruleset

    from .keeper import Keeper
    from .requests import Outcome
    from .table import Table
# Tables and all that they are made of, and the judge of names, are imported where they are used: a
# server listens before anybody has come (see `cli._load_the_rest`).

MOST_PLACES = 32
"""So many of its addresses the house tells at the most."""
_PROGRAM = f"perudo-server {program_version()}"


class Lobby:
    """Everybody on this server and every table."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        dice: Dice,
        log: logging.Logger,
        join: tuple[str, ...] = (),
        journal: Keeper | None = None,
    ) -> None:
        """Open a house; `join` says where others reach it, as `host:port`.

        All that happens is written to the journal before anybody is told; `restoring.restore`
        brings back what stands in one.
        """
        self.join = join[:MOST_PLACES]
        self.settings = settings
        self.clock = clock
        self.dice = dice
        self.log = log
        self._books = Books(NoJournal() if journal is None else journal, clock, log, self._notify)
        self.flusher = self._books.flusher
        self.backlog = Backlog(clock)
        self.rates = rates_of(settings)
        tries = Tries(settings.secret_tries, settings.secret_tries_in_all, clock)
        self.porter = Porter(settings.secret, tries)
        clock.on_pause = self._woke
        self._entrance = Entrance(settings)
        self._sessions: dict[Session, Ticket | None] = {}
        self._name = settings.server_name
        self.register = Register()
        self._listing = Listing(self.register, clock, settings.list_seconds)
        self._judge: Callable[[Lobby, Person, m.Request], Outcome] | None = None
        """Judges requests; loaded with the first of them."""
        self._closed = ""
        """Why nobody is let in any more."""

    # Connections ----------------------------------------------------------------------------

    @property
    def sessions(self) -> int:
        """How many connections are open, bots of the house included."""
        return len(self._sessions)

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables, oldest first."""
        # `tuple` of what has no known length leaves Python spare tuples that it keeps.
        return (*self.register.tables.values(),)

    def session(self) -> Session:
        """Give the receiver for a new connection."""
        return Session(self, self.register.number("session"))

    def has_room(self, address: str) -> bool:
        """Say whether one more connection of this address may come in."""
        return self._entrance.has_room(address, self.clock.now())

    def admit(self, session: Session) -> bool:
        """Say whether one more connection may come in, and count it."""
        ticket = None
        if session.person is None:
            ticket = self._entrance.admit(session.peer, self.clock.now())
            if ticket is None:
                return False
        self._sessions[session] = ticket
        if self._closed:  # on its way in when the door was closed
            self.clock.soon(session.close, m.Bye(reason=self._closed))
        return True

    def may_ask(self, session: Session) -> bool:
        """Say whether a connection may be asked for something that somebody has to type."""
        ticket = self._sessions[session]
        return ticket is None or ticket.wait(session.make_room)

    def challenge(self, visit: Visit) -> m.Challenge | None:
        """Give the question for the server's join words; nothing where none are needed."""
        bolt = self.porter.bolt
        if bolt is None or not self.porter.bars(visit, SERVER, bolt):
            return None
        return self.porter.ask(visit, SERVER, bolt)

    def unlock(self, visit: Visit, answer: m.Unlock) -> Denial | None:
        """Judge the answer to the question for the server's join words."""
        return self.porter.judge(visit, answer)

    def greet(self, session: Session, hello: m.Hello) -> tuple[ErrorWord, str] | None:
        """Let somebody in under a name of their own, or say why not."""
        version = common(hello.versions)
        if version is None:
            return ErrorWord.VERSION, skew(hello.versions)
        from .names import BadName, judge, skeleton

        person = session.person
        if person is None:
            try:
                name = judge(hello.name)
            except BadName as wrong:
                return ErrorWord.BAD_NAME, str(wrong)
            if skeleton(name) in self.register.names:
                return ErrorWord.NAME_TAKEN, f"somebody here is called {name}, or nearly so"
            person = self.register.enter(name, bot=hello.bot)
            person.address, person.line = session.peer, session
            person.token = hello.key if len(hello.key) == returning.SIZE else b""
            session.person = person
        self._let_in(session)
        event(self.log, "greeted", session=session.number, person=person.number, bot=person.bot)
        self._welcome(person, version, resumed=False)
        self.show(person)
        return None

    def _let_in(self, session: Session) -> None:
        session.greeted()
        if (ticket := self._sessions[session]) is not None:
            ticket.greet()

    def _welcome(self, person: Person, version: int, *, resumed: bool) -> None:
        person.send(
            m.Welcome(
                version=version,
                server=_PROGRAM,
                name=self._name,
                person=person.number,
                you=person.name,
                now=millis(self.clock.now()),
                join=self.join,
                resumed=resumed,
                keeps=self.keeps,
            )
        )

    def resume(self, session: Session, asked: m.Resume, nonce: bytes, proof: bytes) -> bool:
        """Let somebody come back who proves the key of whom they were; say whether they did.

        The newest connection counts; one that still stands is told, and closed.
        """
        person = self.register.people.get(asked.person)
        known = b"" if person is None else person.token
        bound = (known, asked.person, asked.nonce, nonce, session.certificate)
        if not returning.proves(proof, *bound) or person is None or session.person is not None:
            return False
        person.hang_up(m.Bye(reason=ByeReason.TAKEN_OVER))
        person.come(session)
        session.person = person
        self._let_in(session)
        event(self.log, "resumed", session=session.number, person=person.number)
        self._welcome(person, common(asked.versions) or VERSIONS[0], resumed=True)
        if (table := self._table_of(person)) is not None:
            table.came_back(person)
        else:
            self.show(person)
        return True

    def take_entropy(self, person: Person, message: m.Promise | m.Entropy) -> None:
        """Take what somebody adds to the next dice at their table."""
        if (table := self._table_of(person)) is not None:
            from .moves import take_entropy

            take_entropy(table, person, message)

    def show(self, person: Person) -> None:
        """Send somebody the whole picture of where they are: their table, or the list."""
        if (table := self._table_of(person)) is not None:
            table.show(person)
        else:
            person.send(self._listing.message())

    def gone(self, session: Session) -> None:
        """Forget a connection. Whoever it was has left, unless they can come back to a table."""
        if (ticket := self._sessions.pop(session, None)) is not None:
            ticket.give_back()
        person = session.person
        if person is None or person.line is not session or self._closed:
            return  # nobody, or somebody who is here on another connection by now
        event(self.log, "gone", session=session.number, person=person.number)
        table = self._table_of(person)
        if table is not None and person.token:
            table.lost(person)
            return
        person.go()
        self.forget(person)
        if table is not None:
            table.leave(person, None)

    def forget(self, person: Person) -> None:
        """Wait for somebody no more: their name is free, their key is worth nothing."""
        if not self.register.forget(person):
            return
        person.await_no_more()
        if person.noted:
            self.keep(n.HOUSE, n.Gone(person.number))

    def close(self, reason: str) -> None:
        """Tell everybody that the server closes, and hang up; what is written down stays so."""
        self._closed = reason
        for person in self.register.people.values():
            person.await_no_more()
        for table in self.tables:
            if table.play is not None:
                table.play.stop()
        for session in list(self._sessions):
            session.close(m.Bye(reason=reason))

    def finish(self, patience: float) -> None:
        """Close the journal, within so many seconds."""
        self._books.close(patience)

    def _woke(self) -> None:
        """Go on after the whole machine stood still: nobody loses a turn by it."""
        event(self.log, "woke")
        for table in self.tables:
            if table.play is not None:
                table.play.give_time(self.settings.grace_seconds)

    def _table_of(self, person: Person) -> Table | None:
        return self.register.tables.get(person.table)

    # What is written down -------------------------------------------------------------------

    def keep(self, stream: int, entry: n.AnyEntry) -> None:
        """Write down what happens; it is durable before anybody is told of it."""
        self._books.keep(stream, entry)

    @property
    def keeps(self) -> bool:
        """Say whether what is written down outlasts this process."""
        return self._books.keeps

    def know(self, person: Person) -> None:
        """See that the journal knows somebody who comes to a table."""
        self._books.know(person)

    @property
    def stalled(self) -> bool:
        """Say whether nothing can be written down at present: then nothing is to happen."""
        return self._books.stalled

    def _notify(self, frame: bytes) -> None:
        for session in self._sessions:
            session.urge(frame)

    # What requests need of the house --------------------------------------------------------

    def table(self, number: int) -> Table | None:
        """Give the table of this number, if there is one."""
        return self.register.tables.get(number)

    def many_away(self, address: str) -> bool:
        """Say whether as many people of an address are waited for as may be."""
        return self.register.away_from(address) >= self.settings.connections_per_address

    def new_table(self, name: str, rules: Ruleset, maker: Person, bolt: Bolt | None) -> Table:
        """Open a table, at which its maker has the first seat and the key."""
        from .table import Table

        table = Table(self.register.number("table"), name, rules, self, maker)
        table.bolt = bolt
        maker.visit.let_in |= {table.number}
        if bolt is not None:
            self.porter.tries.right(table.number, maker.address)
        self.register.add_table(table, maker.address)
        table.open(maker, maker.address)
        self.changed()
        return table

    # What tables need of the house ----------------------------------------------------------

    def next_game(self) -> int:
        """Give the number of a new game."""
        return self.register.number("game")

    def new_bot(self, stands_in_for: str = "") -> Person:
        """Bring in a bot.

        One that stands in plays under the name of the seat, which stays free for its person.
        """
        from .house_bots import bot_name, bring_in

        name = stands_in_for or bot_name(self.register.names)
        bot = self.register.enter(name, bot=True, named=not stands_in_for)
        bot.ours = True
        bring_in(self, bot)
        return bot

    def changed(self) -> None:
        """Hear that the list of tables is different now."""
        self._listing.changed()

    def close_table(self, table: Table) -> None:
        """Take a table off the list."""
        self.register.close_table(table)
        self.porter.tries.forget(table.number)
        event(self.log, "table_closed", table=table.number)
        self.changed()

    # Requests -------------------------------------------------------------------------------

    def handle(self, person: Person, request: m.Request) -> None:
        """Do what somebody asks, and answer; what was answered before somebody came back is not
        done again."""
        if request.id in person.asked_before:
            self._answer(person, request.id, *person.asked_before[request.id])
            return
        if self._judge is None:
            from .requests import judge

            self._judge = judge
        outcome = self._judge(self, person, request)
        reason, detail = outcome if isinstance(outcome, tuple) else (outcome or "", "")
        reason = str(reason)
        if person.token:
            person.remember(request.id, reason, detail)
            if person.noted:
                self.keep(n.HOUSE, n.Answered(person.number, request.id, reason, detail))
        self._answer(person, request.id, reason, detail)

    def _answer(self, person: Person, number: int, reason: str, detail: str) -> None:
        if reason:
            person.send(m.Refused(re=number, reason=reason, detail=detail))
        else:
            person.line.put(encode(m.Done(re=number)))
