"""The public story of a table: its events, and how each of them changes a view.

`fold` of the events over a viewer's `TableView` gives exactly the view that the server would send
afresh. An event is the same for everybody at the table; a player's own dice come beside it.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from .views import (
    NOBODY,
    Count,
    Hand,
    Millis,
    Next,
    Person,
    PersonNumber,
    Placed,
    Reveal,
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


class Ready(Event, tag="ready", frozen=True):
    """A seat is ready for what comes next."""

    seat: SeatNumber
    ready: bool


class Started(Event, tag="start", frozen=True):
    """A game begins: every seat gets this many dice, and the throw for the start comes."""

    game: int
    dice: Count


class Thrown(Event, tag="throw", frozen=True):
    """Each seat that takes part throws one die; the highest begins (D26)."""

    dice: tuple[Throw, ...]


class NextSet(Event, tag="next", frozen=True):
    """Who opens the coming round, whether it is palifico, and when it begins by itself."""

    opener: SeatNumber
    palifico: bool
    resume: Millis


class Dealt(Event, tag="deal", frozen=True):
    """A round begins: everybody has thrown in secret."""

    round: int
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


class Called(Event, tag="call", frozen=True):
    """A seat calls, and all dice of the round are shown."""

    seat: SeatNumber
    call: Call
    count: Count
    right: bool
    cups: tuple[Hand, ...]


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


AnyEvent = (
    People
    | Ready
    | Started
    | Thrown
    | NextSet
    | Dealt
    | TurnSet
    | BidPlaced
    | TimedOut
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
            hand = view.hand if mine else ()
            return replace(view, host=host, seats=seats, watchers=watchers, hand=hand)
        case Ready(seat, ready):
            return _seat(view, seat, ready=ready)
        case Started(game, dice):
            return _started(view, game, dice)
        case Thrown(dice):
            return replace(view, throws=(*view.throws, dice))
        case NextSet(opener, palifico, resume):
            return replace(view, next=Next(opener, palifico), resume=resume)
        case Dealt(number, opener, palifico):
            return _dealt(view, number, opener, palifico)
        case TurnSet(seat, deadline, least, most, dudo, spot_on):
            return replace(view, turn=Turn(seat, deadline, least, most, dudo, spot_on))
        case BidPlaced(seat, bid):
            return replace(view, ladder=(*view.ladder, Placed(seat, bid)))
        case TimedOut():
            return view
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
        case Won(winner, tallies):
            return _won(view, winner, tallies)


def with_hand(view: TableView, hand: Hand) -> TableView:
    """Give the view with the viewer's own dice in it."""
    return replace(view, hand=hand)


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


def _started(view: TableView, game: int, dice: int) -> TableView:
    seats = tuple(replace(seat, dice=dice, ready=False, place=0) for seat in view.seats)
    return replace(
        view,
        seats=seats,
        phase=Phase.THROW,
        game=game,
        round=0,
        opener=NO_SEAT,
        palifico=False,
        ladder=(),
        turn=None,
        throws=(),
        reveal=None,
        next=None,
        resume=0,
        winner=NO_SEAT,
        tallies=(),
        hand=(),
    )


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
    )
    return replace(view, phase=Phase.REVEAL, turn=None, reveal=reveal)


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


def _won(view: TableView, winner: int, tallies: tuple[Tally, ...]) -> TableView:
    view = _seat(view, winner, place=1)
    return replace(
        view,
        phase=Phase.OVER,
        turn=None,
        next=None,
        resume=0,
        winner=winner,
        tallies=tallies,
    )
