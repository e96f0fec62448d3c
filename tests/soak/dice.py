"""Half a million dice, drawn as the server draws them: `uv run python -m tests.soak.dice`.

A number after it draws about so many instead. Seeds come from the server's own source, entropy from
players, and the dice follow from both. Prints a chi-square for each question, with the chance that
fair dice are as uneven, and ends with 1 when one is out of all bounds: fair dice are so in one run
of thirty thousand.
"""

from __future__ import annotations

import math
import secrets
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from perudo_protocol import fairness
from perudo_protocol.fairness import Draw
from perudo_protocol.views import Proof
from perudo_server.dice import SecretDice
from perudo_server.drawing import commit, take

MANY = 500_000
SEATS, EACH = 6, 5
PLAYERS = 3
"""So many seats give entropy; the others are bots."""
BOUND = 1e-6
"""Chances below this, or this near to 1, no fair dice have."""
FACES = range(1, 7)
PAIRS = [(one, other) for one in FACES for other in FACES]

Table = tuple[tuple[int, ...], ...]


class Figure(NamedTuple):
    """The answer to one question."""

    about: str
    square: float
    chance: float

    @property
    def fair(self) -> bool:
        """Say whether fair dice might come out so: neither too uneven nor too even."""
        return BOUND < self.chance < 1 - BOUND


def draws(number: int) -> Iterator[Table]:
    """Draw the cups of a whole table so many times."""
    dice = SecretDice()
    proof = Proof(game=dice.new_id())
    for round_ in range(1, number + 1):
        draw = Draw(proof.game, round_, 0)
        entropies = [secrets.token_bytes(fairness.SIZE) for _ in range(PLAYERS)]
        promises = [fairness.promise(draw.game, seat, e) for seat, e in enumerate(entropies)]
        seeds = [dice.seed() for _ in range(SEATS)]
        drawing = commit(proof, draw, seeds, [*promises, *[b""] * (SEATS - PLAYERS)], ())
        for seat, entropy in enumerate(entropies):
            taken = take(drawing, seat, entropy)
            assert taken is not None
            drawing = taken
        mixed = drawing.mixed
        yield tuple(dice.hand(draw, seat, seeds[seat], mixed, EACH) for seat in range(SEATS))


def figures(tables: Sequence[Table]) -> list[Figure]:
    """Ask everything of these draws."""
    hands = [hand for table in tables for hand in table]
    row = [die for hand in hands for die in hand]
    first, second = row[::2], row[1::2]
    return [
        _figure("all faces", row, FACES),
        *(
            _figure(f"seat {n}", (die for table in tables for die in table[n]), FACES)
            for n in range(SEATS)
        ),
        *(
            _figure(f"die {n + 1} of a cup", (hand[n] for hand in hands), FACES)
            for n in range(EACH)
        ),
        _figure("two after each other", zip(first, second, strict=False), PAIRS),
        _figure("two seats", ((table[0][0], table[1][0]) for table in tables), PAIRS),
        _figure("two rounds", _twos(table[0][0] for table in tables), PAIRS),
    ]


def _twos(values: Iterable[int]) -> Iterator[tuple[int, int]]:
    each = iter(values)
    return zip(each, each, strict=False)


def _figure(about: str, drawn: Iterable[object], values: Sequence[object]) -> Figure:
    counts = Counter(drawn)
    assert set(counts) <= set(values)
    expected = counts.total() / len(values)
    square = sum((counts[value] - expected) ** 2 / expected for value in values)
    return Figure(about, square, chance(square, len(values) - 1))


def chance(square: float, freedom: int) -> float:
    """Give the chance of a chi-square of this or more, for an odd number of degrees of freedom."""
    assert freedom % 2
    term, total = math.sqrt(square), 0.0
    for odd in range(1, freedom, 2):
        total += term
        term *= square / (odd + 2)
    tail = math.sqrt(2 / math.pi) * math.exp(-square / 2) * total
    return math.erfc(math.sqrt(square / 2)) + tail


def main(arguments: Sequence[str]) -> int:
    """Draw, print, judge; gives the exit code."""
    many = int(arguments[0]) if arguments else MANY
    tables = list(draws(math.ceil(many / (SEATS * EACH))))
    sys.stdout.write(f"{len(tables) * SEATS * EACH} dice in {len(tables)} draws\n")
    found = figures(tables)
    for figure in found:
        mark = "" if figure.fair else "   NOT FAIR"
        sys.stdout.write(
            f"{figure.about:22}chi-square {figure.square:7.2f}   p {figure.chance:.4f}{mark}\n"
        )
    return 0 if all(figure.fair for figure in found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
