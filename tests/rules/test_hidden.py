"""What stays hidden, and what the values and modules of the rules are."""

from __future__ import annotations

import subprocess
import sys
from typing import get_args

import pytest

from perudo_protocol.vocabulary import NO_SEAT, Call
from perudo_server.rules.actions import Action, Deal, Dudo, Leave, SpotOn, TimeUp
from perudo_server.rules.deciding import JUDGES
from perudo_server.rules.events import Cleared, Dealt, Event, Left, Won
from perudo_server.rules.evolving import FOLDS
from perudo_server.rules.game import Stage, decide, evolve, options_for
from perudo_server.rules.sight import visible_cups
from perudo_server.rules.values import replace
from tests.support.boards import after, bid, bidding, thrown, told

# What stays hidden ----------------------------------------------------------------------------


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


# Values ---------------------------------------------------------------------------------------


def test_events_and_actions_of_different_kinds_differ() -> None:
    """A seat that left is not a seat that won, though both hold one number."""
    assert len({Left(1), Won(1), Cleared(1), Dudo(1), SpotOn(1), Leave(1), TimeUp(1)}) == 7


def test_values_do_not_change() -> None:
    """Neither acts nor events nor games can be set anew."""
    game = bidding((5, 4), (3, 3))
    for value, field in ((Left(1), "seat"), (Dudo(1), "answers"), (game, "turn")):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(value, field, 1)


def test_every_kind_of_act_is_judged_and_every_kind_of_event_folded() -> None:
    """The tables of `decide` and `evolve` name each, and nothing else."""
    assert set(JUDGES) == set(get_args(Action))
    assert set(FOLDS) == set(get_args(Event))


def test_an_event_makes_a_new_game() -> None:
    """The old one is as it was."""
    game = bidding((5, 4), (3, 3))
    kept = replace(game)
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
    barred = ["asyncio", "random", "secrets", "socket", "sqlite3", "logging", "textual"]
    barred += ["perudo_protocol.messages", "perudo_protocol.views", "perudo_server.view"]
    code = (
        "import sys; before = set(sys.modules); "
        "import perudo_server.rules.game, perudo_server.rules.sight; "
        f"print([name for name in {barred} if name in set(sys.modules) - before])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
