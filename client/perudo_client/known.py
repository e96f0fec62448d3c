"""What is known of the server and of our table, and what is asked about it; pure.

What may be done is what the server's options and lists say: no rule of the game is known here.
"""

from __future__ import annotations

from perudo_protocol.messages import TableLine, Welcome
from perudo_protocol.ruleset import STANDARD, Ruleset
from perudo_protocol.views import NOBODY, SeatView, TableView
from perudo_protocol.vocabulary import NO_SEAT, Bid, Options, Phase, Player

from .asking import Asking

_NO_SEAT = SeatView(name="", player=Player.NOBODY)
"""A seat that does not exist."""


class Known(Asking):
    """Who we are, the tables, the table we are at, and the server's clock."""

    def __init__(self, first_id: int = 0) -> None:
        """Start before the greeting: nothing is known yet."""
        super().__init__(first_id)
        self.welcome: Welcome | None = None
        self.tables: tuple[TableLine, ...] = ()
        self.view: TableView | None = None
        self.rules: Ruleset = STANDARD
        """The options of the table that we are at."""
        self._offset = 0.0
        self._stood: float | None = None
        """The server's clock, in seconds, while it stands still."""
        self._lost_seat = NO_SEAT

    @property
    def person(self) -> int:
        """Our own number on this server; `NOBODY` before the greeting."""
        return self.welcome.person if self.welcome is not None else NOBODY

    @property
    def my_seat(self) -> int:
        """Our own seat, or `NO_SEAT`."""
        return self.view.my_seat if self.view is not None else NO_SEAT

    @property
    def my_turn(self) -> bool:
        """Whether it is our turn."""
        view = self.view
        return view is not None and view.turn is not None and view.turn.seat == view.my_seat

    @property
    def my_options(self) -> Options:
        """What we may do now, as the server said."""
        return self.view.options_for(self.view.my_seat) if self.view is not None else Options()

    @property
    def standing(self) -> Bid | None:
        """The bid that stands in the round being bid, or `None`."""
        view = self.view
        if view is None or view.phase is not Phase.BIDDING or view.standing is None:
            return None
        return view.standing.bid

    def _left(self, moment: int, now: float) -> float:
        """Give the seconds that the server's clock has to go until this moment of it."""
        there = now + self._offset if self._stood is None else self._stood
        return max(0.0, moment / 1000 - there)

    def seconds_left(self, now: float) -> float | None:
        """Give the seconds that the turn has left at `now`; `None` without a turn or a clock."""
        view = self.view
        if view is None or view.turn is None or view.turn.deadline == 0:
            return None
        return self._left(view.turn.deadline, now)

    def seconds_to_next(self, now: float) -> float | None:
        """Give the seconds until the next round begins by itself; `None` if none is awaited."""
        view = self.view
        if view is None or view.resume == 0:
            return None
        return self._left(view.resume, now)

    def away_left(self, seat: int, now: float) -> float | None:
        """Give the seconds for which a seat waits for its player; `None` if they are there."""
        until = self._seat(seat).away
        return self._left(until, now) if until else None

    def pause_left(self, now: float) -> float | None:
        """Give the seconds until the game, which is paused, goes on; `None` if it is not paused."""
        if self.view is None or not self.view.paused:
            return None
        return self._left(self.view.paused, now)

    # What we may ask the server to do at this table ---------------------------------------------

    @property
    def am_host(self) -> bool:
        """Whether we are the table's host."""
        return self.view is not None and self.view.host == self.view.you != NOBODY

    @property
    def between_games(self) -> bool:
        """Whether no game is on at our table."""
        return self.view is not None and self.view.phase in (Phase.LOBBY, Phase.OVER)

    @property
    def in_game(self) -> bool:
        """Whether we have something to lose in a game that is on: dice, or a seat to take back."""
        if self.view is None or self.between_games:
            return False
        return self.stood_in or self._seat(self.my_seat).dice > 0

    @property
    def can_start(self) -> bool:
        """Whether we may start the first game here."""
        return self.am_host and self._in(Phase.LOBBY) and len(self._seats()) >= 2

    @property
    def can_rematch(self) -> bool:
        """Whether we may start another game here."""
        return self.am_host and self._in(Phase.OVER) and self._players() >= 2

    @property
    def can_add_bot(self) -> bool:
        """Whether we may seat a bot."""
        return self.am_host and self.between_games and self._players() < self.rules.max_players

    @property
    def can_be_ready(self) -> bool:
        """Whether being ready means something now: before a game, between rounds, after."""
        view = self.view
        if view is None or view.my_seat == NO_SEAT or view.phase is Phase.BIDDING:
            return False
        return self.between_games or view.seats[view.my_seat].dice > 0

    @property
    def am_ready(self) -> bool:
        """Whether we have said that we are ready."""
        view = self.view
        return view is not None and view.my_seat != NO_SEAT and view.seats[view.my_seat].ready

    @property
    def seated(self) -> bool:
        """Whether a seat is ours, be it that a bot plays on in it until we are back."""
        return self.my_seat != NO_SEAT or self.stood_in

    @property
    def counted_away(self) -> bool:
        """Whether our seat waits for us, though we are connected: our time ran out twice."""
        return self._seat(self.my_seat).away > 0

    @property
    def keeps(self) -> bool:
        """Whether what happens at this server outlasts its process."""
        return self.welcome is not None and self.welcome.keeps

    @property
    def stood_in(self) -> bool:
        """Whether a bot plays on in our seat, which we may have back."""
        if self.my_seat != NO_SEAT:
            return False
        seat, welcome = self._seat(self._lost_seat), self.welcome
        ours = welcome is not None and seat.name == welcome.you
        return ours and seat.player is Player.STAND_IN

    @property
    def can_come_back(self) -> bool:
        """Whether we may say that we are here again."""
        return self.counted_away or self.stood_in

    @property
    def can_have_more_time(self) -> bool:
        """Whether we may ask for more time now."""
        view = self.view
        if view is None or view.turn is None or not self.my_turn or view.paused:
            return False
        return view.turn.deadline > 0 and self._seat(view.my_seat).more_time

    @property
    def paused(self) -> bool:
        """Whether the host has paused the game."""
        return self.view is not None and self.view.paused > 0

    @property
    def can_pause(self) -> bool:
        """Whether we may pause the game, or let it go on."""
        return self.am_host and not self.between_games

    def can_remove_bot(self, seat: int) -> bool:
        """Whether we may take the bot from this seat."""
        bots = (Player.BOT, Player.STAND_IN)
        return self.am_host and self.between_games and self._seat(seat).player in bots

    def can_kick(self, person: int) -> bool:
        """Whether we may send this person away."""
        return self.am_host and person not in (NOBODY, self.person)

    def can_hand_over(self, person: int) -> bool:
        """Whether we may make this person the host."""
        return self.can_kick(person)

    def person_named(self, name: str) -> int:
        """Give the number of the person at our table with this name, or `NOBODY`."""
        if self.view is None:
            return NOBODY
        wanted = name.strip().casefold()
        people = [(s.name, s.person) for s in self.view.seats]
        people += [(w.name, w.person) for w in self.view.watchers]
        return next((who for called, who in people if called.casefold() == wanted), NOBODY)

    def seat_named(self, text: str) -> int:
        """Give the seat of this name, or of this number counted from 1, or `NO_SEAT`."""
        seats = self.view.seats if self.view is not None else ()
        wanted = text.strip().casefold()
        for number, seat in enumerate(seats):
            if seat.name.casefold() == wanted:
                return number
        if wanted.isdecimal() and wanted.isascii() and 1 <= int(wanted[:3]) <= len(seats):
            return int(wanted[:3]) - 1
        return NO_SEAT

    def _in(self, phase: Phase) -> bool:
        return self.view is not None and self.view.phase is phase

    def _seats(self) -> tuple[SeatView, ...]:
        return self.view.seats if self.view is not None else ()

    def _players(self) -> int:
        """Give how many play in the next game: a seat that its player has left is dropped then."""
        waiting = [who for who in self.view.watchers if who.waiting] if self.view else []
        stay = (Player.PERSON, Player.BOT)
        return sum(seat.player in stay for seat in self._seats()) + len(waiting)

    def _seat(self, number: int) -> SeatView:
        seats = self._seats()
        return seats[number] if 0 <= number < len(seats) else _NO_SEAT
