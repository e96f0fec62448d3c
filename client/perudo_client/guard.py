"""The one door for what a server says: its texts are cleaned, its numbers are checked.

A server may be malicious. What comes out of here can be shown: no text moves a cursor, and every
seat that is named exists. What cannot be mended raises `BadMessage`, like a message of no schema.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from perudo_protocol.errors import BadMessage
from perudo_protocol.messages import (
    Away,
    Bye,
    Error,
    Notice,
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
from perudo_protocol.ruleset import CHOICES, OptionError, Ruleset, from_wire
from perudo_protocol.story import (
    AnyEvent,
    Called,
    Dealt,
    DieGained,
    NextSet,
    People,
    Started,
    Thrown,
    TurnSet,
    Won,
)
from perudo_protocol.text import clean
from perudo_protocol.views import Person, SeatView, TableView
from perudo_protocol.vocabulary import NO_SEAT, Phase

MOST_BIDS = 500
"""More rungs than any ladder has; beyond it the server is not one of ours."""
MOST_THROWS = 100
"""More throws for the start than any tie needs."""
MOST_MOVED = 60
"""More dice than a call can cost or win: all of a table."""


def cleaned(message: ServerMessage) -> ServerMessage:
    """Give the message with every text in it fit to be shown."""
    match message:
        case Welcome(server=server, name=name, you=you, join=join):
            places = tuple(clean(place) for place in join)
            texts = {"server": clean(server), "name": clean(name), "you": clean(you)}
            return replace(message, **texts, join=places)
        case Tables(tables=tables):
            return replace(message, tables=tuple(_line(line) for line in tables))
        case View(view=view):
            return replace(message, view=_view(view))
        case Update(events=events):
            return replace(message, events=tuple(_event(event) for event in events))
        case Said(name=name, text=text, phrase=phrase):
            return replace(message, name=clean(name), text=clean(text), phrase=clean(phrase))
        case Refused(reason=reason, detail=detail):
            return replace(message, reason=clean(reason), detail=clean(detail))
        case Error(error=error, detail=detail):
            return replace(message, error=clean(error), detail=clean(detail))
        case Away(reason=reason) | Bye(reason=reason):
            return replace(message, reason=clean(reason))
        case Notice(notice=notice):
            return replace(message, notice=clean(notice))
        case Redirect(place=place, pin=pin):
            return replace(message, place=clean(place), pin=clean(pin))
        case _:
            return message


def read_rules(rules: Mapping[str, Any]) -> Ruleset:
    """Read a table's options; those that a newer server has besides are passed over."""
    try:
        return from_wire({name: value for name, value in rules.items() if name in CHOICES})
    except OptionError as wrong:
        raise BadMessage(str(wrong)) from None


def checked(view: TableView) -> TableView:
    """Give the view back if every seat that it names exists; raises `BadMessage`."""
    _see_bounds(view)
    _see_seats(view, _seats_named(view))
    if any(len(dice) > len(view.seats) for dice in view.throws):
        raise BadMessage("more dice in a throw than seats")
    if len(view.tallies) > len(view.seats):
        raise BadMessage("more tallies than seats")
    if any(not 0 <= seat.dice <= 60 for seat in view.seats):
        raise BadMessage("an impossible number of dice")
    return view


def followed(view: TableView, event: AnyEvent) -> TableView:
    """Give back a view that was right before an event if it still is after it; looks at nothing but
    what the event brings, so that many of them cost no more than each. Raises `BadMessage`."""
    _see_bounds(view)
    _see_seats(view, _seats_told(event))
    seats = len(view.seats)
    match event:
        case Thrown(dice) if len(dice) > seats:
            raise BadMessage("more dice in a throw than seats")
        case Won(tallies=tallies) if len(tallies) > seats:
            raise BadMessage("more tallies than seats")
        case Started(dice=dice) if dice > 60:
            raise BadMessage("an impossible number of dice")
        case DieGained(seat) if view.seats[seat].dice > 60:
            raise BadMessage("an impossible number of dice")
        case _:
            return view


def _see_bounds(view: TableView) -> None:
    if len(view.ladder) > MOST_BIDS or len(view.throws) > MOST_THROWS:
        raise BadMessage("a ladder without end")
    reveal = view.reveal
    if reveal is not None and max(len(reveal.lost), len(reveal.gained)) > MOST_MOVED:
        raise BadMessage("a call without end")


def _see_seats(view: TableView, named: Iterable[int]) -> None:
    if not all(0 <= seat < len(view.seats) for seat in named):
        raise BadMessage("a seat that does not exist")


def _seats_told(event: AnyEvent) -> Iterable[int]:
    match event:
        case Thrown(dice):
            yield from (throw.seat for throw in dice)
        case NextSet(opener) | Dealt(opener=opener):
            yield opener
        case TurnSet():
            yield from (event.seat, *event.dudo, *event.spot_on)
        case Called(seat, cups=cups):
            yield from (seat, *range(len(cups)))
        case Won(winner):
            yield winner
        case _:
            yield from (seat for seat in (getattr(event, "seat", 0),) if seat)


def settled(before: TableView, view: TableView) -> TableView:
    """Give a view after the people changed: if seats of the last game are gone, so is its picture.

    Raises `BadMessage` where a game is on, in which no seat comes or goes.
    """
    if view.phase not in (Phase.LOBBY, Phase.OVER):
        if len(view.seats) != len(before.seats):
            raise BadMessage("a seat of a game that is on is gone")
        return checked(view)
    if all(0 <= seat < len(view.seats) for seat in _seats_named(view)):
        return checked(view) if len(view.tallies) <= len(view.seats) else _without_game(view)
    return checked(_without_game(view))


def _without_game(view: TableView) -> TableView:
    return replace(
        view,
        opener=NO_SEAT,
        ladder=(),
        turn=None,
        throws=(),
        reveal=None,
        next=None,
        winner=NO_SEAT,
        tallies=(),
    )


def _seats_named(view: TableView) -> Iterable[int]:
    yield from (placed.seat for placed in view.ladder)
    yield from (throw.seat for throws in view.throws for throw in throws)
    yield from (seat for seat in (view.opener, view.winner) if seat != NO_SEAT)
    if view.turn is not None:
        yield from (view.turn.seat, *view.turn.dudo, *view.turn.spot_on)
    if view.next is not None:
        yield view.next.opener
    if view.reveal is not None:
        reveal = view.reveal
        yield from (reveal.caller, reveal.bidder, *reveal.lost, *reveal.gained)
        yield from range(len(reveal.cups))


def _line(line: TableLine) -> TableLine:
    read_rules(line.rules)
    return replace(line, name=clean(line.name))


def _view(view: TableView) -> TableView:
    return replace(
        view,
        name=clean(view.name),
        seats=_seats(view.seats),
        watchers=_watchers(view.watchers),
    )


def _event(event: AnyEvent) -> AnyEvent:
    if isinstance(event, People):
        return replace(event, seats=_seats(event.seats), watchers=_watchers(event.watchers))
    return event


def _seats(seats: tuple[SeatView, ...]) -> tuple[SeatView, ...]:
    return tuple(replace(seat, name=clean(seat.name)) for seat in seats)


def _watchers(watchers: tuple[Person, ...]) -> tuple[Person, ...]:
    return tuple(replace(person, name=clean(person.name)) for person in watchers)
