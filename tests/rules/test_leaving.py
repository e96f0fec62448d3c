"""Leaving between rounds, places, and the options that the end of a round obeys."""

from __future__ import annotations

import pytest

from perudo_protocol.vocabulary import Call, Refusal
from perudo_server.rules.actions import Deal, Dudo, Leave, SpotOn
from perudo_server.rules.events import Called, Cleared, DieLost, Left, NextSet, WentOut
from perudo_server.rules.game import Refused, Stage, decide, prepared
from perudo_server.rules.values import replace
from tests.support.boards import after, bid, bidding, thrown, told

# Leaving between rounds -----------------------------------------------------------------------


def test_leaving_between_rounds_when_somebody_else_opens() -> None:
    """The dice go out at once and nothing else changes."""
    game = thrown(3, first=2)
    assert told(game, Leave(0)) == (Left(0), Cleared(0), WentOut(0, 3))


def test_the_opener_leaves_between_rounds() -> None:
    """The next with dice, clockwise from that seat, opens (D19)."""
    game = after(thrown(4, first=2), Leave(3))
    assert told(game, Leave(2))[3:] == (NextSet(0, palifico=False),)


def test_palifico_is_off_when_a_leaver_makes_it_two() -> None:
    """`palifico_heads_up` off: what was to come with three is not played with two (D22)."""
    game = bidding((5, 5), (3, 3), (4, 4), palifico_heads_up=False)
    game = after(game, bid(0, "4x5"), Dudo(1))
    assert (game.opener, game.palifico) == (0, True)
    assert told(game, Leave(2))[3:] == (NextSet(0, palifico=False),)


def test_palifico_under_way_stays_when_a_leaver_makes_it_two() -> None:
    """What has been dealt as palifico is played as palifico."""
    game = bidding((5,), (3, 3), (4, 4), in_palifico=True, palifico_heads_up=False)
    assert after(game, Leave(2)).palifico


def test_places_follow_the_order_of_going() -> None:
    """A leaver's place is given on leaving, before those who go out later (D40)."""
    game = bidding((5,), (3, 3), (4, 4), (6, 6))
    game = after(game, Leave(2), bid(0, "2x5"), Dudo(1))
    assert game.places == (3, 0, 4, 0)
    game = after(game, Leave(3))
    assert (game.places, game.winner, game.stage) == ((3, 1, 4, 2), 1, Stage.OVER)


@pytest.mark.parametrize("seat", [2, 3, 7, -1])
def test_who_is_not_in_cannot_leave(seat: int) -> None:
    """The eliminated, the gone and those who never sat there are refused."""
    game = after(bidding((5,), (3, 3), (), (6, 6)), Leave(3))
    assert decide(game, Leave(seat)) == Refused(Refusal.NOT_PLAYING)


# Options that a round's end obeys -------------------------------------------------------------


def test_palifico_once_a_player() -> None:
    """The second fall of the same player brings none, that of another does (D21)."""
    game = bidding((5, 5), (3, 3), (4, 4), palifico="once")
    game = after(game, bid(0, "4x5"), Dudo(1), Deal(((5,), (5, 3), (4, 4))))
    assert game.palifico_used == {0}
    cups = ((5, 5), (3, 3), (4, 4))
    risen = prepared(replace(game, dice=(2, 2, 2), cups=cups, palifico=False))
    assert not after(risen, bid(0, "4x5"), Dudo(1)).palifico
    assert after(risen, bid(0, "1x5"), bid(1, "4x3"), Dudo(2)).palifico


def test_palifico_every_time() -> None:
    """By default a player who regains a die and falls again plays it again (D20, D21)."""
    game = replace(bidding((5, 5), (3, 3), (4, 4)), palifico_used=frozenset({0}))
    assert after(game, bid(0, "4x5"), Dudo(1)).palifico


@pytest.mark.parametrize(
    ("reward", "dice", "opener"),
    [("both", (2, 3), 0), ("bidder", (2, 2), 0), ("regain", (3, 3), 1)],
)
def test_rewards_of_spot_on(reward: str, dice: tuple[int, ...], opener: int) -> None:
    """Who pays, who gains and who opens, as the table of D19 has it."""
    game = after(bidding((3, 3, 4), (3, 5), spot_on_reward=reward), bid(0, "3x3"))
    assert told(game, SpotOn(1))[0] == Called(1, Call.SPOT_ON, 3, right=True)
    game = after(game, SpotOn(1))
    assert (game.dice, game.opener) == (dice, opener)


@pytest.mark.parametrize("text", ["2x3", "4x3"])
def test_a_wrong_spot_on(text: str) -> None:
    """Higher or lower, it is told as wrong and the claimant pays (S2.22)."""
    events = told(after(bidding((3, 3, 4), (3, 5, 5)), bid(0, text)), SpotOn(1))
    assert events[:2] == (Called(1, Call.SPOT_ON, 3, right=False), DieLost(1))
