"""What each viewer gets: the only door through which a game's facts leave the server.

Everything here is built up from an allow-list; nothing is ever taken out of something that holds
more. `build` gives a viewer's whole picture, `tell` one step of the public story. Dice appear in
three places: a viewer's own, the open throw for the start, and the cups after a call.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol, assert_never

from perudo_protocol import story as ev
from perudo_protocol import views as v
from perudo_protocol.ruleset import Ruleset, to_wire
from perudo_protocol.vocabulary import NO_SEAT, Call, Dice, Phase

from .clock import millis
from .people import Person
from .record import Record
from .roster import Roster
from .rules import events as e
from .rules.game import Game, Stage, bids, callers
from .rules.sight import visible_cups


class Play(Protocol):
    """What may be asked of a game that runs."""

    @property
    def number(self) -> int: ...
    @property
    def game(self) -> Game: ...
    @property
    def record(self) -> Record: ...
    @property
    def deadline(self) -> float: ...
    @property
    def resume(self) -> float: ...
    @property
    def paused(self) -> float: ...
    def seed_of(self, seat: int) -> bytes: ...


class Table(Protocol):
    """What may be asked of a table."""

    @property
    def number(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def rules(self) -> Ruleset: ...
    @property
    def rev(self) -> int: ...
    @property
    def roster(self) -> Roster: ...
    @property
    def play(self) -> Play | None: ...
    @property
    def picture(self) -> Picture: ...


class Picture:
    """What everybody may see of a game alike, kept until it changes: when hundreds come back at
    once, only seats and the viewer's own dice are worked out for each."""

    __slots__ = ("_game", "_known", "_record", "_times")

    def __init__(self) -> None:
        """Begin with nothing."""
        self._game: Game | None = None
        self._record: Record | None = None
        self._times = (0, 0.0, 0.0, 0.0)
        self._known: tuple[Any, ...] = ()

    def of(self, play: Play) -> tuple[Any, ...]:
        """Give the fields of a view from `phase` to `tallies`, and `proof`."""
        game, record = play.game, play.record
        times = (play.number, play.deadline, play.resume, play.paused)
        if game is not self._game or record is not self._record or times != self._times:
            self._game, self._record, self._times = game, record, times
            self._known = _public(play)
        return self._known


def build(table: Table, viewer: Person | None) -> v.TableView:
    """Give the whole picture of a table as this viewer may see it; `None` sees what all see."""
    play, roster = table.play, table.roster
    you = v.NOBODY if viewer is None else viewer.number
    head = (table.number, table.name, _all_options(table.rules), table.rev, roster.host.number)
    people = (seats(roster, play), watchers(roster))
    if play is None:
        return v.TableView(*head, *people, you=you)
    *game, proof = table.picture.of(play)
    seat = NO_SEAT if viewer is None else roster.seat_of(viewer)
    hand = own_hand(play, seat)
    seed = play.seed_of(seat) if hand else b""
    all_fields: tuple[Any, ...] = (*head, *people, *game, you, hand, seed, proof)
    return v.TableView(*all_fields)


@lru_cache(64)
def _all_options(rules: Ruleset) -> v.Rules:
    return to_wire(rules)


def _public(play: Play) -> tuple[Any, ...]:
    game, record = play.game, play.record
    return (
        phase_of(game),
        play.number,
        game.round,
        record.opener,
        record.palifico,
        tuple([v.Placed(rung.seat, rung.bid) for rung in game.ladder]),
        turn(play),
        record.throws,
        record.reveal,
        record.next,
        millis(play.resume),
        millis(play.paused),
        game.winner,
        record.tallies if game.stage is Stage.OVER else (),
        record.proof,
    )


def phase_of(game: Game) -> Phase:
    """Name the phase that a game is in, as players know it."""
    match game.stage:
        case Stage.THROWING:
            return Phase.THROW
        case Stage.DEALING:
            return Phase.REVEAL if game.round else Phase.THROW
        case Stage.BIDDING:
            return Phase.BIDDING
        case Stage.OVER:
            return Phase.OVER
        case _:
            assert_never(game.stage)


def own_hand(play: Play, seat: int) -> Dice:
    """Give the dice under a viewer's own cup; none for one who watches."""
    if seat == NO_SEAT:
        return ()
    own = visible_cups(play.game, seat)[seat]
    return own if isinstance(own, tuple) else ()


def own_seed(play: Play, seat: int) -> bytes:
    """Give the seed of the dice under a viewer's own cup; none without dice."""
    return play.seed_of(seat) if own_hand(play, seat) else b""


def seats(roster: Roster, play: Play | None) -> tuple[v.SeatView, ...]:
    """Give every seat as everybody sees it."""
    none = (0,) * len(roster.seats)
    dice, places = (none, none) if play is None else (play.game.dice, play.game.places)
    return tuple(
        [
            v.SeatView(
                seat.name,
                seat.player,
                v.NOBODY if seat.person is None else seat.person.number,
                dice[number],
                seat.ready,
                places[number],
                millis(seat.away) if seat.away else 0,
                seat.more_time,
            )
            for number, seat in enumerate(roster.seats)
        ]
    )


def watchers(roster: Roster) -> tuple[v.Person, ...]:
    """Give everybody without a seat."""
    return tuple(
        v.Person(person=w.person.number, name=w.person.name, waiting=w.waiting)
        for w in roster.watchers
    )


def people(roster: Roster, play: Play | None, sent_away: int = v.NOBODY) -> ev.People:
    """Tell who is at the table, all afresh, and whom the host has just sent away."""
    return ev.People(roster.host.number, seats(roster, play), watchers(roster), sent_away)


def turn(play: Play) -> v.Turn | None:
    """Give whose turn it is and what all seats may do, or `None` when no round is being bid."""
    if play.game.stage is not Stage.BIDDING:
        return None
    now = turn_event(play)
    return v.Turn(now.seat, now.deadline, now.least, now.most, now.dudo, now.spot_on)


def turn_event(play: Play) -> ev.TurnSet:
    """Tell whose turn it is and what all seats may do, while a round is being bid."""
    game = play.game
    least, most = bids(game)
    dudo, spot_on = callers(game, Call.DUDO), callers(game, Call.SPOT_ON)
    return ev.TurnSet(game.turn, millis(play.deadline), least, most, dudo, spot_on)


def tell(event: e.Event, play: Play) -> ev.AnyEvent:
    """Tell one event of the rules to everybody; `play` is as it stands after the event."""
    match event:
        case e.BidPlaced():  # first, since most are
            return ev.BidPlaced(event.seat, event.bid)
        case e.Thrown(rolls):
            return ev.Thrown(tuple(v.Throw(seat, face) for seat, face in rolls))
        case e.NextSet(opener, palifico):
            return ev.NextSet(opener, palifico, millis(play.resume))
        case e.Dealt():
            return ev.Dealt(play.game.round, play.record.opener, play.record.palifico)
        case e.TimedOut(seat):
            return ev.TimedOut(seat)
        case e.Called(seat, call, count, right):
            reveal = play.record.reveal
            seeds = () if reveal is None else reveal.seeds
            chain = play.record.proof.chain
            return ev.Called(seat, call, count, right, shown_cups(play), seeds, chain)
        case e.DieLost(seat):
            return ev.DieLost(seat)
        case e.DieGained(seat):
            return ev.DieGained(seat)
        case e.Left(seat):
            return ev.SeatLeft(seat)
        case e.Cleared(seat):
            return ev.DiceCleared(seat)
        case e.WentOut(seat, place):
            return ev.WentOut(seat, place)
        case e.Won(seat):
            return ev.Won(seat, play.record.tallies, play.record.proof.chain)
        case _:
            assert_never(event)


def committed(proof: v.Proof) -> ev.Committed:
    """Tell that a draw has begun."""
    return ev.Committed(
        proof.round, proof.attempt, proof.commitments, proof.promises, proof.left_out
    )


def shown_cups(play: Play) -> tuple[Dice, ...]:
    """Give all dice of the round that a call has just opened."""
    return play.record.reveal.cups if play.record.reveal is not None else ()
