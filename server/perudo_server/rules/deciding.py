"""Judging an act: the events that it brings, or the reason why it is refused.

Acts are refused in a fixed order of reasons: not playing, stale, for a call (disabled, no bid, own
bid,) not your turn, and last what is wrong with the bid or forbids the call. Most acts are among
what the seat in turn is offered and answer the bid that stands: that is looked at first, and for a
reason only where it is not so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from perudo_protocol.vocabulary import NO_SEAT, Bid, Call, Dice, Refusal, Seat

from .actions import Action, Deal, Draw, Dudo, Leave, PlaceBid, SpotOn, Throw, TimeUp
from .bidding import is_legal, wrong_with
from .calling import Outcome, doubted, refuse_dudo, refuse_spot_on, spotted
from .ending import leave, settle
from .events import BidPlaced, Called, Dealt, DieGained, DieLost, Event, NextSet, Thrown, TimedOut
from .evolving import evolve_all, highest
from .state import DEALING, OVER, THROWING, Game

Events = tuple[Event, ...]

DUDO, SPOT_ON = Call.DUDO, Call.SPOT_ON

FALLBACK_BID = Bid(1, 2)
"""What a seat opens with when its time is up (D33)."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The act is not allowed, for this reason; the game is as it was."""

    reason: Refusal


def decide(game: Game, action: Action) -> Events | Refused:
    """Judge one act: give what happens, for `evolve` to fold, or `Refused`.

    Raises `ValueError` for dice that do not fit the game (`Throw`, `Draw`, `Deal`): those come
    from the shell, and never from a player.
    """
    return JUDGES[type(action)](game, action)


def _bid(game: Game, act: PlaceBid) -> Events | Refused:
    seat, bid, answers = act.seat, act.bid, act.answers
    fresh = answers is None or answers == len(game.ladder)
    if fresh and seat == game.turn and is_legal(game.options, bid):
        return (BidPlaced(seat, bid),)
    reason = _not_now(game, seat, answers) or _not_in_turn(game, seat)
    return Refused(reason or wrong_with(game.grounds[seat], game.standing, bid))


def _dudo(game: Game, act: Dudo) -> Events | Refused:
    seat, answers = act.seat, act.answers
    usual = seat == game.turn and answers == len(game.ladder) and game.options.may_dudo
    reason = None if usual else _not_now(game, seat, answers) or refuse_dudo(game, seat)
    return Refused(reason) if reason else _lift(game, seat, DUDO, doubted(game, seat))


def _spot_on(game: Game, act: SpotOn) -> Events | Refused:
    seat, answers = act.seat, act.answers
    usual = seat == game.turn and answers == len(game.ladder) and game.options.may_spot_on
    reason = None if usual else _not_now(game, seat, answers) or refuse_spot_on(game, seat)
    return Refused(reason) if reason else _lift(game, seat, SPOT_ON, spotted(game, seat))


def _not_now(game: Game, seat: Seat, answers: int | None) -> Refusal | None:
    """Judge what comes before all else: who is in (S1.20), and which bid is meant (D34)."""
    if game.turn == NO_SEAT or not game.plays(seat):
        return Refusal.NOT_PLAYING
    if answers is not None and answers != len(game.ladder):
        return Refusal.STALE
    return None


def _not_in_turn(game: Game, seat: Seat) -> Refusal | None:
    return None if seat == game.turn else Refusal.NOT_YOUR_TURN


def _lift(game: Game, seat: Seat, call: Call, found: Outcome) -> Events:
    """Tell a legal call to its end: loss and gain together, then what they bring (D19, D29)."""
    loser, gainer = found.loser, found.gainer
    moved: Events = (DieLost(loser),) if loser != NO_SEAT else ()
    if gainer != NO_SEAT:
        moved += (DieGained(gainer),)
    rest = settle(evolve_all(game, moved), loser, found.opener)
    return (Called(seat, call, found.matched, found.right), *moved, *rest)


def _time_up(game: Game, act: TimeUp) -> Events | Refused:
    """Do for a seat what needs no hidden knowledge and is always legal (D33)."""
    seat = act.seat
    reason = _not_now(game, seat, None) or _not_in_turn(game, seat)
    if reason:
        return Refused(reason)
    if game.ladder:
        return (TimedOut(seat), *_lift(game, seat, DUDO, doubted(game, seat)))
    return (TimedOut(seat), BidPlaced(seat, FALLBACK_BID))


def _leave(game: Game, act: Leave) -> Events | Refused:
    if game.stage is OVER or not game.plays(act.seat):
        return Refused(Refusal.NOT_PLAYING)
    return leave(game, act.seat)


def _deal(game: Game, deal: Deal) -> Events:
    cups = deal.cups
    if game.stage is not DEALING:
        raise ValueError(f"dice are dealt between rounds, and this game is {game.stage}")
    if tuple(map(len, cups)) != game.dice:
        raise ValueError(f"each cup takes its seat's dice, {game.dice}, and not {deal!r}")
    for hand in cups:
        _check(hand)
    return (Dealt(cups),)


def _throw(game: Game, throw: Throw) -> Events:
    seats = tuple(seat for seat, _ in throw.rolls)
    if game.stage is not THROWING or not seats or seats != game.throwing:
        raise ValueError(f"{game.throwing} throw for the start now, in this order, not {seats}")
    _check(tuple(die for _, die in throw.rolls))
    first = highest(throw.rolls)
    thrown = Thrown(throw.rolls)
    return (thrown, NextSet(first[0], palifico=False)) if len(first) == 1 else (thrown,)


def _draw(game: Game, draw: Draw) -> Events:
    if game.stage is not THROWING or game.throwing or not game.plays(draw.seat):
        raise ValueError("an opener is drawn before the first round, from those who play")
    return (NextSet(draw.seat, palifico=False),)


def _check(dice: Dice) -> None:
    for die in dice:
        if type(die) is not int or not 1 <= die <= 6:
            raise ValueError("a die shows a whole number from 1 to 6")


JUDGES: Mapping[type[Action], Callable[[Game, Any], Events | Refused]] = {
    PlaceBid: _bid,
    Dudo: _dudo,
    SpotOn: _spot_on,
    TimeUp: _time_up,
    Leave: _leave,
    Deal: _deal,
    Throw: _throw,
    Draw: _draw,
}
"""Who judges what."""
