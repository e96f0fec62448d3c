"""Dice and bids as text: pure, for every widget that draws them."""

from __future__ import annotations

from perudo_client.i18n import _
from perudo_client.words import bid_text
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Bid, Options


def pips(dice: int, start: int) -> str:
    """Draw how many dice a seat has of those it started with."""
    return "■" * dice + "·" * max(start - dice, 0)


def start_dice(view: TableView) -> int:
    """Give how many dice everybody starts with at this table."""
    value = view.rules.get("start_dice", 5)
    return value if isinstance(value, int) else 5


def cheapest(options: Options) -> Bid | None:
    """Give the legal bid with the fewest dice, on aces only if there is no other; or `None`."""
    bids = least_bids(options)
    return min(bids, key=lambda bid: (bid.face == 1, bid)) if bids else None


def least_bids(options: Options) -> list[Bid]:
    """Give the least legal bid on each face that has one, aces first."""
    return [Bid(least, face) for face, least in enumerate(options.least, 1) if least]


def least_text(options: Options) -> str:
    """Write the least legal bids in few words: one on aces, one on the other faces."""
    bids = least_bids(options)
    others = [bid for bid in bids if bid.face != 1]
    few = [bid for bid in bids if bid.face == 1]
    if others:
        few.append(min(others))
    return _(" or ").join(bid_text(bid) for bid in few)
