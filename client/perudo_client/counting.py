"""Whether what is said about shown dice fits them: the count of a call and its verdict; pure."""

from __future__ import annotations

from perudo_protocol.views import Reveal
from perudo_protocol.vocabulary import ACE, Call


def counted_right(reveal: Reveal, wild_aces: bool) -> bool:
    """Say whether count and verdict of a reveal fit its dice (S1.3, S1.28, D6).

    `wild_aces` is the table's option of this name; in palifico, and for a bid on aces, nothing is
    wild.
    """
    face = reveal.bid.face
    joker = ACE if wild_aces and not reveal.palifico else face
    count = sum(die in (face, joker) for hand in reveal.cups for die in hand)
    if reveal.call is Call.DUDO:
        right = count < reveal.bid.quantity
    else:
        right = count == reveal.bid.quantity
    return (reveal.count, reveal.right) == (count, right)
