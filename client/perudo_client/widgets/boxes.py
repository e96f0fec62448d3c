"""Dice as boxes, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from .pieces import Line, Piece

BOX = 5
"""How wide a die in the cup is."""


def boxes(faces: Sequence[str], roles: Sequence[str]) -> list[Line]:
    """Draw dice as boxes, side by side, in three lines; one face and one role for each die.

    Dice that match something have heavy lines, so that they stand out without colours too.
    """
    top: list[Piece] = []
    middle: list[Piece] = []
    bottom: list[Piece] = []
    for face, role in zip(faces, roles, strict=True):
        heavy = role == "match"
        side = "┃" if heavy else "│"
        top.append(Piece("┏━━━┓ " if heavy else "╭───╮ ", role))
        middle.append(Piece(f"{side} {face} {side} ", role))
        bottom.append(Piece("┗━━━┛ " if heavy else "╰───╯ ", role))
    return [top, middle, bottom]
