"""The fold: what one event makes of a game. Pure, and it judges nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from perudo_protocol.vocabulary import NO_OPTIONS, NO_SEAT, Seat

from .bidding import offer
from .events import (
    BidPlaced,
    Called,
    Cleared,
    Dealt,
    DieGained,
    DieLost,
    Event,
    Left,
    NextSet,
    Thrown,
    TimedOut,
    WentOut,
    Won,
)
from .state import BIDDING, DEALING, OVER, Game, laid_out, prepared, put
from .values import replace


def evolve(game: Game, event: Event) -> Game:
    """Give the game after one event that `decide` gave for it."""
    return FOLDS[type(event)](game, event)


def evolve_all(game: Game, events: Iterable[Event]) -> Game:
    """Fold several events in their order."""
    for event in events:
        game = evolve(game, event)
    return game


def highest(rolls: tuple[tuple[Seat, int], ...]) -> tuple[Seat, ...]:
    """Give the seats that threw the highest die; an ace is the lowest (D26)."""
    top = max(die for _, die in rolls)
    return tuple(seat for seat, die in rolls if die == top)


def _thrown(game: Game, event: Thrown) -> Game:
    return replace(game, throwing=highest(event.rolls))


def _next_set(game: Game, event: NextSet) -> Game:
    opener, palifico = event.opener, event.palifico
    return replace(game, throwing=(), opener=opener, palifico=palifico, stage=DEALING)


def _dealt(game: Game, event: Dealt) -> Game:
    opener, used = game.opener, game.palifico_used
    circle, grounds, options = laid_out(game, opener, None)
    return replace(
        game,
        cups=event.cups,
        round=game.round + 1,
        palifico_used=used | {opener} if game.palifico else used,
        stage=BIDDING,
        shown=False,
        turn=opener,
        ladder=(),
        circle=circle,
        grounds=grounds,
        options=options,
    )


def _bid_placed(game: Game, event: BidPlaced) -> Game:
    turn = game.circle[event.seat]
    options = offer(game.grounds[turn], event.bid)
    return replace(game, turn=turn, ladder=(*game.ladder, event), options=options)


def _timed_out(game: Game, event: TimedOut) -> Game:
    return game


def _called(game: Game, event: Called) -> Game:
    return replace(game, stage=DEALING, shown=True, turn=NO_SEAT, options=NO_OPTIONS)


def _die_lost(game: Game, event: DieLost) -> Game:
    seat = event.seat
    return replace(game, dice=put(game.dice, seat, game.dice[seat] - 1))


def _die_gained(game: Game, event: DieGained) -> Game:
    seat = event.seat
    return replace(game, dice=put(game.dice, seat, game.dice[seat] + 1))


def _left(game: Game, event: Left) -> Game:
    seat = event.seat
    throwing = tuple([other for other in game.throwing if other != seat])
    left = replace(game, gone=game.gone | {seat}, throwing=throwing)
    turn = left.next_after(seat) if game.turn == seat else game.turn
    return prepared(replace(left, turn=turn))


def _cleared(game: Game, event: Cleared) -> Game:
    return replace(game, dice=put(game.dice, event.seat, 0))


def _went_out(game: Game, event: WentOut) -> Game:
    return replace(game, places=put(game.places, event.seat, event.place))


def _won(game: Game, event: Won) -> Game:
    return replace(
        game,
        stage=OVER,
        throwing=(),
        turn=NO_SEAT,
        options=NO_OPTIONS,
        places=put(game.places, event.seat, 1),
        winner=event.seat,
    )


FOLDS: Mapping[type[Event], Callable[[Game, Any], Game]] = {
    Thrown: _thrown,
    NextSet: _next_set,
    Dealt: _dealt,
    BidPlaced: _bid_placed,
    TimedOut: _timed_out,
    Called: _called,
    DieLost: _die_lost,
    DieGained: _die_gained,
    Left: _left,
    Cleared: _cleared,
    WentOut: _went_out,
    Won: _won,
}
"""What each kind of event makes of a game."""
