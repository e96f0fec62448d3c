"""Rounds of random legal moves in OpenSpiel's `liars_dice`: `… liars_dice [--in-place] SECONDS`.

Two players, five dice each. Its core is compiled; it is driven from Python as its documentation has
it, with a new state from `child()` for every move, as ours makes a new one too. With `--in-place`
one state is changed instead, which nobody can do who must be able to look back. A game of its is
one round: ten throws of one die each, which are moves of chance, then bids, each above the last in
one order (a six is wild there, and any bid may open), and a challenge, with which it is over.

One of the legal moves is taken, each as likely as any other. Dealing and moving are timed in
batches, so that the clock is hardly read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import random
from typing import Any

import pyspiel

from bench.rounds import main


class LiarsDice:
    """The game, for the loop that ours is played in too."""

    def __init__(self, next_of: Callable[[Any, int], Any]) -> None:
        """Load it; `next_of` gives the state after an action."""
        self._next = next_of
        self._game = pyspiel.load_game("liars_dice(players=2,numdice=5)")

    def deal(self) -> Any:
        """Throw all dice of a new round."""
        state = self._game.new_initial_state()
        while state.is_chance_node():
            actions = state.legal_actions()
            state = self._next(state, actions[int(random() * len(actions))])
        return state

    def finish(self, state: Any) -> int:
        """Play a dealt round to its end; give the number of moves."""
        moves = 0
        while not state.is_terminal():
            actions = state.legal_actions()
            state = self._next(state, actions[int(random() * len(actions))])
            moves += 1
        return moves


def child(state: Any, action: int) -> Any:
    """Make a new state."""
    return state.child(action)


def changed(state: Any, action: int) -> Any:
    """Change the state."""
    state.apply_action(action)
    return state


if __name__ == "__main__":
    main(LiarsDice(changed if "--in-place" in sys.argv else child))
