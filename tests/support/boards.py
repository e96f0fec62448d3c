"""Short ways to a game in the middle of a round, and to what an act made of it."""

from __future__ import annotations

from typing import Any

from perudo_protocol.ruleset import ruleset
from perudo_protocol.vocabulary import Bid, Dice
from perudo_server.rules.actions import Action, Deal, PlaceBid, Throw
from perudo_server.rules.events import Event, NextSet
from perudo_server.rules.game import Game, Refused, decide, evolve, evolve_all, new_game
from perudo_server.rules.values import replace


def bidding(*cups: Dice, opener: int = 0, in_palifico: bool = False, **options: Any) -> Game:
    """Give a game whose round has just been dealt these cups; seats without dice are out."""
    game = new_game(ruleset(changes={"max_players": 10, **options}), len(cups))
    place = len(cups)
    places = []
    for hand in cups:
        places.append(0 if hand else place)
        place -= not hand
    game = replace(game, dice=tuple(map(len, cups)), places=tuple(places))
    game = evolve(game, NextSet(opener, in_palifico))
    return after(game, Deal(cups))


def thrown(players: int, first: int = 0, **options: Any) -> Game:
    """Give a game that waits for the first deal, opened by `first`."""
    game = new_game(ruleset(changes={"max_players": 10, **options}), players)
    return after(game, Throw(tuple((s, 6 if s == first else 1) for s in range(players))))


def told(game: Game, action: Action) -> tuple[Event, ...]:
    """Do what must be allowed, and give what happened."""
    result = decide(game, action)
    assert not isinstance(result, Refused), (action, result)
    return result


def after(game: Game, *actions: Action) -> Game:
    """Do what must be allowed, one act after the other, and give the game after the last."""
    for action in actions:
        game = evolve_all(game, told(game, action))
    return game


def bid(seat: int, text: str) -> PlaceBid:
    """Give the act of bidding `5x4`."""
    return PlaceBid(seat, Bid.parse(text))
