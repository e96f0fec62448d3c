"""Rounds of random legal moves by our rules: `python -m bench.our_rounds SECONDS`.

A round goes as at a table: what is legal is asked of `options_for`, an act is judged by `decide`,
and each event of it is folded in by `evolve`, the last of them the die that is lost and who begins
next. Two players, five dice each, aces wild and free to open, no spot-on: as near to the game of
OpenSpiel as our options come. No clock, no record, no view, no journal.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from random import random

from perudo_protocol.ruleset import ruleset
from perudo_protocol.vocabulary import FACES, NO_SEAT, Bid, Call, Options
from perudo_server.rules.actions import Action, Deal, Draw, Dudo, PlaceBid
from perudo_server.rules.game import Game, Refused, decide, evolve, new_game, options_for

from .rounds import main

DICE = 5

HANDS = tuple(product(FACES, repeat=DICE))
"""All that five dice can show, each as likely as any other."""
COUNT = len(HANDS)


class OurRounds:
    """Perudo, for the loop that the other game is played in too."""

    def __init__(self) -> None:
        """Begin a game for two, up to the first deal."""
        rules = ruleset("cacho", {"spot_on": False, "first_player": "random", "start_dice": DICE})
        self._start = done(new_game(rules, 2), Draw(0))

    def deal(self) -> Game:
        """Throw all dice of a new round."""
        one, other = HANDS[int(random() * COUNT)], HANDS[int(random() * COUNT)]
        return done(self._start, Deal((one, other)))

    def finish(self, state: Game) -> int:
        """Play a dealt round to its end; give the number of moves."""
        moves = 0
        while (seat := state.turn) != NO_SEAT:
            offered = moves_of(options_for(state, seat))
            move = offered[int(random() * len(offered))]
            number = len(state.ladder)
            act = PlaceBid(seat, move, number) if isinstance(move, Bid) else Dudo(seat, number)
            events = decide(state, act)
            if isinstance(events, Refused):
                raise TypeError(f"{act} was refused: {events.reason}")
            for event in events:
                state = evolve(state, event)
            moves += 1
        return moves


def done(game: Game, act: Action) -> Game:
    """Do what must be legal."""
    events = decide(game, act)
    if isinstance(events, Refused):
        raise TypeError(f"{act} was refused: {events.reason}")
    for event in events:
        game = evolve(game, event)
    return game


@cache
def moves_of(options: Options) -> tuple[Bid | Call, ...]:
    """Write out all moves that options stand for.

    Once for the same options: the core that we are held against gives its legal moves as a list out
    of compiled code, ours gives the bounds of each face, which is what a client is told.
    """
    bounds = zip(FACES, options.least, options.most, strict=True)
    bids = [Bid(q, face) for face, least, most in bounds if least for q in range(least, most + 1)]
    return (*bids, Call.DUDO) if options.may_dudo else tuple(bids)


if __name__ == "__main__":
    main(OurRounds())
