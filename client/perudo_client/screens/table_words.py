"""Sentences that only the table's screen says."""

from __future__ import annotations

from perudo_client import story_words, words
from perudo_client.i18n import _
from perudo_client.odds import odds
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT, Bid, Call, Phase


def question(view: TableView) -> str:
    """Say who called what, before anybody knows what came of it."""
    reveal = view.reveal
    assert reveal is not None
    caller, bidder = words.seat_name(view, reveal.caller), words.seat_name(view, reveal.bidder)
    bid = words.bid_text(reveal.bid)
    if reveal.call is Call.DUDO:
        text = _("Is it true? {bid}, bid by {bidder}, doubted by {caller}.")
    else:
        text = _("Is it exact? {bid}, bid by {bidder}, called by {caller}.")
    return text.format(bid=bid, bidder=bidder, caller=caller)


def without_dice(view: TableView) -> str:
    """Say why there is nothing under our cup."""
    if view.my_seat != NO_SEAT:
        return _("You are out of this game.")
    if any(person.waiting for person in view.watchers if person.person == view.you):
        return _("You play from the next game on.")
    return _("You watch this table.")


def after(view: TableView) -> str:
    """Say what comes after a reveal: who opens, or who has won."""
    if view.phase is Phase.OVER:
        return story_words.winner_line(view)
    return story_words.next_line(view)


def odds_text(view: TableView, picked: Bid | None) -> str:
    """Say how likely the standing bid and the picked one are, as far as one can know."""
    standing = view.standing
    if not view.hand:
        return ""
    if standing is None:
        return "" if picked is None else _("odds: yours {picked:.0%}").format(
            picked=odds(view, picked).true)  # fmt: skip
    if picked is None:
        return _("odds: {standing:.0%} that it is true").format(
            standing=odds(view, standing.bid).true
        )
    text = _("odds: standing {standing:.0%}, yours {picked:.0%}")
    true = odds(view, standing.bid).true
    return text.format(standing=true, picked=odds(view, picked).true)
