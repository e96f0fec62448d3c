"""What happened and what was said, the latest at the bottom."""

from __future__ import annotations

from typing import NamedTuple

from .lines import Lines
from .pieces import Line, Piece, wrap


class Tale(NamedTuple):
    """One thing that happened or was said."""

    text: str
    role: str = ""
    who: str = ""
    """The speaker, when something was said."""
    round: int = 0
    spoils: bool = False
    """Tells what came of the round's reveal."""


class Story(Lines):
    """As many of the latest tales as there is room for."""

    DEFAULT_CSS = """
    Story { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin with nothing told."""
        super().__init__(id=id)
        self._tales: list[Tale] = []

    def show(self, tales: list[Tale]) -> None:
        """Show these tales, oldest first."""
        if tales != self._tales:
            self._tales = list(tales)
            self.repaint()

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw the latest that fit; the first of them may lose its beginning."""
        lines: list[Line] = []
        for tale in reversed(self._tales):
            lines[:0] = _told(tale, width)
            if height and len(lines) >= height:
                break
        return lines[-height:] if height else lines


def _told(tale: Tale, width: int) -> list[Line]:
    if not tale.who:
        return [(Piece(" "), *line) for line in wrap(tale.text, width - 1, tale.role)]
    said = wrap(f"{tale.who} {tale.text}", width - 1)
    head = said[0][0].text
    named = len(tale.who)
    if head[:named] != tale.who:
        return [(Piece(" "), *line) for line in said]
    first: Line = (Piece(" "), Piece(head[:named], "strong"), Piece(head[named:]))
    return [first, *[(Piece("   "), *line) for line in said[1:]]]
