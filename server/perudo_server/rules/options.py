"""What a seat may do now, as data: judged here once, derived nowhere again."""

from __future__ import annotations

from perudo_protocol.vocabulary import NO_OPTIONS, NO_SEAT, Call, Options, Seat

from .calling import refuse_dudo, refuse_spot_on
from .state import Game

Spans = tuple[tuple[int, ...], tuple[int, ...]]
"""The least legal quantities of all faces, and the most, as `Options` has them."""


def options_for(game: Game, seat: Seat) -> Options:
    """Give the legal bids, a least and a most for each face, and the legal calls of a seat.

    `Options.allows` is true exactly for the bids that `decide` accepts. Bids are for the seat in
    turn, calls also for others where `dudo_by` or `spot_on_by` is `any`.
    """
    if seat == game.turn:
        return game.options
    if game.turn == NO_SEAT or not game.plays(seat):
        return NO_OPTIONS
    dudo, spot_on = refuse_dudo(game, seat) is None, refuse_spot_on(game, seat) is None
    return Options(may_dudo=dudo, may_spot_on=spot_on)


def bids(game: Game) -> Spans:
    """Give the least and the most legal bids of the seat in turn, for each face."""
    return game.options.least, game.options.most


def callers(game: Game, call: Call) -> tuple[Seat, ...]:
    """Give the seats that may make this call now, while a round is being bid."""
    dudo = call is Call.DUDO
    if (game.rules.dudo_by if dudo else game.rules.spot_on_by) == "turn":
        may = game.options.may_dudo if dudo else game.options.may_spot_on
        return (game.turn,) if may else ()
    refuse = refuse_dudo if dudo else refuse_spot_on
    return tuple([seat for seat in game.playing if refuse(game, seat) is None])
