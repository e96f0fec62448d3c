"""Rounds of dice, played to the end one after the other, and how long dealing and moving took.

The loop is the same whatever plays in it: our rules, or the compiled core that they are held
against. Each plays in a process of its own and says what it found as one line of JSON.
"""

from __future__ import annotations

import json
import sys
import time
from typing import NamedTuple, Protocol, TypeVar

State = TypeVar("State")

BATCH = 100
"""So many rounds are dealt, and then played, between two looks at the clock."""


class Rounds(Protocol[State]):
    """Something that deals and plays rounds."""

    def deal(self) -> State:
        """Throw all dice of a new round."""

    def finish(self, state: State) -> int:
        """Play a dealt round to its end with random legal moves; give the number of moves."""


class Found(NamedTuple):
    """What so many rounds took, in seconds of processor time."""

    rounds: int
    moves: int
    """Bids and challenges; a throw of the dice is none of them."""
    dealing: float
    moving: float

    @property
    def whole(self) -> float:
        """Moves a second over whole rounds, with what dealing took."""
        return self.moves / (self.dealing + self.moving)

    @property
    def alone(self) -> float:
        """Moves a second without the dealing."""
        return self.moves / self.moving


def play(rounds: Rounds[State], seconds: float) -> Found:
    """Play for so many seconds of this thread's processor time."""
    number = moves = 0
    dealing = moving = 0.0
    while dealing + moving < seconds:
        start = time.thread_time()
        dealt = [rounds.deal() for _ in range(BATCH)]
        ready = time.thread_time()
        for state in dealt:
            moves += rounds.finish(state)
        number += BATCH
        dealing += ready - start
        moving += time.thread_time() - ready
    return Found(number, moves, dealing, moving)


def main(rounds: Rounds[State]) -> None:
    """Play for the seconds that end the command line; before, a quarter of that uncounted."""
    seconds = float(sys.argv[-1])
    play(rounds, seconds / 4)
    sys.stdout.write(json.dumps(play(rounds, seconds)._asdict()) + "\n")
