"""Dudo and spot-on: who may call, and who pays (table D19).

A call is refused in this order: no spot-on at this table (D12), no bid yet (D11, D14), one's own
bid (D11), out of turn (D11, D13), palifico (D17), two players left (D18).
"""

from __future__ import annotations

from perudo_protocol.vocabulary import NO_SEAT, Refusal, Seat

from .counting import count
from .state import Game
from .values import Value


class Outcome(Value, frozen=True):
    """What a call brings when the cups are lifted."""

    matched: int
    """How many dice match the bid."""
    right: bool
    """Whether the caller was right."""
    loser: Seat
    """Who loses a die; `NO_SEAT` when nobody does."""
    gainer: Seat
    """Who regains one; `NO_SEAT` when nobody does."""
    opener: Seat
    """From whose seat the next opener is looked for."""


def refuse_dudo(game: Game, seat: Seat) -> Refusal | None:
    """Say why a seat that plays may not doubt now."""
    return _refuse_any(game, seat, game.rules.dudo_by)


def refuse_spot_on(game: Game, seat: Seat) -> Refusal | None:
    """Say why a seat that plays may not claim spot-on now."""
    rules = game.rules
    if not rules.spot_on:
        return Refusal.DISABLED
    reason = _refuse_any(game, seat, rules.spot_on_by)
    if reason is not None:
        return reason
    if game.palifico and not rules.spot_on_palifico:
        return Refusal.NOT_IN_PALIFICO
    if not rules.spot_on_heads_up and len(game.playing) == 2:
        return Refusal.NOT_HEADS_UP
    return None


def _refuse_any(game: Game, seat: Seat, by: str) -> Refusal | None:
    """Judge what holds for both calls; `by` is the option that says who may call."""
    ladder = game.ladder
    if not ladder:
        return Refusal.NO_BID
    if ladder[-1].seat == seat:
        return Refusal.OWN_BID
    if by == "turn" and game.turn != seat:
        return Refusal.NOT_YOUR_TURN
    return None


def doubted(game: Game, caller: Seat) -> Outcome:
    """Lift the cups for a legal dudo, and say who pays (S1.18, S2.19)."""
    top = game.ladder[-1]
    bid = top.bid
    found = count(game.cups, bid.face, game.wild)
    right = found < bid.quantity
    loser = top.seat if right else caller
    return Outcome(found, right, loser, NO_SEAT, loser)


def spotted(game: Game, caller: Seat) -> Outcome:
    """Lift the cups for a legal spot-on, and say who pays and who gains.

    One that was right is paid as the option `spot_on_reward` says (S2.23, D15, D16).
    """
    top = game.ladder[-1]
    bidder, bid = top.seat, top.bid
    found = count(game.cups, bid.face, game.wild)
    if found != bid.quantity:
        return Outcome(found, False, caller, NO_SEAT, caller)
    reward = game.rules.spot_on_reward
    room = game.dice[caller] < game.rules.start_dice
    gainer = caller if reward != "bidder" and room else NO_SEAT
    if reward == "regain":
        return Outcome(found, True, NO_SEAT, gainer, caller)
    return Outcome(found, True, bidder, gainer, bidder)
