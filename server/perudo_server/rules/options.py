"""What a seat may do now, as data: judged here once, derived nowhere again."""

from __future__ import annotations

from perudo_protocol.vocabulary import FACES, NO_OPTIONS, Call, Options, Seat

from .bidding import span
from .calling import refuse_call
from .deciding import ground
from .state import Game, Stage


def options_for(game: Game, seat: Seat) -> Options:
    """Give the legal bids, a least and a most for each face, and the legal calls of a seat.

    `Options.allows` is true exactly for the bids that `decide` accepts. Bids are for the seat in
    turn, calls also for others where `dudo_by` or `spot_on_by` is `any`.
    """
    if game.stage is not Stage.BIDDING or not game.plays(seat):
        return NO_OPTIONS
    least, most = NO_OPTIONS.least, NO_OPTIONS.most
    if game.turn == seat:
        base = ground(game, seat)
        least, most = zip(*(span(base, face) for face in FACES), strict=True)
    return Options(
        least,
        most,
        refuse_call(game, seat, Call.DUDO) is None,
        refuse_call(game, seat, Call.SPOT_ON) is None,
    )
