"""Server messages folded into what the screen shows; pure, without clock, loop or terminal.

`apply` takes one message and gives what came of it; the `ask` half makes the requests, each with
its own number, and remembers them, so that a refusal can say what was refused. No rule of the game
is known here: what may be done is what the server's options say.
"""

from __future__ import annotations

from collections import deque

from msgspec.structs import replace

from perudo_protocol.errors import BadMessage
from perudo_protocol.messages import (
    Away,
    Bye,
    Challenge,
    Done,
    Error,
    Nonce,
    Notice,
    OwnHand,
    Ping,
    Redirect,
    Refused,
    Said,
    ServerMessage,
    TableLine,
    Tables,
    Update,
    View,
    Welcome,
)
from perudo_protocol.ruleset import STANDARD, Ruleset
from perudo_protocol.story import with_hand
from perudo_protocol.views import NOBODY, SeatView, TableView
from perudo_protocol.vocabulary import NO_SEAT, Bid, Options, Phase, Player
from perudo_protocol.words import AwayReason, NoticeWord

from . import happenings as h
from .asking import Asking
from .findings import Finding
from .folding import fold_steps, happenings
from .guard import checked, cleaned, read_rules
from .proving import Draws, Mark, Proving, fresh
from .returned import bot_played

AWAKE_SECONDS = 2.0
"""A process that was not heard to be awake for so long has slept, or was stopped."""
MOST_LINES = 500
"""How many happenings the story keeps."""


class Model(Asking):
    """All that the screen shows: who we are, the tables, the table we are at, the story."""

    def __init__(self, entropy: Draws = fresh, first_id: int = 0) -> None:
        """Start before the greeting: nothing is known yet.

        `entropy` draws our share in the dice; nothing else here comes from outside.
        """
        super().__init__(first_id)
        self.proving = Proving(entropy)
        """Our share in the dice, and the check of everybody's. What it has `outgoing` after a
        message is to be sent at once."""
        self.welcome: Welcome | None = None
        self.tables: tuple[TableLine, ...] = ()
        self.view: TableView | None = None
        self.rules: Ruleset = STANDARD
        """The options of the table that we are at."""
        self.story: deque[h.Happening] = deque(maxlen=MOST_LINES)
        """What happened at this table, chat included, newest last; `story_words.story` words it."""
        self.storage_full = False
        """The server cannot write down what happens: nothing goes on until it can."""
        self.heard = 0.0
        """When the server was heard last, while this process was awake."""
        self._beat: float | None = None
        self._offset = 0.0
        self._stood: float | None = None
        """The server's clock, in seconds, while it stands still."""
        self._away: tuple[float, TableView | None] | None = None
        """For how long we were away, and the table before it; till we see the table again."""
        self._back = False
        self._lost_seat = NO_SEAT

    def forget(self) -> None:
        """Begin afresh, as before the greeting: the connection is gone. The story stays."""
        self.welcome, self.tables = None, ()
        self.view, self.rules = None, STANDARD
        self.pending.clear()
        self.storage_full, self._lost_seat = False, NO_SEAT
        self._stood, self._away = None, None
        self.proving.forget()

    def apply(self, message: ServerMessage, now: float) -> list[h.Happening]:
        """Take one message in at `now` (seconds of any steady clock) and say what came of it.

        Raises `BadMessage` for a message that makes no sense here; the model is then as before.
        """
        self.proving.begin(now)
        happened = self._apply(cleaned(message), now)
        awake = self._beat is None or now - self._beat <= AWAKE_SECONDS
        if awake and not isinstance(message, Bye | Nonce | Error | Redirect):
            self.heard = now
        self.story.extend(happened)
        return happened

    def _apply(self, message: ServerMessage, now: float) -> list[h.Happening]:
        match message:
            case Welcome(resumed=resumed):
                if resumed and self.welcome is not None:
                    self._away = now - self.heard, self.view
                self._stood = None
                self.welcome = message
                self._back, self.storage_full = resumed, False
                if resumed:
                    self.proving.came_back(now)
                self._set_clock(message.now, now)
                return [h.Welcomed(message)]
            case Nonce():
                return []
            case Notice(notice=notice):
                return self._notice(notice, now)
            case Challenge():
                return [h.WordsWanted(message)]
            case Tables(tables=tables):
                self.tables = tables
                return [*self._returned(), *self._gone_meanwhile(), h.TablesChanged()]
            case View(view=view):
                return self._arrive(view)
            case Update():
                return self._update(message)
            case OwnHand():
                return self._hand(message)
            case Said(person=person, name=name, text=text, phrase=phrase):
                mine = person == self.person != NOBODY
                return [h.ChatSaid(person, name, text, phrase, mine)]
            case Away(reason=reason):
                left, self.view, self.rules = self.view, None, STANDARD
                self.proving.forget()
                return [h.LeftTable(reason, left)]
            case Done(re=number):
                return [h.RequestDone(self.answered(number))]
            case Refused(re=number, reason=reason, detail=detail):
                return [h.RequestRefused(self.answered(number), reason, detail, self.view)]
            case Error(error=error, detail=detail, versions=versions):
                return [h.ErrorHappened(error, detail, versions)]
            case Bye(reason=reason):
                return [h.ServerBye(reason)]
            case Redirect():
                return [h.SentOn(message)]
            case Ping(now=server_now):
                self._set_clock(server_now, now)
                return []

    def _notice(self, word: str, now: float) -> list[h.Happening]:
        """Take in the server's state, which it repeats while it lasts; its clock stands still."""
        full = word == NoticeWord.STORAGE_FULL
        if not (full or word == NoticeWord.STORAGE_BACK) or full is self.storage_full:
            return []
        self.storage_full = full
        if full:
            self._stood = now + self._offset
        elif self._stood is not None:
            self._offset, self._stood = self._stood - now, None
        return [h.StorageChanged(full)]

    def _returned(self, view: TableView | None = None) -> list[h.Happening]:
        """Say that we are back, at what we see first then."""
        if self._away is None:
            return []
        (seconds, before), self._away = self._away, None
        if view is None or before is None:
            return [h.CameBack(seconds)]
        return [h.CameBack(seconds, bot_played(before, view, self.rules, seconds))]

    def _gone_meanwhile(self) -> list[h.Happening]:
        """Leave the table that is no more: on coming back we get the list of tables instead."""
        back, self._back = self._back, False
        if not back or self.view is None:
            return []
        left, self.view, self.rules = self.view, None, STANDARD
        return [h.LeftTable(AwayReason.CLOSED, left)]

    def _arrive(self, view: TableView) -> list[h.Happening]:
        rules = read_rules(checked(view).rules)
        self._back = False
        returned = self._returned(view)
        again = self.view is not None and self.view.table == view.table
        if not again:
            self.story.clear()
        if self.view is not None and not again:
            self.proving.forget()
        if not again or view.my_seat != NO_SEAT:
            self._lost_seat = NO_SEAT
        self.view, self.rules = view, rules
        return [*returned, h.Arrived(view, again), *self._proven(self.proving.arrived(view))]

    def _update(self, message: Update) -> list[h.Happening]:
        view = self.view
        if view is None or message.rev <= view.rev:
            return []  # it crossed our leaving, or is older than the view that we have
        if message.rev != view.rev + 1:
            raise BadMessage(f"revision {message.rev} does not follow {view.rev}")
        steps = fold_steps(view, message.events)
        self.view = replace(steps[-1].after if steps else view, rev=message.rev)
        if self.view.my_seat != NO_SEAT:
            self._lost_seat = NO_SEAT
        elif view.my_seat != NO_SEAT:
            self._lost_seat = view.my_seat
        found = [finding for step in steps for finding in self.proving.told(*step)]
        return happenings(steps) + self._proven(found)

    def _hand(self, hand: OwnHand) -> list[h.Happening]:
        view = self.view
        if view is None or view.round != hand.round:
            return []
        self.view = with_hand(view, hand.dice, hand.seed)
        found = self.proving.dealt(self.view)
        return [h.HandDealt(self.view, hand.dice), *self._proven(found)]

    def _proven(self, findings: list[Finding]) -> list[h.Happening]:
        return [h.DiceProven(self.view, found) for found in findings if self.view is not None]

    def _set_clock(self, server_now: int, now: float) -> None:
        self._offset = server_now / 1000 - now
        if self._stood is not None:
            self._stood = server_now / 1000

    def beat(self, now: float) -> None:
        """Hear that this process is awake; to be called twice a second or more often.

        What was sent while it slept is read after it woke, and says nothing about when.
        """
        self._beat = now
        self.proving.beat(now)

    def _left(self, moment: int, now: float) -> float:
        """Give the seconds that the server's clock has to go until this moment of it."""
        there = now + self._offset if self._stood is None else self._stood
        return max(0.0, moment / 1000 - there)

    # What a screen asks ---------------------------------------------------------------------

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

    @property
    def mark(self) -> Mark:
        """How far the dice of the game at our table are proven."""
        return Mark.NOTHING if self.view is None else self.proving.mark(self.view)

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
        seat, welcome = self._seat(self._lost_seat), self.welcome
        ours = welcome is not None and seat.name == welcome.you
        return self.my_seat == NO_SEAT and ours and seat.player is Player.STAND_IN

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
        empty = SeatView(name="", player=Player.NOBODY)
        return seats[number] if 0 <= number < len(seats) else empty
