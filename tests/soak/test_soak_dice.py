"""The dice soak in short, and that it would see dice that are not fair."""

from __future__ import annotations

import pytest

from perudo_protocol import fairness
from perudo_server.dice import SecretDice
from tests.soak import dice


def test_the_servers_dice_are_fair(capsys: pytest.CaptureFixture[str]) -> None:
    assert dice.main(["30000"]) == 0
    assert capsys.readouterr().out.startswith("30000 dice in 1000 draws\n")


def test_the_soak_sees_a_face_that_falls_too_often(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every fourth six is an ace."""
    honest = fairness.dice

    def loaded(*draw: object) -> tuple[int, ...]:
        hand = honest(*draw)  # type: ignore[arg-type]
        return tuple(1 if die == 6 and sum(hand) % 4 == 0 else die for die in hand)

    monkeypatch.setattr(fairness, "dice", loaded)
    assert dice.main(["30000"]) == 1
    assert "NOT FAIR" in capsys.readouterr().out


def test_the_soak_sees_dice_that_repeat_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SecretDice, "seed", lambda _self: bytes(32))
    tables = [((1,) * 5, *table[1:]) for table in dice.draws(500)]
    assert not all(figure.fair for figure in dice.figures(tables))


@pytest.mark.parametrize(
    ("square", "freedom", "wanted"),
    [(0.0, 5, 1.0), (11.0705, 5, 0.05), (20.5150, 5, 0.001), (49.8018, 35, 0.05)],
)
def test_the_chances_are_those_of_the_tables(square: float, freedom: int, wanted: float) -> None:
    assert dice.chance(square, freedom) == pytest.approx(wanted, abs=1e-5)
