"""The order in which an act is judged, and the errors that are the shell's own."""

from __future__ import annotations

from typing import Any

import pytest

from perudo_protocol.ruleset import ruleset
from perudo_protocol.vocabulary import NO_OPTIONS, NO_SEAT, Bid, Refusal
from perudo_server.rules.actions import (
    Action,
    Deal,
    Draw,
    Dudo,
    Leave,
    PlaceBid,
    SpotOn,
    Throw,
    TimeUp,
)
from perudo_server.rules.game import Game, Refused, decide, new_game, options_for, prepared
from perudo_server.rules.values import replace
from tests.support.boards import after, bid, bidding, thrown

# The order of judging -------------------------------------------------------------------------


def refusal(game: Game, action: Action) -> Refusal | None:
    """Give the reason for a refusal, or nothing."""
    result = decide(game, action)
    return result.reason if isinstance(result, Refused) else None


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (PlaceBid(3, Bid(0, 9), 9), Refusal.NOT_PLAYING),
        (PlaceBid(2, Bid(0, 9), 9), Refusal.STALE),
        (PlaceBid(2, Bid(0, 9)), Refusal.NOT_YOUR_TURN),
        (PlaceBid(1, Bid(99, 9)), Refusal.OUT_OF_RANGE),
        (PlaceBid(1, Bid(99, 2)), Refusal.ABOVE_TABLE),
        (PlaceBid(1, Bid(1, 2)), Refusal.FACE_LOCKED),
        (PlaceBid(1, Bid(1, 5)), Refusal.NOT_HIGHER),
        (SpotOn(3, 9), Refusal.NOT_PLAYING),
        (SpotOn(0, 9), Refusal.STALE),
        (SpotOn(0), Refusal.OWN_BID),
        (SpotOn(2), Refusal.NOT_YOUR_TURN),
        (SpotOn(1), Refusal.NOT_IN_PALIFICO),
        (Dudo(0), Refusal.OWN_BID),
        (Dudo(2), Refusal.NOT_YOUR_TURN),
        (TimeUp(2), Refusal.NOT_YOUR_TURN),
        (TimeUp(3), Refusal.NOT_PLAYING),
    ],
    ids=str,
)
def test_the_first_reason_is_given(action: Action, reason: Refusal) -> None:
    """Where several reasons hold, the first of a fixed order is told."""
    game = after(bidding((5,), (1, 5), (3, 3), (), in_palifico=True), bid(0, "2x5"))
    assert refusal(game, action) is reason


def test_reasons_before_a_bid() -> None:
    """Disabled comes before there is nothing to call, and that before whose turn it is."""
    game = bidding((5, 5), (3, 3), spot_on=False)
    assert refusal(game, SpotOn(1)) is Refusal.DISABLED
    assert refusal(game, Dudo(1)) is Refusal.NO_BID
    assert refusal(game, PlaceBid(0, Bid(9, 1))) is Refusal.ABOVE_TABLE
    assert refusal(game, PlaceBid(0, Bid(2, 1))) is Refusal.ACES_OPENING


def test_palifico_is_told_before_two_left() -> None:
    """Both forbid a spot-on: palifico is told first, two left second."""
    game = after(bidding((5, 5), (3, 3), spot_on_heads_up=False), bid(0, "2x5"))
    assert refusal(prepared(replace(game, palifico=True)), SpotOn(1)) is Refusal.NOT_IN_PALIFICO
    assert refusal(game, SpotOn(1)) is Refusal.NOT_HEADS_UP


RAW: list[Any] = [(True, 3), (3, True), (2.0, 3), (2, 3.0), ("2", 3)]


@pytest.mark.parametrize("raw", [*(Bid(*pair) for pair in RAW), (2, 3), (2, 3, 4), "2x3", None])
def test_what_is_no_bid_is_refused(raw: Any) -> None:
    """Booleans, floats, texts and other shapes are no pair of whole numbers (D5)."""
    assert refusal(bidding((5, 5), (3, 3)), PlaceBid(0, raw)) is Refusal.OUT_OF_RANGE


@pytest.mark.parametrize("stage", ["throwing", "dealing", "over"])
def test_nobody_acts_when_no_round_is_bid(stage: str) -> None:
    """Outside a round every act of a player is refused, and no options are offered."""
    game = {
        "throwing": new_game(ruleset(), 2),
        "dealing": thrown(2),
        "over": after(bidding((2,), (3,)), Leave(0)),
    }[stage]
    assert game.stage == stage
    for seat in (NO_SEAT, 0, 1, 2):
        for action in (PlaceBid(seat, Bid(1, 2)), Dudo(seat), SpotOn(seat), TimeUp(seat)):
            assert refusal(game, action) is Refusal.NOT_PLAYING
        assert options_for(game, seat) == NO_OPTIONS


# Errors of the shell --------------------------------------------------------------------------

BIDDING = bidding((5, 5), (3, 3))


@pytest.mark.parametrize(
    ("game", "action", "match"),
    [
        (thrown(2), Deal(((1,) * 5,)), "dice"),
        (thrown(2), Deal(((1,) * 5, (1,) * 4)), "dice"),
        (thrown(2), Deal(((1,) * 5, (1, 1, 1, 1, 7))), "1 to 6"),
        (thrown(2), Deal(((1,) * 5, (1, 1, 1, 1, True))), "1 to 6"),
        (BIDDING, Deal(((1, 1), (1, 1))), "between rounds"),
        (new_game(ruleset(), 2), Deal(((1,) * 5,) * 2), "between rounds"),
        (BIDDING, Throw(((0, 1), (1, 2))), "throw"),
        (new_game(ruleset(), 2), Throw(((0, 1),)), "throw"),
        (new_game(ruleset(), 2), Throw(((1, 1), (0, 2))), "throw"),
        (new_game(ruleset(), 2), Throw(((0, 1), (1, 0))), "1 to 6"),
        (new_game(ruleset(), 2), Draw(0), "drawn"),
        (new_game(ruleset(changes={"first_player": "random"}), 2), Throw(()), "throw"),
        (new_game(ruleset(changes={"first_player": "random"}), 2), Draw(2), "drawn"),
        (BIDDING, Draw(0), "drawn"),
    ],
    ids=str,
)
def test_dice_that_do_not_fit_are_errors(game: Game, action: Action, match: str) -> None:
    """The shell made a mistake: that is no refusal."""
    with pytest.raises(ValueError, match=match):
        decide(game, action)
