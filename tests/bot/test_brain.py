"""What the brain does in positions where there is one thing to do, or a thing never to do."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from perudo_bot.brain import HONEST, Brain, Choice
from perudo_bot.reading import Reading
from perudo_protocol.ruleset import ruleset, to_wire
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_OPTIONS, Bid, Call
from perudo_server.rules.events import BidPlaced
from perudo_server.rules.game import Game, Stage, prepared
from tests.support.bot_games import view_for

TIMES = 200


def seen(
    hand: str,
    others: list[int],
    ladder: list[tuple[int, str]],
    palifico: bool = False,
    turn: int = 0,
    **changes: object,
) -> TableView:
    """Give what seat 0 sees with this hand, against cups of so many dice, after these bids."""
    rules = ruleset("standard", {"max_players": 10, **changes})
    cups = (tuple(map(int, hand)), *((2,) * dice for dice in others))
    game = Game(
        rules,
        tuple(map(len, cups)),
        cups,
        stage=Stage.BIDDING,
        round=3,
        opener=0,
        turn=turn,
        palifico=palifico,
        ladder=tuple(BidPlaced(seat, Bid.parse(bid)) for seat, bid in ladder),
        places=(0,) * len(cups),
    )
    return view_for(prepared(game), 0, to_wire(rules))


def choices(view: TableView, times: int = TIMES) -> Counter[Choice]:
    """Let as many bots choose, each with a seed of its own; all that they choose is legal."""
    found = Counter(Brain(random.Random(seed)).choose(view) for seed in range(times))
    options = view.options_for(0)
    for choice in found:
        match choice:
            case Bid():
                assert options.allows(choice)
            case Call.DUDO:
                assert options.may_dudo
            case Call.SPOT_ON:
                assert options.may_spot_on
    return found


def test_an_impossible_bid_is_doubted() -> None:
    assert choices(seen("22334", [1], [(1, "5x6")])) == {Call.DUDO: TIMES}


def test_a_sure_thing_is_never_doubted() -> None:
    found = choices(seen("15556", [5, 5], [(2, "4x5")]))
    assert found[Call.DUDO] == 0


def test_a_likely_bid_is_raised() -> None:
    found = choices(seen("23456", [5, 5, 5], [(3, "2x4")]))
    assert found[Call.DUDO] == found[Call.SPOT_ON] == 0


def test_two_left_doubt_when_the_odds_are_bad() -> None:
    """Four fives of six dice, one own match: 3 of 3 unknown dice must match, 1 in 27."""
    found = choices(seen("523", [3], [(1, "4x5")], spot_on=False))
    assert found[Call.DUDO] > 0.95 * TIMES


def test_only_a_call_is_left() -> None:
    """D10: four aces of four dice; the own hand makes them false, and spot-on with them."""
    view = seen("11", [2], [(1, "4x1")], spot_on=False)
    assert not view.options_for(0).may_bid
    assert choices(view) == {Call.DUDO: TIMES}


def test_spot_on_is_called_when_the_odds_are_high() -> None:
    """The own two fives make the bid true, and it is exact in five of six cases."""
    view = seen("55", [1], [(1, "2x5")], palifico=True, spot_on_palifico=True)
    assert choices(view)[Call.SPOT_ON] > 0.9 * TIMES


def test_spot_on_is_not_called_when_the_odds_are_low() -> None:
    found = choices(seen("12345", [5, 5, 5, 5], [(1, "8x5")]))
    assert found[Call.SPOT_ON] == 0


@pytest.mark.parametrize(
    ("reward", "start_dice", "called"),
    [("both", 5, True), ("both", 3, False), ("regain", 5, False), ("bidder", 5, False)],
)
def test_spot_on_is_weighed_by_its_reward(reward: str, start_dice: int, called: bool) -> None:
    """The odds are 4 in 9: worth it only if the bidder loses a die and the bot regains one."""
    view = seen("225", [1, 1], [(2, "2x2")], spot_on_reward=reward, start_dice=start_dice)
    assert (choices(view)[Call.SPOT_ON] > 0) == called


def test_aces_never_open_where_they_may_not() -> None:
    view = seen("11111", [5, 5], [])
    assert view.options_for(0).least[0] == 0
    assert all(isinstance(choice, Bid) and choice.face != 1 for choice in choices(view))


def test_aces_may_open_where_the_table_lets_them() -> None:
    found = choices(seen("11111", [5], [], open_aces=True))
    assert any(isinstance(choice, Bid) and choice.face == 1 for choice in found)


def test_openings_are_near_what_the_dice_say() -> None:
    """With three fives of its own among fifteen dice the bot opens on fives more than on others."""
    found = choices(seen("55523", [5, 5], []))
    fives = sum(
        times for choice, times in found.items() if isinstance(choice, Bid) and choice.face == 5
    )
    assert fives > TIMES / 3


def test_it_bluffs_sometimes() -> None:
    """Some bids are on faces of which the bot has none, and most are not."""
    found = choices(seen("55552", [5, 5], []), 1000)
    bluffs = sum(
        times
        for choice, times in found.items()
        if isinstance(choice, Bid) and choice.face in (3, 4, 6)
    )
    assert 0 < bluffs < 500


def test_it_is_not_always_the_same() -> None:
    assert len(choices(seen("22456", [5, 5], []))) > 3


def test_the_same_seed_plays_the_same() -> None:
    view = seen("22456", [5, 5], [(2, "3x4")])
    one, two = Brain(random.Random(5)), Brain(random.Random(5))
    assert [one.choose(view) for _ in range(50)] == [two.choose(view) for _ in range(50)]


def test_nothing_to_choose_from_is_an_error() -> None:
    view = seen("22", [2], [(0, "2x4")], turn=1)
    assert view.options_for(0) == NO_OPTIONS
    with pytest.raises(ValueError, match="nothing to choose"):
        Brain(random.Random(1)).choose(view)


# Out of turn ------------------------------------------------------------------------------------


def interjections(view: TableView) -> Counter[Call | None]:
    return Counter(Brain(random.Random(seed)).interject(view) for seed in range(20))


def test_it_calls_out_of_turn_when_sure() -> None:
    ladder = [(2, "3x4"), (1, "9x6")]
    view = seen("22334", [2, 2], ladder, turn=2, dudo_by="any")
    assert interjections(view) == {Call.DUDO: 20}


def test_it_leaves_a_doubtful_bid_to_the_others() -> None:
    view = seen("22334", [5, 5], [(2, "3x4"), (1, "5x6")], turn=2, dudo_by="any", spot_on_by="any")
    assert interjections(view) == {None: 20}


def test_it_never_calls_out_of_turn_where_it_may_not() -> None:
    view = seen("22334", [2, 2], [(2, "3x4"), (1, "9x6")], turn=2)
    assert interjections(view) == {None: 20}


# Reading ----------------------------------------------------------------------------------------


def test_a_bid_makes_its_face_likelier_and_others_less() -> None:
    said = Reading(seen("23456", [5, 5], [(2, "3x4")]), HONEST.trust)
    blank = Reading(seen("23456", [5, 5], [(2, "3x4")]), 1.0)
    assert said.chance(Bid(4, 4)) > blank.chance(Bid(4, 4))
    assert said.chance(Bid(3, 1)) > blank.chance(Bid(3, 1))  # aces match it too
    assert said.chance(Bid(4, 4)) - blank.chance(Bid(4, 4)) < 0.2


def test_its_own_bid_tells_it_nothing_but_looks_truer_to_others() -> None:
    ladder = [(0, "3x4"), (1, "3x5")]
    said, blank = (Reading(seen("23456", [5, 5], ladder), trust) for trust in (HONEST.trust, 1.0))
    alone = Reading(seen("23456", [5, 5], [(1, "3x5")]), HONEST.trust)
    assert said.chance(Bid(5, 4)) == alone.chance(Bid(5, 4))
    assert said.on(4).looks(5) > blank.on(4).looks(5)


@pytest.mark.parametrize(
    ("palifico", "wild_aces", "chance"),
    [(False, True, 1 / 3), (True, True, 1 / 6), (False, False, 1 / 6)],
)
def test_a_single_unknown_die(palifico: bool, wild_aces: bool, chance: float) -> None:
    """One die is unknown and must match: a third with wild aces, else a sixth."""
    view = seen("22345", [1], [], palifico=palifico, wild_aces=wild_aces)
    reading = Reading(view, HONEST.trust)
    assert reading.chance(Bid(1, 6)) == pytest.approx(chance)
    assert reading.exactly(Bid(1, 6)) == pytest.approx(chance)
    assert reading.chance(Bid(2, 2)) == 1.0
    assert reading.chance(Bid(3, 6)) == 0.0
    assert reading.chance(Bid(1, 1)) == pytest.approx(1 / 6)
