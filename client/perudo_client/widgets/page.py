"""Paragraphs with titles, wrapped to the width: rules, help, and single sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .lines import Lines
from .pieces import Line, Piece, fit, wrap


class Paragraph(NamedTuple):
    """Some text; `lead` stands before it, in a column of its own."""

    text: str
    role: str = ""
    lead: str = ""
    gap: bool = False
    """Leave an empty line before it."""


class Page(Lines):
    """A text to read."""

    DEFAULT_CSS = """
    Page { height: auto; padding: 0 1; }
    """

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
        lead: int = 0,
    ) -> None:
        """Begin empty; `lead` is the width of the column for what stands before the text."""
        super().__init__(id=id, classes=classes)
        self._paragraphs: Sequence[Paragraph] = ()
        self._lead = lead

    def show(self, paragraphs: Sequence[Paragraph]) -> None:
        """Show these paragraphs."""
        self._paragraphs = paragraphs
        self.repaint()

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw all of it."""
        lines: list[Line] = []
        for text, role, lead, gap in self._paragraphs:
            if gap and lines:
                lines.append(())
            indent = self._lead if lead else 0
            rows = wrap(text, max(width - indent, 1), role)
            if lead:
                head = Piece(fit(lead, self._lead), "key")
                rows = [(head, *rows[0]), *[(Piece(" " * indent), *row) for row in rows[1:]]]
            lines.extend(rows)
        return lines
