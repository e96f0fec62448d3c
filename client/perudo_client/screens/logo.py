"""The name of the game in dice."""

from __future__ import annotations

from perudo_client.i18n import _
from perudo_client.widgets.boxes import boxes
from perudo_client.widgets.lines import Lines
from perudo_client.widgets.pieces import Line, Piece, width_of

LETTERS = "PERUDO"


class Logo(Lines):
    """Six dice that spell the game, and what it is."""

    DEFAULT_CSS = """
    Logo { height: auto; margin-bottom: 1; }
    .-low Logo { display: none; }
    """

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw the dice in the middle."""
        roles = ["strong"] * len(LETTERS)
        lines = boxes(LETTERS, roles)
        lines.append((Piece(_("liar's dice around one table"), "dim"),))
        return [_centred(line, width) for line in lines]


def _centred(line: Line, width: int) -> Line:
    return (Piece(" " * max((width - width_of(line)) // 2, 0)), *line)
