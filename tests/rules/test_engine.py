"""The engine's edges: setting up, the throw, leaving, the order of judging, what stays hidden."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from perudo_protocol.ruleset import Ruleset, ruleset
from perudo_protocol.vocabulary import NO_OPTIONS, NO_SEAT, Bid, Call, Refusal
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
from perudo_server.rules.events import Cleared, Dealt, Left, NextSet, Thrown, WentOut, Won
from perudo_server.rules.game import (
    Game,
    PlayerCountError,
    Refused,
    Stage,
    decide,
    evolve,
    new_game,
    options_for,
)
from perudo_server.rules.sight import visible_cups
from tests.support.boards import after, bid, bidding, thrown, told

# Setting up ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("most", "players"), [(6, 0), (6, 1), (6, 7), (2, 3), (10, 11), (6, -1)])
def test_too_few_and_too_many(most: int, players: int) -> None:
    """A game is for two to `max_players`; the error says so."""
    with pytest.raises(PlayerCountError, match=rf"2 to {most}"):
        new_game(ruleset(changes={"max_players": most}), players)


def test_ten_is_the_hard_limit() -> None:
    """Options that nobody checked seat no more than ten either (D27)."""
    with pytest.raises(PlayerCountError, match="2 to 10"):
        new_game(Ruleset(max_players=12), 11)


def test_starting_at_one_die_is_no_palifico() -> None:
    """`start_dice` 1: nobody fell (option table)."""
    game = thrown(3, start_dice=1)
    assert (game.dice, game.palifico) == ((1, 1, 1), False)


# Throwing --------------------------------------------------------------------------------------


def test_tied_highest_throw_again_until_one_is_left() -> None:
    """Only those tied throw again, and then those tied among them (D26)."""
    game = new_game(ruleset(), 4)
    assert game.throwing == (0, 1, 2, 3)
    game = after(game, Throw(((0, 6), (1, 6), (2, 1), (3, 6))))
    assert game.throwing == (0, 1, 3)
    game = after(game, Throw(((0, 1), (1, 2), (3, 2))))
    assert game.throwing == (1, 3)
    events = told(game, Throw(((1, 1), (3, 2))))
    assert events == (Thrown(((1, 1), (3, 2))), NextSet(3, palifico=False))


def test_an_opener_drawn_by_lot() -> None:
    """`first_player: random`: the shell draws, and nobody throws."""
    game = new_game(ruleset(changes={"first_player": "random"}), 3)
    assert game.throwing == ()
    assert told(game, Draw(2)) == (NextSet(2, palifico=False),)


def test_leaving_before_the_throw() -> None:
    """The others throw without the leaver."""
    game = after(new_game(ruleset(), 3), Leave(1))
    assert (game.throwing, game.dice, game.places) == ((0, 2), (5, 0, 5), (0, 3, 0))
    assert after(game, Throw(((0, 1), (2, 4)))).opener == 2


def test_leaving_while_one_is_to_be_drawn() -> None:
    """With an opener to be drawn, a leaver is no longer among those to draw from."""
    game = after(new_game(ruleset(changes={"first_player": "random"}), 3), Leave(1))
    assert game.stage is Stage.THROWING
    with pytest.raises(ValueError, match="drawn"):
        decide(game, Draw(1))
    assert after(game, Draw(2)).opener == 2


def test_leaving_in_a_tie_leaves_the_other_to_open() -> None:
    """Two tied, one goes: the other threw the highest of those still in."""
    game = after(new_game(ruleset(), 4), Throw(((0, 2), (1, 5), (2, 5), (3, 1))))
    assert told(game, Leave(0)) == (Left(0), Cleared(0), WentOut(0, 4))
    assert told(game, Leave(1))[3:] == (NextSet(2, palifico=False),)


@pytest.mark.parametrize("first", ["roll", "random"])
def test_leaving_a_game_of_two_before_it_began(first: str) -> None:
    """The other has won, at every stage (D32)."""
    game = new_game(ruleset(changes={"first_player": first}), 2)
    assert told(game, Leave(0)) == (Left(0), Cleared(0), WentOut(0, 2), Won(1))


# Leaving between rounds ------------------------------------------------------------------------


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


# Options that a round's end obeys --------------------------------------------------------------


def test_palifico_once_a_player() -> None:
    """The second fall of the same player brings none, that of another does (D21)."""
    game = bidding((5, 5), (3, 3), (4, 4), palifico="once")
    game = after(game, bid(0, "4x5"), Dudo(1), Deal(((5,), (5, 3), (4, 4))))
    assert game.palifico_used == {0}
    risen = game._replace(dice=(2, 2, 2), cups=((5, 5), (3, 3), (4, 4)), palifico=False)
    assert not after(risen, bid(0, "4x5"), Dudo(1)).palifico
    assert after(risen, bid(0, "1x5"), bid(1, "4x3"), Dudo(2)).palifico


def test_palifico_every_time() -> None:
    """By default a player who regains a die and falls again plays it again (D20, D21)."""
    game = bidding((5, 5), (3, 3), (4, 4))._replace(palifico_used=frozenset({0}))
    assert after(game, bid(0, "4x5"), Dudo(1)).palifico


@pytest.mark.parametrize(
    ("reward", "dice", "opener"),
    [("both", (2, 3), 0), ("bidder", (2, 2), 0), ("regain", (3, 3), 1)],
)
def test_rewards_of_spot_on(reward: str, dice: tuple[int, ...], opener: int) -> None:
    """Who pays, who gains and who opens, as the table of D19 has it."""
    game = after(bidding((3, 3, 4), (3, 5), spot_on_reward=reward), bid(0, "3x3"), SpotOn(1))
    assert (game.dice, game.opener) == (dice, opener)


# The order of judging --------------------------------------------------------------------------


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
    assert refusal(game._replace(palifico=True), SpotOn(1)) is Refusal.NOT_IN_PALIFICO
    assert refusal(game, SpotOn(1)) is Refusal.NOT_HEADS_UP


@pytest.mark.parametrize("raw", [(True, 3), (3, True), (2.0, 3), ("2", 3), (2, 3, 4), "2x3", None])
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


# Errors of the shell ---------------------------------------------------------------------------

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


# What stays hidden -----------------------------------------------------------------------------


def test_no_text_tells_the_dice() -> None:
    """No repr and no error holds a hand, so that no log can (D36)."""
    cups = ((6, 5, 6, 5, 6), (5, 6, 5, 6, 5))
    game = after(thrown(2), Deal(cups))
    texts = [str(value) for value in (Deal(cups), Dealt(cups), game, [game], {"g": game})]
    with pytest.raises(ValueError, match="between rounds") as caught:
        decide(game, Deal(cups))
    for text in [*texts, str(caught.value), f"{game}", f"{Deal(cups)!r}", f"{Dealt(cups)}"]:
        assert "6, 5" not in text
        assert "5, 6" not in text
    assert "cups=<5, 5 dice>" in repr(game)


def test_who_sees_what() -> None:
    """Own dice always, the others' from the call on until the next deal."""
    game = bidding((5, 4), (3, 3), ())
    assert visible_cups(game, 0) == ((5, 4), 2, 0)
    assert visible_cups(game, 2) == (2, 2, ())
    assert visible_cups(game, NO_SEAT) == (2, 2, 0)
    game = after(game, bid(0, "4x5"), Dudo(1))
    assert visible_cups(game, NO_SEAT) == ((5, 4), (3, 3), ())
    game = after(game, Deal(((1,), (3, 2), ())))
    assert visible_cups(game, 1) == (1, (3, 2), 0)


def test_sight_after_the_end() -> None:
    """A game that ends by a call stays open; one that ends by leaving never opens."""
    game = after(bidding((2,), (3, 3)), bid(0, "2x2"))
    assert visible_cups(after(game, Dudo(1)), NO_SEAT) == ((2,), (3, 3))
    assert visible_cups(after(game, Leave(0)), NO_SEAT) == (1, 2)
    assert visible_cups(after(game, Leave(0)), 0) == ((2,), 2)


def test_leaving_after_a_reveal_hides_nothing_again() -> None:
    """What everybody has seen stays seen."""
    game = after(bidding((2, 2), (3, 3)), bid(0, "3x2"), Dudo(1), Leave(0))
    assert (game.stage, game.winner) == (Stage.OVER, 1)
    assert visible_cups(game, NO_SEAT) == ((2, 2), (3, 3))


# Values ----------------------------------------------------------------------------------------


def test_events_and_actions_of_different_kinds_differ() -> None:
    """A seat that left is not a seat that won, though both hold one number."""
    assert len({Left(1), Won(1), Cleared(1), Dudo(1), SpotOn(1), Leave(1), TimeUp(1)}) == 7


def test_an_event_makes_a_new_game() -> None:
    """The old one is as it was."""
    game = bidding((5, 4), (3, 3))
    kept = game._replace()
    evolve(game, Left(0))
    after(game, bid(0, "1x2"), Dudo(1))
    assert game == kept


def test_any_may_call_but_not_the_bidder() -> None:
    """`dudo_by` and `spot_on_by` any: all seated with dice but the bidder are offered the call."""
    game = bidding((5,), (3, 3), (4, 4), (), (6, 6), dudo_by="any", spot_on_by="any")
    game = after(game, Leave(4), bid(0, "1x5"))
    able = [seat for seat in range(5) if options_for(game, seat).may_dudo]
    assert able == [1, 2]
    assert [seat for seat in range(5) if options_for(game, seat).may_spot_on] == able
    assert [seat for seat in range(5) if options_for(game, seat).may_bid] == [1]
    assert told(game, Dudo(2))[0].call is Call.DUDO  # type: ignore[union-attr]


def test_the_rules_load_nothing_of_the_shell() -> None:
    """No clock, chance, network or log is anywhere near the rules."""
    barred = ["asyncio", "random", "secrets", "socket", "sqlite3", "logging", "msgspec", "textual"]
    barred += ["perudo_protocol.messages", "perudo_protocol.views", "perudo_server.view"]
    code = (
        "import sys; before = set(sys.modules); "
        "import perudo_server.rules.game, perudo_server.rules.sight; "
        f"print([name for name in {barred} if name in set(sys.modules) - before])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
