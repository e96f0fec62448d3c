"""Setting up a game, and the throw for who begins."""

from __future__ import annotations

import pytest

from perudo_protocol.ruleset import Ruleset, ruleset
from perudo_server.rules.actions import Draw, Leave, Throw
from perudo_server.rules.events import Cleared, Left, NextSet, Thrown, WentOut, Won
from perudo_server.rules.game import PlayerCountError, Stage, decide, new_game
from tests.support.boards import after, thrown, told

# Setting up -----------------------------------------------------------------------------------


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


# Throwing -------------------------------------------------------------------------------------


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
