"""The server's own dice: six faces, each as likely as any other, and seats drawn alike (D38).

A fair source fails one of these tests less often than once in a thousand million runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from perudo_server.dice import SecretDice

MANY = 60_000


def unevenness(drawn: Iterable[int], values: Sequence[int]) -> float:
    """Give chi-square for equally likely values; anything else that was drawn is an error."""
    counts = Counter(drawn)
    assert set(counts) == set(values)
    expected = counts.total() / len(values)
    return sum((counts[value] - expected) ** 2 / expected for value in values)


def test_each_face_falls_as_often_as_any_other() -> None:
    assert unevenness(SecretDice().throw(MANY), range(1, 7)) < 52


def test_neighbouring_dice_know_nothing_of_each_other() -> None:
    dice = SecretDice().throw(MANY)
    pairs = (10 * one + other for one, other in zip(dice[::2], dice[1::2], strict=True))
    every = [10 * one + other for one in range(1, 7) for other in range(1, 7)]
    assert unevenness(pairs, every) < 110


def test_a_throw_has_as_many_dice_as_asked_for() -> None:
    dice = SecretDice()
    assert [len(dice.throw(number)) for number in range(7)] == list(range(7))


def test_each_seat_is_drawn_as_often_as_any_other() -> None:
    """Option first_player: random; seats that are out are not among those given."""
    dice, seats = SecretDice(), (0, 2, 5)
    assert unevenness((dice.pick(seats) for _ in range(9_000)), seats) < 42
