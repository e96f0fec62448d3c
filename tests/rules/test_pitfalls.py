"""The ten places where implementations of this game go wrong, one test or more for each."""

from __future__ import annotations

import pytest

from perudo_protocol.vocabulary import Bid, Call, Refusal
from perudo_server.rules.actions import Deal, Dudo, Leave, PlaceBid, SpotOn, TimeUp
from perudo_server.rules.bidding import offer, wrong_with
from perudo_server.rules.events import (
    BidPlaced,
    Called,
    Cleared,
    DieGained,
    DieLost,
    NextSet,
    TimedOut,
    WentOut,
    Won,
)
from perudo_server.rules.game import Refused, Stage, decide, evolve, options_for
from tests.support.boards import after, bid, bidding, told


def test_1_a_call_that_crosses_a_raise_is_stale() -> None:
    """Where anybody may doubt: the doubt that answers the first bid never hits the second (D34)."""
    game = after(bidding((2, 3), (4, 5), (6, 6), dudo_by="any"), bid(0, "1x2"))
    doubt = Dudo(2, answers=1)
    assert told(game, doubt)[0] == Called(2, Call.DUDO, 1, right=False)
    game = after(game, PlaceBid(1, Bid(3, 6), answers=1))
    assert decide(game, doubt) == Refused(Refusal.STALE)
    assert decide(game, SpotOn(2, answers=1)) == Refused(Refusal.STALE)
    assert decide(game, PlaceBid(2, Bid(4, 6), answers=1)) == Refused(Refusal.STALE)
    assert told(game, Dudo(2, answers=2))[0] == Called(2, Call.DUDO, 2, right=True)


def test_2_the_next_opener_is_found_from_the_seat_of_who_went_out() -> None:
    """The last die of seat 3 goes; 4 is empty: 0 opens, and not whoever moved up (S1.20)."""
    game = after(bidding((2, 2), (3, 3), (4, 4), (5,), (), opener=3), bid(3, "4x5"))
    assert game.turn == 0
    assert told(game, Dudo(0))[1:] == (DieLost(3), WentOut(3, 4), NextSet(0, palifico=False))


def test_2_the_next_opener_is_not_the_next_in_turn() -> None:
    """The caller sits next to the loser, but the next clockwise of the loser is another."""
    game = after(bidding((2,), (3, 3), (4, 4), dudo_by="any"), bid(0, "3x2"))
    assert told(game, Dudo(2))[1:] == (DieLost(0), WentOut(0, 3), NextSet(1, palifico=False))


def test_3_a_third_player_at_one_die_triggers_no_palifico() -> None:
    """Seat 2 sits at one die; seat 0 falls from three to two: a normal round follows."""
    game = after(bidding((2, 2, 2), (3, 3), (4,)), bid(0, "5x2"))
    assert told(game, Dudo(1))[1:] == (DieLost(0), NextSet(0, palifico=False))


def test_3_starting_at_one_is_no_fall() -> None:
    """With one die each, a spot-on that only regains moves nothing, and its claimant opens."""
    game = bidding((2,), (2,), (4,), start_dice=1, spot_on_reward="regain")
    game = after(game, bid(0, "2x2"))
    assert told(game, SpotOn(1))[1:] == (NextSet(1, palifico=False),)


def test_3_rising_to_one_more_is_no_fall() -> None:
    """The opener has risen from one to two, and the bidder has lost nothing."""
    game = bidding((2, 2), (3,), (4, 4), spot_on_reward="regain")
    game = after(game, bid(0, "2x2"))
    assert told(game, SpotOn(1))[1:] == (DieGained(1), NextSet(1, palifico=False))


def test_4_spot_on_against_a_bidder_with_one_die() -> None:
    """The bidder is out and the claimant gains; the next opens clockwise from the bidder."""
    game = after(bidding((3,), (3, 4), (5, 5)), bid(0, "2x3"))
    assert told(game, SpotOn(1)) == (
        Called(1, Call.SPOT_ON, 2, right=True),
        DieLost(0),
        DieGained(1),
        WentOut(0, 3),
        NextSet(1, palifico=False),
    )


def test_4_spot_on_with_two_left_ends_the_game() -> None:
    """With two left that is the end (S2.29, D30)."""
    game = after(bidding((3,), (3,)), bid(0, "2x3"))
    assert told(game, SpotOn(1))[1:] == (DieLost(0), DieGained(1), WentOut(0, 2), Won(1))
    assert after(game, SpotOn(1)).dice == (0, 2)


def test_5_at_the_top_only_a_call_is_left() -> None:
    """All aces bid: nothing to raise to, and time that runs out calls instead of hanging (D10)."""
    game = after(bidding((1, 1), (1, 1)), bid(0, "2x2"), bid(1, "4x1"))
    options = options_for(game, 0)
    assert not options.may_bid
    assert options.may_dudo
    for quantity in range(1, 6):
        for face in range(1, 7):
            assert isinstance(decide(game, PlaceBid(0, Bid(quantity, face))), Refused)
    events = told(game, TimeUp(0))
    assert events[:2] == (TimedOut(0), Called(0, Call.DUDO, 4, right=False))


def test_5_time_up_before_a_bid_opens() -> None:
    """Without a bid to doubt the fallback is one two, also where faces are plain (D33)."""
    for palifico in (False, True):
        game = bidding((3,), (4, 4), in_palifico=palifico)
        assert told(game, TimeUp(0)) == (TimedOut(0), BidPlaced(0, Bid(1, 2)))


@pytest.mark.parametrize("aces", range(1, 10))
def test_6_back_from_aces_at_twice_and_one(aces: int) -> None:
    """From a aces 2a of any face is too few, 2a+1 enough; and 2a+1 is above a aces again (D7)."""
    ground = bidding((2,) * 10, (2,) * 10).grounds[0]
    standing = Bid(aces, 1)
    for face in range(2, 7):
        assert offer(ground, standing).least[face - 1] == 2 * aces + 1
        assert wrong_with(ground, standing, Bid(2 * aces, face)) is Refusal.NOT_HIGHER
        back = Bid(2 * aces + 1, face)
        assert not offer(ground, back).allows(standing)
        assert wrong_with(ground, back, standing) is Refusal.NOT_HIGHER


def test_6_more_dice_is_not_enough_over_aces() -> None:
    """3 aces to 4 fives: more dice, and still lower."""
    game = after(bidding((1,) * 5, (5,) * 5), bid(0, "2x2"), bid(1, "3x1"))
    assert decide(game, bid(0, "4x5")) == Refused(Refusal.NOT_HIGHER)


def test_7_a_leavers_dice_stay_until_the_round_ends() -> None:
    """The bid was true with them, and stays true; the limit of bids stays as it was (D4, D32)."""
    game = after(bidding((2, 3), (2, 2), (4, 5)), bid(0, "3x2"), Leave(1))
    assert game.dice == (2, 2, 2)
    assert game.turn == 2
    assert options_for(game, 2).most[5] == 6
    events = told(game, Dudo(2))
    assert events[0] == Called(2, Call.DUDO, 3, right=False)
    assert events[1:] == (DieLost(2), Cleared(1), NextSet(2, palifico=True))


def test_7_an_absent_bidder_loses_and_no_dice_go_below_none() -> None:
    """The gone bidder's only die is lost once, not twice; the place was given on leaving."""
    game = after(bidding((2,), (3, 3), (4, 5)), bid(0, "3x2"), Leave(0))
    assert game.places == (3, 0, 0)
    assert told(game, Dudo(1)) == (
        Called(1, Call.DUDO, 1, right=True),
        DieLost(0),
        NextSet(1, palifico=False),
    )
    assert after(game, Dudo(1)).dice == (0, 2, 2)


def test_7_an_absent_loser_opens_nothing_and_plays_no_palifico() -> None:
    """The gone bidder falls from two to one: the dice go out, the next clockwise opens."""
    game = after(bidding((2, 2), (3, 3), (4, 5)), bid(0, "4x2"), Leave(0))
    events = told(game, Dudo(1))
    assert events[1:] == (DieLost(0), Cleared(0), NextSet(1, palifico=False))


def test_8_palifico_inside_palifico() -> None:
    """A fall inside a palifico round brings the next one, for the one who fell."""
    game = after(bidding((5,), (5, 5), (3, 3), in_palifico=True), bid(0, "3x5"))
    assert told(game, Dudo(1))[1:] == (DieLost(1), NextSet(1, palifico=True))


def test_8_both_players_at_one_die() -> None:
    """With two left, both at one, palifico is played; the next loss is the end."""
    game = after(bidding((5, 4), (3,)), bid(0, "2x5"))
    game = after(game, Dudo(1))
    assert (game.dice, game.palifico, game.opener) == ((1, 1), True, 0)
    game = after(game, Deal(((1,), (1,))), bid(0, "1x1"), bid(1, "2x1"), Dudo(0))
    assert (game.stage, game.winner) == (Stage.OVER, 1)


def test_8_the_palifico_opener_leaves_before_bidding() -> None:
    """The round stays palifico; the next in turn opens it, on aces if they like."""
    game = after(bidding((5,), (1, 5), (3, 3), in_palifico=True), Leave(0))
    assert (game.palifico, game.turn, game.stage) == (True, 1, Stage.BIDDING)
    game = after(game, bid(1, "1x1"))
    assert decide(game, bid(2, "2x2")) == Refused(Refusal.FACE_LOCKED)


def test_8_the_palifico_opener_leaves_before_the_deal() -> None:
    """Then it is not played at all: nobody else fell."""
    game = after(bidding((5, 5), (3, 3), (4, 4)), bid(0, "4x5"), Dudo(1))
    assert (game.opener, game.palifico) == (0, True)
    assert told(game, Leave(0))[1:] == (Cleared(0), WentOut(0, 3), NextSet(1, palifico=False))


def test_9_last_hands_of_the_eliminated_are_not_counted() -> None:
    """Seat 0 goes out holding sixes; in the next round there are none."""
    game = after(bidding((6,), (3, 3), (4, 4)), bid(0, "2x6"), Dudo(1))
    game = after(game, Deal(((), (2, 3), (4, 5))), bid(1, "1x6"))
    assert game.in_play == 4
    assert told(game, Dudo(2))[0] == Called(2, Call.DUDO, 0, right=True)


def test_10_the_winner_comes_last_and_after_the_reveal() -> None:
    """The call and its count are told before the end, and the cups lie open then."""
    game = after(bidding((2,), (3, 3)), bid(0, "2x2"))
    events = told(game, Dudo(1))
    assert isinstance(events[0], Called)
    assert events[-1] == Won(1)
    for event in events:
        game = evolve(game, event)
        assert game.shown
        assert game.cups == ((2,), (3, 3))
