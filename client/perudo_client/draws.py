"""One draw of dice as it was told, and what must be true of it whoever tells it; pure.

Each function here raises `Wrong` for what cannot be.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from perudo_protocol import fairness
from perudo_protocol.fairness import Draw
from perudo_protocol.story import Committed
from perudo_protocol.views import Proof, Reveal, SeatView, TableView
from perudo_protocol.vocabulary import Phase, Player

from .counting import counted_right
from .faults import FaultKind, Wrong

Cups = Sequence[tuple[int, ...]]


@dataclass(slots=True, repr=False)
class Drawn:
    """The draw that goes on, or whose dice lie under the cups."""

    draw: Draw
    commitments: Mapping[int, bytes]
    promises: Mapping[int, bytes]
    left_out: tuple[int, ...] = ()
    entropies: tuple[bytes, ...] = ()
    dealt: bool = False
    counts: tuple[int, ...] = ()
    """How many dice each seat has, fixed when they are dealt; empty where that was not seen."""
    ended: bool = False
    seed: bytes = b""
    hand: tuple[int, ...] = ()

    @property
    def opened(self) -> bool:
        """Whether all entropy was told."""
        return bool(self.entropies)

    @property
    def mixed(self) -> bytes:
        """The mix of it."""
        return fairness.mix(self.draw, fairness.given(self.entropies))

    @property
    def moment(self) -> tuple[int, int]:
        """Round and attempt."""
        return self.draw.round, self.draw.attempt


def as_told(game: str, told: Committed | Proof) -> Drawn:
    """Give a draw as an event or a picture tells of it."""
    draw = Draw(game, told.round, told.attempt)
    commitments, promises = fairness.given(told.commitments), fairness.given(told.promises)
    return Drawn(draw, commitments, promises, told.left_out)


def see_complete(
    seats: Sequence[SeatView], drawn: Drawn, *, promised: bool = False, waits: bool = False
) -> None:
    """See that there is a commitment for every seat with dice, and for no other; with `promised`,
    that who promises has one.

    While a draw `waits` a seat may be given up: another attempt, without it, is then to come.
    """
    number = drawn.draw.round
    dice = {seat for seat, each in enumerate(seats) if each.dice}
    odd = dice ^ set(drawn.commitments)
    if waits:
        odd -= {seat for seat, each in enumerate(seats) if each.player is Player.NOBODY}
    if promised:
        odd |= set(drawn.promises) - set(drawn.commitments)
    if odd:
        raise Wrong(FaultKind.MISSING, number, min(odd))


def see_left_out(
    drawn: Drawn, last: Drawn | None, seats: Sequence[SeatView], before: Collection[int]
) -> None:
    """See that a new attempt has a reason: somebody whose share was awaited in the `last` one.

    `before` are those who were left out in this round already: they are out of all its draws.
    """
    number, attempt = drawn.moment
    if not attempt and drawn.left_out:
        raise Wrong(FaultKind.REDRAWN, number, drawn.left_out[0])
    if attempt and not drawn.left_out:
        raise Wrong(FaultKind.ABSENCE, number)
    if attempt > 2 * len(seats):
        raise Wrong(FaultKind.REDRAWN, number)
    for seat in drawn.left_out:
        twice = seat in drawn.promises or drawn.left_out.count(seat) > 1
        if twice or not _has_failed(seat, drawn, last, seats, before):
            raise Wrong(FaultKind.REDRAWN, number, seat)
    if returned := set(before) & set(drawn.promises):
        raise Wrong(FaultKind.REDRAWN, number, min(returned))


def _has_failed(
    seat: int, drawn: Drawn, last: Drawn | None, seats: Sequence[SeatView], before: Collection[int]
) -> bool:
    """Say whether the share of a seat was awaited, once a round, or the seat was given up, once."""
    if seat >= len(seats):
        return False
    if seats[seat].player is Player.NOBODY and seat not in drawn.commitments:
        if last is None or seat in last.commitments:
            return True
    return seat not in before and (last is None or seat in last.promises)


def see_dice(drawn: Drawn, seat: int, seed: bytes, hand: Sequence[int], number: int) -> None:
    """See that a hand follows from its seed, and the seed from its commitment."""
    if fairness.commitment(drawn.draw, seat, seed) != drawn.commitments.get(seat):
        raise Wrong(FaultKind.SWAPPED_SEED, drawn.draw.round, seat)
    if fairness.dice(drawn.draw, seat, seed, drawn.mixed, number) != tuple(hand):
        raise Wrong(FaultKind.OTHER_DICE, drawn.draw.round, seat)


def see_shown(drawn: Drawn, mine: int, cups: Cups, seeds: Sequence[bytes]) -> None:
    """See that all cups of a round are right, and all seeds there; our own first.

    Where the deal was not seen, each seat has so many dice as are shown.
    """
    number, shown = drawn.draw.round, fairness.given(seeds)
    under = {seat for seat, hand in enumerate(cups) if hand}
    if odd := (set(drawn.commitments) ^ set(shown)) | (under - set(shown)):
        raise Wrong(FaultKind.MISSING, number, min(odd))
    for seat in sorted(shown, key=lambda seat: seat != mine):
        hand = cups[seat] if seat < len(cups) else ()
        see_dice(drawn, seat, shown[seat], hand, drawn.counts[seat] if drawn.counts else len(hand))
        if not hand or (seat == mine and drawn.hand and drawn.hand != hand):
            raise Wrong(FaultKind.OTHER_DICE, number, seat)


def see_counted(drawn: Drawn, view: TableView, reveal: Reveal) -> None:
    """See that the shown dice were counted right."""
    if not counted_right(reveal, bool(view.rules.get("wild_aces", True))):
        raise Wrong(FaultKind.MISCOUNTED, drawn.draw.round)


def as_called(reveal: Reveal | None) -> Reveal | None:
    """Give what a call showed, without what came of it."""
    return None if reveal is None else replace(reveal, lost=(), gained=())


def see_agreed(known: Drawn, view: TableView) -> None:
    """See that a picture shows the draw that we know."""
    proof = view.proof
    same = (
        fairness.given(proof.commitments) == known.commitments
        and fairness.given(proof.promises) == known.promises
        and proof.left_out == known.left_out
        and (not known.opened or proof.entropies == known.entropies)
        and (not known.dealt or proof.round == view.round)
        and (not known.ended or view.phase in (Phase.REVEAL, Phase.OVER))
    )
    if not same:
        kind = FaultKind.TWO_STORIES if known.opened else FaultKind.CHANGED
        raise Wrong(kind, proof.round)
