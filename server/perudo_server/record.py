"""What the table remembers of a game besides its state: what has been shown openly.

A pure fold over the events of the rules, so that it can always be made again from them.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from perudo_protocol.fairness import first_link
from perudo_protocol.views import Next, Proof, Reveal, Tally, Throw
from perudo_protocol.vocabulary import NO_SEAT, Call

from .drawing import Drawing, link
from .rules.counting import count
from .rules.events import (
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


class Record(Struct, frozen=True):
    """All of it was told to everybody."""

    throws: tuple[tuple[Throw, ...], ...] = ()
    opener: int = NO_SEAT
    """Who opened the round that is shown."""
    palifico: bool = False
    """Whether the round that is shown is palifico."""
    reveal: Reveal | None = None
    next: Next | None = None
    tallies: tuple[Tally, ...] = ()
    proof: Proof = Proof()
    """What is known of the draw of the dice."""
    linked: int = 0
    """The last round that is in the chain."""


def new_record(seats: int, proof: str = "") -> Record:
    """Begin the record of a game whose id in all hashes is `proof`."""
    start = Proof(game=proof, chain=first_link(proof))
    return Record(tallies=(Tally(0, 0, 0, 0, 0),) * seats, proof=start)


def note_committed(record: Record, drawing: Drawing) -> Record:
    """Give the record when a draw, or another attempt at it, has begun."""
    return replace(record, proof=drawing.proof)


def note_opened(record: Record, drawing: Drawing) -> Record:
    """Give the record when all entropy is open."""
    return replace(record, proof=replace(record.proof, entropies=drawing.opened))


def note_ended(record: Record, seeds: tuple[bytes, ...]) -> Record:
    """Give the record when the round that was dealt has ended with these seeds shown."""
    proof = record.proof
    if record.linked == proof.round or not proof.entropies:
        return record
    chain = link(proof, proof.entropies, seeds)
    reveal = None if record.reveal is None else replace(record.reveal, seeds=seeds)
    return replace(record, proof=replace(proof, chain=chain), linked=proof.round, reveal=reveal)


def note(record: Record, game: Game, event: Event) -> Record:
    """Give the record after an event that happens in this game, as it was before the event."""
    match event:
        case Thrown(rolls):
            dice = tuple(Throw(seat, face) for seat, face in rolls)
            return replace(record, throws=(*record.throws, dice))
        case NextSet(opener, palifico):
            return replace(record, next=Next(opener, palifico))
        case Dealt():
            return replace(
                record, opener=game.opener, palifico=game.palifico, reveal=None, next=None
            )
        case Called():
            return replace(
                record, reveal=_reveal(game, event), tallies=_tallied(record.tallies, game, event)
            )
        case DieLost(seat) if record.reveal is not None:
            reveal = record.reveal
            return replace(record, reveal=replace(reveal, lost=(*reveal.lost, seat)))
        case DieGained(seat) if record.reveal is not None:
            reveal = record.reveal
            return replace(record, reveal=replace(reveal, gained=(*reveal.gained, seat)))
        case Won():
            return replace(record, next=None)
        case _:
            return record


def _reveal(game: Game, event: Called) -> Reveal:
    standing = game.ladder[-1]
    return Reveal(
        caller=event.seat,
        call=event.call,
        bidder=standing.seat,
        bid=standing.bid,
        count=event.count,
        right=event.right,
        cups=game.cups,
        palifico=game.palifico,
    )


def _tallied(tallies: tuple[Tally, ...], game: Game, event: Called) -> tuple[Tally, ...]:
    rows = [[t.bids, t.lies, t.caught, t.calls, t.right] for t in tallies]
    for rung in game.ladder:
        rows[rung.seat][0] += 1
        rows[rung.seat][1] += count(game.cups, rung.bid.face, game.wild) < rung.bid.quantity
    rows[event.seat][3] += 1
    rows[event.seat][4] += event.right
    if event.call is Call.DUDO and event.right:
        rows[game.ladder[-1].seat][2] += 1
    return tuple(Tally(*row) for row in rows)
