"""The fold: what one event makes of a game. Pure, and it judges nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from perudo_protocol.vocabulary import NO_SEAT, Seat

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
from .state import Game, Stage, put


def evolve(game: Game, event: Event) -> Game:
    """Give the game after one event that `decide` gave for it."""
    match event:
        case BidPlaced():
            return game.after_bid(event.seat, event.bid)
        case TimedOut():
            return game
        case Called():
            return game.after_call()
        case DieLost():
            return game.with_dice(event.seat, game.dice[event.seat] - 1)
        case DieGained(seat):
            return game.with_dice(seat, game.dice[seat] + 1)
        case Cleared(seat):
            return game.with_dice(seat, 0)
        case WentOut(seat, place):
            return game._replace(places=put(game.places, seat, place))
        case NextSet():
            return game.before_deal(event.opener, event.palifico)
        case Dealt():
            return game.after_deal(event.cups)
        case Left(seat):
            return _left(game, seat)
        case Thrown(rolls):
            return game._replace(throwing=highest(rolls))
        case Won(seat):
            return _won(game, seat)
        case _:
            assert_never(event)


def evolve_all(game: Game, events: Iterable[Event]) -> Game:
    """Fold several events in their order."""
    for event in events:
        game = evolve(game, event)
    return game


def highest(rolls: tuple[tuple[Seat, int], ...]) -> tuple[Seat, ...]:
    """Give the seats that threw the highest die; an ace is the lowest (D26)."""
    top = max(die for _, die in rolls)
    return tuple(seat for seat, die in rolls if die == top)


def _left(game: Game, seat: Seat) -> Game:
    game = game._replace(
        gone=game.gone | {seat},
        throwing=tuple(other for other in game.throwing if other != seat),
    )
    return game._replace(turn=game.next_after(seat)) if game.turn == seat else game


def _won(game: Game, seat: Seat) -> Game:
    return game._replace(
        stage=Stage.OVER,
        throwing=(),
        turn=NO_SEAT,
        places=put(game.places, seat, 1),
        winner=seat,
    )
