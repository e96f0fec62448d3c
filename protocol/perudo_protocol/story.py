"""The public story of a table: its events, and how each of them changes a view.

`fold` of the events over a viewer's `TableView` gives exactly the view that the server would send
afresh. An event is the same for everybody at the table; a player's own dice come beside it.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from .fairness import first_link
from .views import (
    NOBODY,
    Count,
    Hand,
    Millis,
    Next,
    PerSeat,
    Person,
    PersonNumber,
    Placed,
    Proof,
    Reveal,
    Running,
    SeatList,
    SeatNumber,
    SeatView,
    SixCounts,
    TableView,
    Tally,
    Throw,
    Turn,
)
from .vocabulary import MAX_SEATS, NO_SEAT, Bid, Call, Phase, Player


class Event(Struct, frozen=True, array_like=True):
    """One step of the public story: on the wire an array whose first element is its word."""


class People(Event, tag="people", frozen=True):
    """Who is at the table, changed: the whole list afresh."""

    host: PersonNumber
    seats: Annotated[tuple[SeatView, ...], Meta(max_length=MAX_SEATS)]
    watchers: tuple[Person, ...]
    sent_away: PersonNumber = NOBODY
    """Whom the host has just sent away; `NOBODY` for none."""


class Ready(Event, tag="ready", frozen=True):
    """A seat is ready for what comes next."""

    seat: SeatNumber
    ready: bool


class Started(Event, tag="start", frozen=True):
    """A game begins: every seat gets this many dice, and the throw for the start comes."""

    game: Running
    dice: Count
    proof: Annotated[str, Meta(max_length=32)] = ""
    """The game's id in all hashes of its dice."""
    more_time: bool = False
    """Each player may ask for more time once."""


class Thrown(Event, tag="throw", frozen=True):
    """Each seat that takes part throws one die; the highest begins (D26)."""

    dice: tuple[Throw, ...]


class NextSet(Event, tag="next", frozen=True):
    """Who opens the coming round, whether it is palifico, and when it begins by itself."""

    opener: SeatNumber
    palifico: bool
    resume: Millis


class Committed(Event, tag="commit", frozen=True):
    """The server has drawn a seed for each seat with dice and commits itself to all of them.

    Who promised entropy opens it now. An attempt after the first says whose did not come.
    """

    round: Running
    attempt: Running
    commitments: PerSeat
    promises: PerSeat
    left_out: SeatList = ()


class Opened(Event, tag="open", frozen=True):
    """All promised entropy of the draw: with the seeds it makes the dice."""

    entropies: PerSeat


class Dealt(Event, tag="deal", frozen=True):
    """A round begins: everybody has thrown in secret."""

    round: Running
    opener: SeatNumber
    palifico: bool


class TurnSet(Event, tag="turn", frozen=True):
    """Whose turn it is now, and what may be done; the fields are those of `Turn`."""

    seat: SeatNumber
    deadline: Millis
    least: SixCounts
    most: SixCounts
    dudo: SeatList
    spot_on: SeatList


class BidPlaced(Event, tag="bid", frozen=True):
    """A seat bids."""

    seat: SeatNumber
    bid: Bid


class TimedOut(Event, tag="timeout", frozen=True):
    """A seat's time is up; what it then does by rule follows (D33)."""

    seat: SeatNumber


class TimeGiven(Event, tag="more_time", frozen=True):
    """A seat takes its more time, once a game; the turn's new deadline follows."""

    seat: SeatNumber


class Paused(Event, tag="pause", frozen=True):
    """The host has stopped the clocks, until this moment at the latest; 0: they go on."""

    until: Millis


class Called(Event, tag="call", frozen=True):
    """A seat calls, and all dice of the round are shown."""

    seat: SeatNumber
    call: Call
    count: Count
    right: bool
    cups: tuple[Hand, ...]
    seeds: PerSeat = ()
    """The seed of each seat whose dice are shown."""
    chain: Annotated[bytes, Meta(max_length=32)] = b""
    """The link of this round, which ends the draw."""


class DieLost(Event, tag="lose", frozen=True):
    """A seat loses a die."""

    seat: SeatNumber


class DieGained(Event, tag="gain", frozen=True):
    """A seat regains a die."""

    seat: SeatNumber


class SeatLeft(Event, tag="left", frozen=True):
    """A seat is given up in mid-game; its dice count until the round ends (D32)."""

    seat: SeatNumber


class DiceCleared(Event, tag="clear", frozen=True):
    """The dice of a seat that was given up go out."""

    seat: SeatNumber


class WentOut(Event, tag="out", frozen=True):
    """A seat is out of the game, in this place (D40)."""

    seat: SeatNumber
    place: int


class Won(Event, tag="over", frozen=True):
    """The game is over."""

    winner: SeatNumber
    tallies: tuple[Tally, ...]
    chain: Annotated[bytes, Meta(max_length=32)] = b""
    """The link of the last round that was dealt; its dice may never have been shown."""


AnyEvent = (
    People
    | Ready
    | Started
    | Thrown
    | NextSet
    | Committed
    | Opened
    | Dealt
    | TurnSet
    | BidPlaced
    | TimedOut
    | TimeGiven
    | Paused
    | Called
    | DieLost
    | DieGained
    | SeatLeft
    | DiceCleared
    | WentOut
    | Won
)


def fold(view: TableView, event: AnyEvent) -> TableView:
    """Give the view after one event of the public story; pure and total.

    What no honest server sends (a seat that is not there, a call without a bid) changes nothing.
    """
    match event:
        case People(host, seats, watchers):
            mine = any(s.person == view.you != NOBODY for s in seats)
            view = view if mine else with_hand(view, (), b"")
            return replace(view, host=host, seats=seats, watchers=watchers)
        case Ready(seat, ready):
            return _seat(view, seat, ready=ready)
        case Started():
            return _started(view, event)
        case Thrown(dice):
            return replace(view, throws=(*view.throws, dice))
        case NextSet(opener, palifico, resume):
            return replace(view, next=Next(opener, palifico), resume=resume)
        case Committed():
            return _committed(view, event)
        case Opened(entropies):
            return replace(view, proof=replace(view.proof, entropies=entropies))
        case Dealt(number, opener, palifico):
            return _dealt(view, number, opener, palifico)
        case TurnSet(seat, deadline, least, most, dudo, spot_on):
            return replace(view, turn=Turn(seat, deadline, least, most, dudo, spot_on))
        case BidPlaced(seat, bid):
            return replace(view, ladder=(*view.ladder, Placed(seat, bid)))
        case TimedOut():
            return view
        case TimeGiven(seat):
            return _seat(view, seat, more_time=False)
        case Paused(until):
            return replace(view, paused=until)
        case Called():
            return _called(view, event)
        case DieLost(seat):
            return _moved(view, seat, -1)
        case DieGained(seat):
            return _moved(view, seat, +1)
        case SeatLeft(seat):
            return _seat(view, seat, player=Player.NOBODY, person=NOBODY, ready=False)
        case DiceCleared(seat):
            return _seat(view, seat, dice=0)
        case WentOut(seat, place):
            return _seat(view, seat, place=place)
        case Won():
            return _won(view, event)


def with_hand(view: TableView, hand: Hand, seed: bytes) -> TableView:
    """Give the view with the viewer's own dice, and their seed, in it."""
    return replace(view, hand=hand, seed=seed)


def fold_all(view: TableView, events: tuple[AnyEvent, ...]) -> TableView:
    """Fold several events in their order."""
    for event in events:
        view = fold(view, event)
    return view


def _seat(view: TableView, number: int, **changes: Any) -> TableView:
    if not 0 <= number < len(view.seats):
        return view
    seats = list(view.seats)
    seats[number] = replace(seats[number], **changes)
    return replace(view, seats=tuple(seats))


def _started(view: TableView, event: Started) -> TableView:
    afresh = {"dice": event.dice, "ready": False, "place": 0, "more_time": event.more_time}
    seats = tuple(replace(seat, **afresh) for seat in view.seats)
    return replace(
        view,
        seats=seats,
        phase=Phase.THROW,
        game=event.game,
        round=0,
        opener=NO_SEAT,
        palifico=False,
        ladder=(),
        turn=None,
        throws=(),
        reveal=None,
        next=None,
        resume=0,
        paused=0,
        winner=NO_SEAT,
        tallies=(),
        hand=(),
        seed=b"",
        proof=Proof(game=event.proof, chain=first_link(event.proof)),
    )


def _committed(view: TableView, event: Committed) -> TableView:
    proof = Proof(
        game=view.proof.game,
        chain=view.proof.chain,
        round=event.round,
        attempt=event.attempt,
        commitments=event.commitments,
        promises=event.promises,
        left_out=event.left_out,
    )
    return replace(view, resume=0, proof=proof)


def _dealt(view: TableView, number: int, opener: int, palifico: bool) -> TableView:
    return replace(
        view,
        seats=tuple(replace(seat, ready=False) for seat in view.seats),
        phase=Phase.BIDDING,
        round=number,
        opener=opener,
        palifico=palifico,
        ladder=(),
        turn=None,
        reveal=None,
        next=None,
        resume=0,
        hand=(),
        seed=b"",
    )


def _called(view: TableView, event: Called) -> TableView:
    standing = view.standing
    if standing is None:
        return view
    reveal = Reveal(
        caller=event.seat,
        call=event.call,
        bidder=standing.seat,
        bid=standing.bid,
        count=event.count,
        right=event.right,
        cups=event.cups,
        palifico=view.palifico,
        seeds=event.seeds,
    )
    proof = replace(view.proof, chain=event.chain)
    return replace(view, phase=Phase.REVEAL, turn=None, reveal=reveal, proof=proof)


def _moved(view: TableView, seat: int, step: int) -> TableView:
    if not 0 <= seat < len(view.seats):
        return view
    reveal = view.reveal
    if reveal is not None and step < 0:
        reveal = replace(reveal, lost=(*reveal.lost, seat))
    elif reveal is not None:
        reveal = replace(reveal, gained=(*reveal.gained, seat))
    view = _seat(view, seat, dice=max(0, view.seats[seat].dice + step))
    return replace(view, reveal=reveal)


def _won(view: TableView, event: Won) -> TableView:
    view = _seat(view, event.winner, place=1)
    return replace(
        view,
        phase=Phase.OVER,
        turn=None,
        next=None,
        resume=0,
        paused=0,
        winner=event.winner,
        tallies=event.tallies,
        proof=replace(view.proof, chain=event.chain),
    )
