"""What the bots of the house cost: they think in the server's own loop, where a long thought would
hold up everybody."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from perudo_bot.brain import Brain, Choice
from perudo_protocol.ruleset import ruleset
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import MAX_SEATS
from tests.support.bot_games import play_out

from .driver import quantiles
from .rows import Row, Size

GAMES = {Size.SMALLEST: 1, Size.QUICK: 4, Size.FULL: 40}
OPTIONS = {"max_players": MAX_SEATS, "start_dice": 6}
"""As many dice as there can be: the longest ladders and the most to weigh."""


class Timed(Brain):
    """A brain that knows how long it thought, in seconds of processor time."""

    def __init__(self, rng: random.Random) -> None:
        """Think as every bot does."""
        super().__init__(rng)
        self.took: list[float] = []

    def choose(self, view: TableView) -> Choice:
        """Give a move."""
        start = time.thread_time()
        found = super().choose(view)
        self.took.append(time.thread_time() - start)
        return found


def bots(size: Size) -> Iterator[Row]:
    """Play games of ten bots, and time each decision. Informs only; 10 ms would be too much."""
    medians: list[float] = []
    tails: list[float] = []
    decisions = 0
    longest = 0.0
    for seed in range(GAMES[size]):
        brains = [Timed(random.Random(10 * seed + seat)) for seat in range(MAX_SEATS)]
        play_out(ruleset(changes=OPTIONS), brains, random.Random(seed))
        took = [each for brain in brains for each in brain.took]
        found = quantiles(took)
        medians.append(1e6 * found["p50"])
        tails.append(1e6 * found["p99"])
        decisions += len(took)
        longest = max(longest, *took)
    note = f"{decisions:,} decisions in games of ten; the longest {1e3 * longest:.1f} ms"
    what = "bots: CPU of a decision, ten players"
    yield Row("bots", f"{what}, p50", "µs", (), tuple(medians), None, note)
    yield Row("bots", f"{what}, p99", "µs", (), tuple(tails))
