"""The line at the top: where we are, the round, the dice in play, the clock."""

from __future__ import annotations

from .lines import Line, Lines, Piece, spread


class TopBar(Lines):
    """One line with a name on the left and facts on the right; the facts never give way."""

    DEFAULT_CSS = """
    TopBar { height: 1; padding: 0 1; background: $panel; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin with an empty line."""
        super().__init__(id=id)
        self._place = ""
        self._about = ""
        self._facts: list[str] = []
        self._clock = ""
        self._hurry = False

    def show(self, name: str, about: str = "", facts: list[str] | None = None) -> None:
        """Show a name, what is to know about it, and facts."""
        self._place, self._about, self._facts = name, about, facts or []
        self.repaint()

    def clock(self, text: str, hurry: bool = False) -> None:
        """Show the time that is left; `hurry` when it is nearly up."""
        if (text, hurry) != (self._clock, self._hurry):
            self._clock, self._hurry = text, hurry
            self.repaint()

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw the line."""
        left = [Piece(self._place, "head")]
        if self._about and width >= 60:
            left.append(Piece("  " + self._about, "dim"))
        right = [Piece(" · ".join(self._facts), "")]
        if self._clock:
            time = f"  {self._clock:>5}"
            if self._hurry:
                time = f" ! {self._clock:>4}"
            right.append(Piece(time, "bad" if self._hurry else "strong"))
        return [spread(left, right, width)]
