"""One table: who sits there, and the games played at it. It is told what people want, judges it,
and tells everybody what happened; it is the only writer of all this.

Requests give `None` when they were carried out, else the reason word. What only the host may ask
for stands in `hosting`.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from perudo_protocol.codec import encode
from perudo_protocol.messages import Away, OwnHand, TableLine, Update, View
from perudo_protocol.ruleset import Ruleset, to_wire
from perudo_protocol.story import AnyEvent, TimedOut, Won
from perudo_protocol.views import NOBODY
from perudo_protocol.vocabulary import NO_SEAT, Refusal
from perudo_protocol.words import AwayReason, Denial

from . import absence, view
from . import entries as n
from .clock import Timer
from .locks import Bolt
from .log import event
from .people import Person
from .play import Play
from .roster import Roster
from .roster_kept import kept_roster
from .rules.game import Stage
from .story_log import log_story

if TYPE_CHECKING:
    from .house import House

No = Refusal | Denial | None
TOGETHER = 0.05
"""Seconds of a step of the clock at which lists of people that were put off are told: those of many
tables go out in one turn of the loop, and are one commit."""


class Table:
    """A table with its seats, its watchers, and at most one game at a time."""

    def __init__(self, number: int, name: str, rules: Ruleset, house: House, maker: Person) -> None:
        """Make a table, with nobody at it yet; its maker is to be the host."""
        self.number = number
        self.name = name
        self.rules = rules
        self.house = house
        self.rev = 0
        self.roster = Roster(host=maker)
        self.play: Play | None = None
        self.picture = view.Picture()
        self.bolt: Bolt | None = None
        """What locks the table, if anything does."""
        self.banned: dict[str, None] = {}
        """The keys of those who were sent away."""
        self._closed = False
        self._deserted: Timer | None = None
        """Rings when bots have played on among themselves for long enough."""
        self._crowd_told = -math.inf
        self._crowd_waits = False
        self._kept: n.Roster | None = None
        """Who was at the table when it was last written down."""

    def open(self, maker: Person, address: str) -> None:
        """Open the table: its maker takes the first seat."""
        bolt = (b"", b"") if self.bolt is None else (self.bolt.salt, self.bolt.key)
        self.keep(n.Opened(self.name, to_wire(self.rules), address, *bolt))
        self.roster.sit(maker)
        maker.table = self.number
        self.keep_people()

    # What is written down -------------------------------------------------------------------

    def keep(self, entry: n.AnyEntry) -> None:
        """Write down what happens here, before anybody is told."""
        self.house.keep(self.number, entry)

    def keep_people(self) -> None:
        """Write down who is at the table now, if that has changed."""
        for person in self.roster.everybody():
            self.house.know(person)
        kept = kept_roster(self.roster, self.number, self.banned)
        if kept != self._kept:
            self._kept = kept
            self.keep(kept)

    # What people see ------------------------------------------------------------------------

    def show(self, person: Person) -> None:
        """Send somebody the whole picture."""
        person.send(View(view=view.build(self, person)))

    def tell(self, events: list[AnyEvent], but: Person | None = None) -> None:
        """Tell everybody at the table what happened: encoded once, put and never awaited."""
        if not events:
            return
        self.rev += 1
        frame = encode(Update(rev=self.rev, events=tuple(events)))
        for person in self.roster.everybody():
            if person is not but:
                person.line.put(frame)
        log_story(self.house.log, self, events)

    def tell_people(self, but: Person | None = None, sent_away: int = NOBODY) -> None:
        """Tell who is at the table now, and whom the host has just sent away."""
        self.keep_people()
        self.tell([view.people(self.roster, self.play, sent_away)], but)
        self.house.changed()

    def tell_crowd(self, but: Person | None = None) -> None:
        """Tell who is at the table when only who watches has changed: at once, but of many who
        come and go together not of each."""
        self.keep_people()
        self.tell_back(but)

    def tell_back(self, but: Person | None) -> None:
        """The same for somebody who is back; what is put off need not be written down before."""
        if self._crowd_waits:
            return
        now = self.house.clock.now()
        due = self._crowd_told + self.house.settings.crowd_seconds
        if due > now:
            self._crowd_waits = True
            together = math.ceil(due / TOGETHER) * TOGETHER
            self.house.clock.later(together - now, self._tell_crowd)
        else:
            self._crowd_told = now
            self.tell_people(but)

    def _tell_crowd(self) -> None:
        self._crowd_waits = False
        self._crowd_told = self.house.clock.now()
        if self.roster.people():
            self.tell_people()

    def line(self) -> TableLine:
        """Give this table's line in the list; who stood in for somebody counts to the end."""
        taken = [seat for seat in self.roster.seats if seat.taken or self.game_on]
        seated = [seat for seat in taken if seat.person is not None]
        bots = sum(seat.person is not None and seat.person.bot for seat in seated)
        return TableLine(
            table=self.number,
            name=self.name,
            rules=self.rules.changes(),
            people=len(seated) - bots,
            bots=bots,
            seats=self.rules.max_players,
            watchers=len(self.roster.watchers),
            playing=self.game_on,
            locked=self.bolt is not None,
        )

    # Coming and going -----------------------------------------------------------------------

    @property
    def game_on(self) -> bool:
        """Say whether a game goes on here."""
        return self.play is not None and self.play.on

    def free_seats(self) -> int:
        """Say how many more may sit, those who wait for the next game counted as seated."""
        waiting = sum(watcher.waiting for watcher in self.roster.watchers)
        taken = sum(seat.taken for seat in self.roster.seats)
        return self.rules.max_players - taken - waiting

    @property
    def is_open(self) -> bool:
        """Say whether somebody may sit down now."""
        return self.play is None and self.free_seats() > 0

    def join(self, person: Person) -> No:
        """Let somebody sit down, or wait for the next game if one has begun (D35)."""
        if person.key in self.banned:
            return Denial.KICKED
        if self.roster.seat_of(person) != NO_SEAT:
            return Denial.AT_TABLE
        if self.play is None:
            if self.free_seats() < 1:
                return Denial.TABLE_FULL
            self.roster.sit(person)
            return self._come(person)
        return self._look_on(person, waiting=True)

    def watch(self, person: Person) -> No:
        """Let somebody watch; one who sits gives up the seat, which goes only between games."""
        if person.key in self.banned:
            return Denial.KICKED
        seat = self.roster.seat_of(person)
        if seat != NO_SEAT:
            if self.game_on:
                return Denial.GAME_ON
            self._leave_seat(person, seat)
        return self._look_on(person, waiting=False)

    def _look_on(self, person: Person, *, waiting: bool) -> No:
        here = person.table == self.number
        if any(w.person is person and w.waiting == waiting for w in self.roster.watchers):
            return Denial.AT_TABLE
        if not here and len(self.roster.watchers) >= self.house.settings.watchers_per_table:
            return Denial.TABLE_FULL
        stood_up = not any(watcher.person is person for watcher in self.roster.watchers) and here
        self.roster.watch(person, waiting=waiting)
        return self._come(person, crowd=not stood_up)

    def _come(self, person: Person, *, crowd: bool = False) -> No:
        person.table, host = self.number, self.roster.host
        self.mind()  # only bots may have been here, who play on for people away
        (self.tell_crowd if crowd and self.roster.host is host else self.tell_people)(but=person)
        self.show(person)
        return None

    def lost(self, person: Person) -> None:
        """Hear that the connection of somebody who can come back is lost."""
        absence.lost(self, person)

    def came_back(self, person: Person) -> None:
        """Welcome somebody who has come back on another connection, and show them all."""
        absence.came_back(self, person)

    def leave(self, person: Person, reason: AwayReason | None) -> None:
        """Let somebody go for good, in whatever phase and role; `None`: the connection is lost."""
        seat = self.roster.seat_of(person)
        person.table = 0
        if reason is not None:
            person.send(Away(reason=reason))
        ids = {"table": self.number, "person": person.number, "seat": seat}
        event(self.house.log, "left", **ids, why=reason or "lost")
        person.await_no_more()
        owned = self.roster.owned_by(person)
        if owned != NO_SEAT:
            self.roster.seats[owned].owner = None
        if not person.here:
            self.house.forget(person)
        self.roster.stop_watching(person)
        crowd, host = seat == NO_SEAT and owned == NO_SEAT, self.roster.host
        gives_up = seat != NO_SEAT and self._leave_seat(person, seat)
        if not self.mind():
            return
        if reason is AwayReason.KICKED:
            self.tell_people(sent_away=person.number)
        else:
            (self.tell_crowd if crowd and self.roster.host is host else self.tell_people)()
        if self.play is not None and seat != NO_SEAT:
            if gives_up:
                self.play.leave(seat)
            else:
                self.play.absent(seat)
            self.after_ready()

    def _leave_seat(self, person: Person, seat: int) -> bool:
        """Free a seat; say whether the game has to be told that nobody plays it any more."""
        if self.play is None:
            self.roster.stand_up(person)
            return False
        owner = self.roster.seats[seat].owner
        self.roster.vacate(seat)
        if owner is not None and not owner.here:
            self.house.forget(owner)  # the bot that kept the seat for them is gone
        if not self.play.on or seat not in self.play.ready_seats():
            return False
        if self.rules.on_leave == "ghost" or person.ours or not self.roster.elect():
            return True
        bot = self.house.new_bot(stands_in_for=self.roster.seats[seat].name)
        bot.table = self.number
        self.roster.stand_in(seat, bot)
        event(self.house.log, "stand_in", table=self.number, person=bot.number, seat=seat)
        return False

    def mind(self) -> bool:
        """See that there is a host; say whether the table stays open.

        It closes when nobody is left who is no bot. While somebody may yet come back to a seat,
        bots play on, for `deserted_seconds` at the most.
        """
        if not self.roster.elect(there=not self.game_on):
            self.close()
            return False
        if self.roster.people():
            self._let_stand()
        elif self._deserted is None:
            seconds = self.house.settings.deserted_seconds
            self._deserted = self.house.clock.later(seconds, self.close)
        return True

    def _let_stand(self) -> None:
        if self._deserted is not None:
            self._deserted.cancel()
            self._deserted = None

    def close(self) -> None:
        """Close the table: whoever was waited for is not any more."""
        if self._closed:
            return
        self._closed = True
        self._let_stand()
        self.keep(n.Closed())
        for person in [*self.roster.everybody(), *self.roster.owners()]:
            if person.table == self.number:
                person.await_no_more()
                if not person.here:
                    self.house.forget(person)
        if self.play is not None:
            self.play.stop()
        for person in self.roster.everybody():
            self.dismiss(person, AwayReason.CLOSED)
        self.house.close_table(self)
        self.play = None

    def dismiss(self, person: Person, reason: AwayReason) -> None:
        """Send somebody away from the table; a bot of the house goes home altogether."""
        if person.table == self.number:
            person.table = 0
            person.send(Away(reason=reason))
        if person.ours:
            person.hang_up()

    # Playing --------------------------------------------------------------------------------

    def start_game(self) -> None:
        """Start a game with those who sit now."""
        for seat in self.roster.seats:
            seat.ready, seat.time_outs, seat.more_time = False, 0, self.rules.turn_seconds > 0
        self.keep_people()
        number, proof = self.house.next_game(), self.house.dice.new_id()
        self.play = self.new_play(number, proof, len(self.roster.seats))
        names = {"table": self.number, "game": self.play.number}
        event(self.house.log, "game_started", **names, seats=len(self.roster.seats))
        self.play.begin()
        self.house.changed()

    def new_play(self, number: int, proof: str, seats: int) -> Play:
        """Prepare a game at this table."""
        return Play(
            number,
            self.rules,
            seats,
            clock=self.house.clock,
            dice=self.house.dice,
            settings=self.house.settings,
            tell_all=self._tell_play,
            hand_out=self._hand_out,
            keep=partial(self.house.keep, self.number) if self.house.keeps else None,
            proof=proof,
        )

    def _tell_play(self, events: list[AnyEvent]) -> None:
        self.tell(events)
        for happened in events:
            if isinstance(happened, TimedOut):
                absence.timed_out(self, happened.seat)
            elif isinstance(happened, Won):
                self.house.changed()
                if not self.roster.host.here:
                    self.roster.elect(there=True)
                    self.tell_people()

    @property
    def moment(self) -> tuple[int, int]:
        """The game and the round that acts must name now."""
        return (0, 0) if self.play is None else (self.play.number, self.play.game.round)

    def after_ready(self) -> None:
        """Begin the next round as soon as all who play are ready; nobody waits for the absent."""
        play = self.play
        if play is None or play.game.stage is not Stage.DEALING or play.paused:
            return
        seats = [self.roster.seats[seat] for seat in play.ready_seats()]
        awaited = [seat for seat in seats if not seat.away]
        if awaited and all(seat.ready for seat in awaited):
            play.deal()

    def _hand_out(self) -> None:
        for seat in self.roster.seats:
            seat.ready = False
        play = self.play
        if play is None:
            return
        for number, seat in enumerate(self.roster.seats):
            hand = view.own_hand(play, number)
            if seat.person is not None and hand:
                seed = view.own_seed(play, number)
                seat.person.send(OwnHand(round=play.game.round, dice=hand, seed=seed))
