"""Whole games of bots: always legal, always to the end, and stronger than simpler players."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from perudo_bot.brain import Brain
from perudo_protocol.ruleset import CHOICES, ruleset
from perudo_protocol.vocabulary import Call
from tests.bot.ten_thousand import many_games
from tests.support.bot_games import Chooser, LeastRaise, RandomLegal, any_rules, play_out

Maker = Callable[[random.Random], Chooser]


@pytest.mark.parametrize("first", [20_000, 30_000, 40_000, 50_000])
def test_games_over_all_options_end_without_a_refusal(first: int) -> None:
    """A hundred seeded games each; `python -m tests.bot.ten_thousand` plays the whole number."""
    figures = many_games(first, 100)
    assert figures.games == 100
    assert 0 < figures.most_rounds < figures.most_moves < 1000
    for call in Call:
        assert figures.totals[f"{call}, right"] > 0
        assert figures.totals[f"{call}, wrong"] > 0


def test_those_games_see_every_value_of_every_word_option() -> None:
    drawn = [any_rules(random.Random(seed)) for seed in range(20_000, 20_100)]
    for name, choice in CHOICES.items():
        values = {getattr(rules, name) for rules in drawn}
        if choice.words == ("off", "on"):
            assert values == {True, False}, name
        elif choice.words:
            assert values == set(choice.words), name


def wins(rival: Maker, seats: int, games: int) -> float:
    """Give the share of games that one brain wins, at a table of rivals, each seat in turn."""
    won = 0
    for seed in range(games):
        rng = random.Random(seed)
        place = seed % seats
        players = [rival(random.Random(rng.random())) for _ in range(seats)]
        players[place] = Brain(random.Random(rng.random()))
        won += play_out(ruleset(), players, rng).winner == place
    return won / games


@pytest.mark.parametrize(
    ("rival", "seats", "games", "least"),
    [
        (RandomLegal, 2, 100, 0.9),
        (RandomLegal, 4, 60, 0.75),
        (lambda _: LeastRaise(), 2, 200, 0.6),
        (lambda _: LeastRaise(), 4, 100, 0.37),
    ],
    ids=["random, two", "random, four", "least raise, two", "least raise, four"],
)
def test_it_beats_simpler_players(rival: Maker, seats: int, games: int, least: float) -> None:
    """A fair share would be one in as many as sit there."""
    assert wins(rival, seats, games) > least
