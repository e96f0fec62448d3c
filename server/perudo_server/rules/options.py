"""What a seat may do now, as data: judged here once, derived nowhere again."""

from __future__ import annotations

from perudo_protocol.vocabulary import NO_OPTIONS, NO_SEAT, Call, Options, Seat

from .bidding import Spans, spans
from .calling import refuse_dudo, refuse_spot_on
from .deciding import ground
from .state import Game


def options_for(game: Game, seat: Seat) -> Options:
    """Give the legal bids, a least and a most for each face, and the legal calls of a seat.

    `Options.allows` is true exactly for the bids that `decide` accepts. Bids are for the seat in
    turn, calls also for others where `dudo_by` or `spot_on_by` is `any`.
    """
    if game.turn == NO_SEAT or not game.plays(seat):
        return NO_OPTIONS
    least, most = bids(game) if game.turn == seat else (NO_OPTIONS.least, NO_OPTIONS.most)
    return Options(
        least,
        most,
        refuse_dudo(game, seat) is None,
        refuse_spot_on(game, seat) is None,
    )


def bids(game: Game) -> Spans:
    """Give the least and the most legal bids of the seat in turn, for each face."""
    return spans(ground(game, game.turn))


def callers(game: Game, call: Call) -> tuple[Seat, ...]:
    """Give the seats that may make this call now, while a round is being bid."""
    dudo = call is Call.DUDO
    by = game.rules.dudo_by if dudo else game.rules.spot_on_by
    refuse = refuse_dudo if dudo else refuse_spot_on
    seats = (game.turn,) if by == "turn" else game.playing
    return tuple([seat for seat in seats if refuse(game, seat) is None])
