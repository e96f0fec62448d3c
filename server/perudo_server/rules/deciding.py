"""Judging an act: the events that it brings, or the reason why it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from perudo_protocol.vocabulary import FACES, NO_SEAT, Bid, Call, Dice, Refusal, Seat

from .actions import Action, Deal, Draw, Dudo, Leave, PlaceBid, SpotOn, Throw, TimeUp
from .bidding import Facts, facts_of, refuse_bid
from .calling import outcome, refuse_call
from .ending import leave, settle
from .events import BidPlaced, Called, Dealt, DieGained, DieLost, Event, NextSet, Thrown, TimedOut
from .evolving import evolve_all, highest
from .state import Game, Stage

Events = tuple[Event, ...]

_FACES = frozenset(FACES)
_WHOLE = frozenset((int,))

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
    match action:
        case PlaceBid():
            return _bid(game, action)
        case Dudo():
            return _call(game, action.seat, Call.DUDO, action.answers)
        case SpotOn():
            return _call(game, action.seat, Call.SPOT_ON, action.answers)
        case TimeUp(seat):
            return _time_up(game, seat)
        case Leave(seat):
            if game.stage is Stage.OVER or not game.plays(seat):
                return Refused(Refusal.NOT_PLAYING)
            return leave(game, seat)
        case Deal():
            return _deal(game, action)
        case Throw():
            return _throw(game, action)
        case Draw(seat):
            return _draw(game, seat)
        case _:
            assert_never(action)


def ground(game: Game, seat: Seat) -> Facts:
    """Give what the legality of this seat's bids hangs on."""
    ladder, dice = game.ladder, game.dice
    standing = ladder[-1].bid if ladder else None
    return facts_of(game.rules, game.palifico, standing, sum(dice), dice[seat])


def _refuse(game: Game, seat: Seat, answers: int | None) -> Refusal | None:
    """Judge what comes before all else: who is in (S1.20), and which bid is meant (D34)."""
    if game.turn == NO_SEAT or not game.plays(seat):
        return Refusal.NOT_PLAYING
    if answers is not None and answers != len(game.ladder):
        return Refusal.STALE
    return None


def _bid(game: Game, act: PlaceBid) -> Events | Refused:
    seat = act.seat
    reason = _refuse(game, seat, act.answers)
    if reason is None:
        in_turn = game.turn == seat
        reason = refuse_bid(ground(game, seat), act.bid) if in_turn else Refusal.NOT_YOUR_TURN
    if reason is not None:
        return Refused(reason)
    bid = act.bid if isinstance(act.bid, Bid) else Bid(*act.bid)
    return (BidPlaced(seat, bid),)


def _call(game: Game, seat: Seat, call: Call, answers: int | None) -> Events | Refused:
    reason = _refuse(game, seat, answers) or refuse_call(game, seat, call)
    return Refused(reason) if reason else _lift(game, seat, call)


def _lift(game: Game, seat: Seat, call: Call) -> Events:
    """Tell a legal call to its end: loss and gain together, then what they bring (D19, D29)."""
    result = outcome(game, seat, call)
    moved: Events = ()
    if result.loser >= 0:
        moved += (DieLost(result.loser),)
    if result.gainer >= 0:
        moved += (DieGained(result.gainer),)
    rest = settle(evolve_all(game, moved), result.loser, result.opener)
    return (Called(seat, call, result.matched, result.right), *moved, *rest)


def _time_up(game: Game, seat: Seat) -> Events | Refused:
    """Do for a seat what needs no hidden knowledge and is always legal (D33)."""
    reason = _refuse(game, seat, None)
    if reason is None and game.turn != seat:
        reason = Refusal.NOT_YOUR_TURN
    if reason:
        return Refused(reason)
    if game.ladder:
        return (TimedOut(seat), *_lift(game, seat, Call.DUDO))
    return (TimedOut(seat), BidPlaced(seat, FALLBACK_BID))


def _deal(game: Game, deal: Deal) -> Events:
    if game.stage is not Stage.DEALING:
        raise ValueError(f"dice are dealt between rounds, and this game is {game.stage}")
    if tuple(map(len, deal.cups)) != game.dice:
        raise ValueError(f"each cup takes its seat's dice, {game.dice}, and not {deal!r}")
    if not all(map(_are_dice, deal.cups)):
        raise ValueError("a die shows a whole number from 1 to 6")
    return (Dealt(deal.cups),)


def _throw(game: Game, throw: Throw) -> Events:
    seats = tuple(seat for seat, _ in throw.rolls)
    if game.stage is not Stage.THROWING or not seats or seats != game.throwing:
        raise ValueError(f"{game.throwing} throw for the start now, in this order, not {seats}")
    if not _are_dice(tuple(die for _, die in throw.rolls)):
        raise ValueError("a die shows a whole number from 1 to 6")
    first = highest(throw.rolls)
    thrown = Thrown(throw.rolls)
    return (thrown, NextSet(first[0], palifico=False)) if len(first) == 1 else (thrown,)


def _draw(game: Game, seat: Seat) -> Events:
    if game.stage is not Stage.THROWING or game.throwing or not game.plays(seat):
        raise ValueError("an opener is drawn before the first round, from those who play")
    return (NextSet(seat, palifico=False),)


def _are_dice(values: Dice) -> bool:
    return _WHOLE.issuperset(map(type, values)) and _FACES.issuperset(values)
