"""A line over the keys that says what holds up the game; it takes no room while nothing does."""

from __future__ import annotations

from .lines import Lines
from .pieces import Line, Piece, wrap


class Banner(Lines):
    """One sentence, marked in front and in colour."""

    DEFAULT_CSS = """
    Banner { height: auto; padding: 0 1; background: $panel; display: none; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin with nothing to say."""
        super().__init__(id=id)
        self._text = ""

    def show(self, text: str) -> bool:
        """Say this; gives whether the number of rows has changed."""
        if text == self._text:
            return False
        before = self.rows
        self._text = text
        if self.display != bool(text):
            self.display = bool(text)
        self.repaint()
        return self.rows != before

    @property
    def rows(self) -> int:
        """How many rows it takes on the screen."""
        return len(self.paint(self.app.size.width - 2, 0)) if self._text else 0

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw the sentence."""
        if not self._text:
            return []
        first, *more = wrap(self._text, max(width - 2, 1), "strong")
        return [(Piece("! ", "bad"), *first), *[(Piece("  "), *line) for line in more]]
