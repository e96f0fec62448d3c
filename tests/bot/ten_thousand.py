"""Ten thousand seeded games of bots over all options: `uv run python -m tests.bot.ten_thousand`.

A number after it plays so many instead. Prints what came of them; a move that is refused or a game
without end stops it with an error that names the seed.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from perudo_bot.brain import Brain
from perudo_protocol.vocabulary import MAX_SEATS
from tests.support.bot_games import Played, any_rules, play_out

LEAVING = 0.001
"""The chance at each move that a player leaves for good, in every fourth game."""


@dataclass
class Figures:
    """What came of many games."""

    games: int = 0
    most_moves: int = 0
    most_rounds: int = 0
    totals: Counter[str] = field(default_factory=Counter)

    def add(self, played: Played) -> None:
        """Count one game in."""
        self.games += 1
        self.most_moves = max(self.most_moves, played.moves)
        self.most_rounds = max(self.most_rounds, played.rounds)
        self.totals["bids"] += played.bids
        self.totals["rounds"] += played.rounds
        self.totals["interjected"] += played.interjected
        for (call, right), times in played.calls.items():
            self.totals[f"{call}, {'right' if right else 'wrong'}"] += times


def one_game(seed: int) -> Played:
    """Play the game of this seed: rules, number of players, dice and bots all follow from it."""
    rng = random.Random(seed)
    rules = any_rules(rng)
    seats = [Brain(random.Random(rng.random())) for _ in range(rng.randint(2, MAX_SEATS))]
    return play_out(rules, seats, rng, LEAVING if seed % 4 == 0 else 0.0)


def many_games(first: int, number: int) -> Figures:
    """Play the games of so many seeds from the first on."""
    figures = Figures()
    for seed in range(first, first + number):
        try:
            figures.add(one_game(seed))
        except Exception as wrong:
            wrong.add_note(f"in the game of seed {seed}")
            raise
    return figures


def main() -> None:
    """Play and print."""
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    began, worked = time.perf_counter(), time.process_time()
    figures = many_games(0, number)
    seconds, work = time.perf_counter() - began, time.process_time() - worked
    lines = [f"{figures.games} games, every one to its end: {seconds:.0f} s, {work:.0f} of CPU"]
    lines.append(f"longest: {figures.most_moves} moves, {figures.most_rounds} rounds")
    lines += [f"{name}: {total}" for name, total in sorted(figures.totals.items())]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
