"""What the table remembers of a game besides its state: what has been shown openly.

A pure fold over the events of the rules, so that it can always be made again from them.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from perudo_protocol.views import Next, Placed, Reveal, Tally, Throw
from perudo_protocol.vocabulary import NO_SEAT, Call

from .rules.counting import count
from .rules.events import (
    BidPlaced,
    Called,
    Dealt,
    DieGained,
    DieLost,
    Event,
    NextSet,
    Thrown,
    Won,
)
from .rules.game import Game


class Record(NamedTuple):
    """All of it was told to everybody."""

    throws: tuple[tuple[Throw, ...], ...] = ()
    opener: int = NO_SEAT
    """Who opened the round that is shown."""
    palifico: bool = False
    """Whether the round that is shown is palifico."""
    ladder: tuple[Placed, ...] = ()
    """The bids of the round that is shown."""
    reveal: Reveal | None = None
    next: Next | None = None
    tallies: tuple[Tally, ...] = ()


def new_record(seats: int) -> Record:
    """Begin the record of a game."""
    return Record(tallies=(Tally(0, 0, 0, 0, 0),) * seats)


def note(record: Record, game: Game, event: Event) -> Record:
    """Give the record after an event that happens in this game, as it was before the event."""
    match event:
        case Thrown(rolls):
            dice = tuple(Throw(seat, face) for seat, face in rolls)
            return record._replace(throws=(*record.throws, dice))
        case NextSet(opener, palifico):
            return record._replace(next=Next(opener, palifico))
        case Dealt():
            return record._replace(
                opener=game.opener, palifico=game.palifico, ladder=(), reveal=None, next=None
            )
        case BidPlaced(seat, bid):
            return record._replace(ladder=(*record.ladder, Placed(seat, bid)))
        case Called():
            return record._replace(
                reveal=_reveal(game, event), tallies=_tallied(record.tallies, game, event)
            )
        case DieLost(seat) if record.reveal is not None:
            reveal = record.reveal
            return record._replace(reveal=replace(reveal, lost=(*reveal.lost, seat)))
        case DieGained(seat) if record.reveal is not None:
            reveal = record.reveal
            return record._replace(reveal=replace(reveal, gained=(*reveal.gained, seat)))
        case Won():
            return record._replace(next=None)
        case _:
            return record


def _reveal(game: Game, event: Called) -> Reveal:
    bidder, bid = game.ladder[-1]
    return Reveal(
        caller=event.seat,
        call=event.call,
        bidder=bidder,
        bid=bid,
        count=event.count,
        right=event.right,
        cups=game.cups,
        palifico=game.palifico,
    )


def _tallied(tallies: tuple[Tally, ...], game: Game, event: Called) -> tuple[Tally, ...]:
    rows = [[t.bids, t.lies, t.caught, t.calls, t.right] for t in tallies]
    for seat, bid in game.ladder:
        rows[seat][0] += 1
        rows[seat][1] += count(game.cups, bid.face, game.wild) < bid.quantity
    rows[event.seat][3] += 1
    rows[event.seat][4] += event.right
    if event.call is Call.DUDO and event.right:
        rows[game.ladder[-1][0]][2] += 1
    return tuple(Tally(*row) for row in rows)
