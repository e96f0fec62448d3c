"""Counting dice: what a bid is worth once the cups are lifted."""

from __future__ import annotations

from collections.abc import Iterable

from perudo_protocol.vocabulary import ACE, Dice


def count(hands: Iterable[Dice], face: int, wild: bool) -> int:
    """Count the dice of all hands that match a face (S1.3, S2.8).

    With `wild`, aces match every face; a bid on aces counts aces alone (D6). In palifico and with
    the option `wild_aces` off nothing is wild (S1.28, S2.27).
    """
    aces = wild and face != ACE
    found = 0
    for hand in hands:
        found += hand.count(face)
        if aces:
            found += hand.count(ACE)
    return found


def veiled(cups: Iterable[Dice]) -> str:
    """Write hands for a log or an error: how many dice each has, never which."""
    return f"<{', '.join(str(len(hand)) for hand in cups)} dice>"
