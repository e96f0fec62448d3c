"""What there is to do for a seat, read from its view; pure.

A `Todo` is a moment as a plain value: while two views give the same one, nothing has changed for
the seat, and a thought begun on the first still holds.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from perudo_protocol.messages import Dudo, PlaceBid, SpotOn
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import FACES, NO_SEAT, Bid, Call, Options, Phase


class Work(Enum):
    """The three things that a seat may have to do."""

    MOVE = "move"
    """It is in turn."""
    INTERJECT = "interject"
    """Somebody else is in turn, and it may call all the same (`dudo_by`, `spot_on_by`: any)."""
    READY = "ready"
    """The table waits until everybody has looked."""


class Todo(NamedTuple):
    """One moment of one seat."""

    work: Work
    game: int
    round: int
    number: int
    """How many bids stand on the ladder."""
    phase: Phase


def todo(view: TableView) -> Todo | None:
    """Say what the viewer's seat has to do now, or `None` for nothing."""
    work = _work(view)
    if work is None:
        return None
    return Todo(work, view.game, view.round, len(view.ladder), view.phase)


def _work(view: TableView) -> Work | None:
    seat = view.my_seat
    if seat == NO_SEAT:
        return None
    if view.phase is not Phase.BIDDING:
        return None if view.seats[seat].ready else Work.READY
    options = view.options_for(seat)
    may_call = options.may_dudo or options.may_spot_on
    if view.turn is None or not view.hand or not (options.may_bid or may_call):
        return None  # the hand of this round follows the deal at once
    if view.paused:
        return None  # acts are refused until the host lets the game go on
    return Work.MOVE if view.turn.seat == seat else Work.INTERJECT


def act_for(view: TableView, choice: Bid | Call, request: int) -> PlaceBid | Dudo | SpotOn:
    """Put a choice into the message that answers what stands in this view (D34)."""
    number = len(view.ladder)
    match choice:
        case Bid(quantity, face):
            return PlaceBid(
                id=request,
                game=view.game,
                round=view.round,
                number=number,
                quantity=quantity,
                face=face,
            )
        case Call.DUDO:
            return Dudo(id=request, game=view.game, round=view.round, number=number)
        case Call.SPOT_ON:
            return SpotOn(id=request, game=view.game, round=view.round, number=number)


def safe_choices(options: Options) -> list[Bid | Call]:
    """Give what is left to a bot whose own choice was refused: dudo first, then the least bids."""
    choices: list[Bid | Call] = [Call.DUDO] if options.may_dudo else []
    least = [Bid(options.least[face - 1], face) for face in FACES if options.least[face - 1]]
    choices += sorted(least)
    return choices or ([Call.SPOT_ON] if options.may_spot_on else [])
