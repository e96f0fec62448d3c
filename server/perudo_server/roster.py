"""Who is at a table: seats, watchers, host. Plain bookkeeping; it knows no game.

The host is always exactly one person, never a bot: the one who made the table, until that person
leaves, hands over, or is away while no game is on; then the first person by seat, then the one who
has watched longest, and of those one who is there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from perudo_protocol.vocabulary import NO_SEAT, Player

from .people import Person


@dataclass(slots=True)
class SeatState:
    """One seat: the name stays with the seat even when a bot plays on for the person."""

    name: str
    player: Player
    person: Person | None
    ready: bool = False
    owner: Person | None = None
    """Who may take the seat back from the bot that stands in."""
    away: float = 0.0
    """Until when the seat waits for its player, on the clock; 0 when the player is there."""
    time_outs: int = 0
    """So many turns in a row ran out of time."""
    more_time: bool = False
    """Whether its player may still ask for more time in this game."""

    @property
    def taken(self) -> bool:
        """Say whether anybody plays here for themselves, and so plays in a rematch too."""
        return self.player in (Player.PERSON, Player.BOT)


@dataclass(slots=True)
class Watcher:
    """Somebody without a seat; `waiting` for one in the next game (D35)."""

    person: Person
    waiting: bool


@dataclass(slots=True)
class Roster:
    """Everybody at one table."""

    host: Person
    seats: list[SeatState] = field(default_factory=list)
    watchers: list[Watcher] = field(default_factory=list)

    def everybody(self) -> list[Person]:
        """Give all who are to be told what happens, bots too."""
        here = [seat.person for seat in self.seats if seat.person is not None]
        if self.watchers:
            here += [watcher.person for watcher in self.watchers]
        return here

    def people(self) -> list[Person]:
        """Give all who are no bots."""
        return [person for person in self.everybody() if not person.bot]

    def owners(self) -> list[Person]:
        """Give all who may take a seat back, and are not at the table meanwhile."""
        here = self.everybody()
        return [s.owner for s in self.seats if s.owner is not None and s.owner not in here]

    def find(self, number: int) -> Person | None:
        """Give the one with this number, if at this table."""
        return next((p for p in self.everybody() if p.number == number), None)

    def seat_of(self, person: Person) -> int:
        """Give the seat of somebody, or `NO_SEAT`."""
        for number, seat in enumerate(self.seats):
            if seat.person is person:
                return number
        return NO_SEAT

    def owned_by(self, person: Person) -> int:
        """Give the seat that somebody may take back from a bot, or `NO_SEAT`."""
        for number, seat in enumerate(self.seats):
            if seat.owner is person:
                return number
        return NO_SEAT

    def sit(self, person: Person) -> None:
        """Give somebody a seat of their own, at the end."""
        self.stop_watching(person)
        player = Player.BOT if person.bot else Player.PERSON
        self.seats.append(SeatState(person.name, player, person))

    def watch(self, person: Person, *, waiting: bool) -> None:
        """Put somebody among the watchers, without a seat."""
        for watcher in self.watchers:
            if watcher.person is person:
                watcher.waiting = waiting
                return
        self.watchers.append(Watcher(person, waiting))

    def stop_watching(self, person: Person) -> None:
        """Take somebody from among the watchers, if there."""
        self.watchers = [w for w in self.watchers if w.person is not person]

    def stand_up(self, person: Person) -> None:
        """Take somebody's seat away altogether; between games only."""
        self.seats = [seat for seat in self.seats if seat.person is not person]

    def vacate(self, seat: int) -> None:
        """Leave a seat to nobody; it keeps its name, and is not ready."""
        left = self.seats[seat]
        left.player, left.person, left.owner, left.ready = Player.NOBODY, None, None, False
        left.away, left.time_outs = 0.0, 0

    def stand_in(self, seat: int, bot: Person, owner: Person | None = None) -> None:
        """Let a bot play on in a seat, which keeps its name; its owner may take it back."""
        self.vacate(seat)
        taken = self.seats[seat]
        taken.player, taken.person, taken.owner = Player.STAND_IN, bot, owner

    def take_back(self, seat: int, person: Person) -> Person | None:
        """Give a seat back to its person; gives the bot that played on."""
        self.stop_watching(person)
        taken = self.seats[seat]
        bot, taken.person = taken.person, person
        taken.player, taken.owner = Player.PERSON, None
        return bot

    def fill_up(self, most: int) -> list[Person]:
        """Make ready for a rematch: drop the seats of those who have gone, seat those who wait.

        Gives the bots that stood in for somebody and are at no seat any more.
        """
        idle = [s.person for s in self.seats if s.person is not None and not s.taken]
        self.seats = [seat for seat in self.seats if seat.taken]
        for watcher in [w for w in self.watchers if w.waiting]:
            if len(self.seats) < most:
                self.sit(watcher.person)
        return idle

    def elect(self, *, there: bool = False) -> bool:
        """See that the host is a person at the table, or else one who may come back to it; say
        whether there is anybody to be it.

        With `there` a host who is away is followed by somebody who is not, if anybody is.
        """
        people = self.people() or self.owners()
        present = [person for person in people if person.here]
        if people and (self.host not in people or (there and not self.host.here and present)):
            self.host = (present or people)[0]
        return bool(people)
