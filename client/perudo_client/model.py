"""Server messages folded into what the screen shows; pure, without clock, loop or terminal.

`apply` takes one message and gives what came of it. What is asked about all that stands in `known`,
what we ask the server for in `asking`.
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
    Tables,
    Update,
    View,
    Welcome,
)
from perudo_protocol.ruleset import STANDARD
from perudo_protocol.story import with_hand
from perudo_protocol.views import NOBODY, TableView
from perudo_protocol.vocabulary import NO_SEAT
from perudo_protocol.words import AwayReason, NoticeWord

from . import happenings as h
from .findings import Finding
from .folding import fold_steps, happenings
from .guard import checked, cleaned, read_rules
from .known import Known
from .proving import Draws, Mark, Proving, fresh
from .returned import bot_played

AWAKE_SECONDS = 2.0
"""A process that was not heard to be awake for so long has slept, or was stopped."""
MOST_LINES = 500
"""How many happenings the story keeps."""


class Model(Known):
    """All that the screen shows: who we are, the tables, the table we are at, the story."""

    def __init__(self, entropy: Draws = fresh, first_id: int = 0) -> None:
        """Start before the greeting: nothing is known yet.

        `entropy` draws our share in the dice; nothing else here comes from outside.
        """
        super().__init__(first_id)
        self.proving = Proving(entropy)
        """Our share in the dice, and the check of everybody's. What it has `outgoing` after a
        message is to be sent at once."""
        self.story: deque[h.Happening] = deque(maxlen=MOST_LINES)
        """What happened at this table, chat included, newest last; `story_words.story` words it."""
        self.storage_full = False
        """The server cannot write down what happens: nothing goes on until it can."""
        self.heard = 0.0
        """When the server was heard last, while this process was awake."""
        self._beat: float | None = None
        self._away: tuple[float, TableView | None] | None = None
        """For how long we were away, and the table before it; till we see the table again."""
        self._back = False
        self._untold: frozenset[str] = frozenset()
        """Whose seats are away without anybody having been told: we saw it on coming back."""

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
        self._untold = self._untold_away(view) if again else frozenset()
        if not again:
            self.story.clear()
        if self.view is not None and not again:
            self.proving.forget()
        if not again or view.my_seat != NO_SEAT:
            self._lost_seat = NO_SEAT
        self.view, self.rules = view, rules
        return [*returned, h.Arrived(view, again), *self._proven(self.proving.arrived(view))]

    def _untold_away(self, view: TableView) -> frozenset[str]:
        """Give who is away in this view, and was not in what we saw of the table before."""
        told = [] if self.view is None else [seat.name for seat in self.view.seats if seat.away]
        return _away(view) - (frozenset(told) - self._untold)

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
        happened = happenings(steps, self._untold) + self._proven(found)
        self._untold &= _away(self.view)
        return happened

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

    @property
    def mark(self) -> Mark:
        """How far the dice of the game at our table are proven."""
        return Mark.NOTHING if self.view is None else self.proving.mark(self.view)

    def beat(self, now: float) -> None:
        """Hear that this process is awake; to be called twice a second or more often.

        What was sent while it slept is read after it woke, and says nothing about when.
        """
        self._beat = now
        self.proving.beat(now)


def _away(view: TableView) -> frozenset[str]:
    return frozenset(seat.name for seat in view.seats if seat.away)
