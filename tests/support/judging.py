"""A second opinion on what a game just did: written from the rules' tables, not from the engine."""

from __future__ import annotations

from perudo_protocol.ruleset import Ruleset
from perudo_protocol.vocabulary import Bid, Call
from perudo_server.rules.events import Called
from perudo_server.rules.game import Game

BOTTOM = Bid(0, 0)
"""Below every bid."""


def above(rules: Ruleset, palifico: bool, new: Bid, old: Bid) -> bool:
    """Say whether a bid stands above another, in the order that these rules have."""
    wild = rules.wild_aces and not palifico

    def height(bid: Bid) -> tuple[int, int]:
        return (2 * bid.quantity, 7) if wild and bid.face == 1 else (bid.quantity, bid.face)

    if palifico and rules.palifico_change == "nobody" and old != BOTTOM:
        return new.face == old.face and new.quantity > old.quantity
    plain = not palifico and 1 not in (new.face, old.face) and old != BOTTOM
    if plain and rules.raising == "no_lower_face" and new.face < old.face:
        return False
    if (
        plain
        and rules.raising == "one_axis"
        and (new.face != old.face) == (new.quantity != old.quantity)
    ):
        return False
    return height(new) > height(old)


def look_at_the_verdict(before: Game, called: Called, lost: list[int], gained: list[int]) -> None:
    """Count the dice another way, and read who pays off the table of D19."""
    bidder, bid = before.ladder[-1].seat, before.ladder[-1].bid
    dice = [die for hand in before.cups for die in hand]
    wild = before.rules.wild_aces and not before.palifico and bid.face != 1
    matching = dice.count(bid.face) + (dice.count(1) if wild else 0)
    assert called.count == matching
    if called.call is Call.DUDO:
        assert called.right == (matching < bid.quantity)
        assert (lost, gained) == ([bidder if called.right else called.seat], [])
        return
    assert called.right == (matching == bid.quantity)
    if not called.right:
        assert (lost, gained) == ([called.seat], [])
        return
    reward = before.rules.spot_on_reward
    full = before.dice[called.seat] == before.rules.start_dice
    assert lost == ([] if reward == "regain" else [bidder])
    assert gained == ([] if reward == "bidder" or full else [called.seat])


def look_at_what_comes(before: Game, after: Game, called: Called, lost: list[int]) -> None:
    """Find the next opener by walking clockwise, and ask whether somebody fell to one."""
    seat = (lost or [called.seat])[0]
    while seat in after.gone or after.dice[seat] == 0:
        seat = (seat + 1) % len(after.dice)
    assert after.opener == seat
    fell = [s for s in lost if before.dice[s] == 2 and s not in after.gone]
    rules = after.rules
    barred = (
        rules.palifico == "off"
        or (rules.palifico == "once" and bool(fell) and fell[0] in before.palifico_used)
        or (not rules.palifico_heads_up and len(after.playing) == 2)
    )
    assert after.palifico == (bool(fell) and not barred)
