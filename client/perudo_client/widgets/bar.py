"""The line at the top: where we are, the round, the dice in play, the clock."""

from __future__ import annotations

from perudo_client.proof_words import MARK_SIGNS, mark_text
from perudo_client.proving import Mark

from .lines import Lines
from .pieces import Line, Piece, spread, width_of

_MARK_ROLES = {
    Mark.NOTHING: "",
    Mark.NONE: "dim",
    Mark.CHECKED: "good",
    Mark.UNSHARED: "strong",
    Mark.GAPPED: "strong",
    Mark.FAILED: "bad",
}
LEAST_PLACE = 4
"""So many cells are left for the name of the place."""


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
        self._mark = Piece("")
        self._sign = ""
        self._clock = ""
        self._hurry = False

    def show(self, name: str, about: str = "", facts: list[str] | None = None) -> None:
        """Show a name, what is to know about it, and facts."""
        shown = name, about, facts or []
        if shown != (self._place, self._about, self._facts):
            self._place, self._about, self._facts = shown
            self.repaint()

    def prove(self, mark: Mark, chain: bytes) -> None:
        """Show how far the dice are proven; where there is no room, by a sign alone."""
        shown, sign = Piece(mark_text(mark, chain), _MARK_ROLES[mark]), MARK_SIGNS[mark]
        if (self._mark, self._sign) != (shown, sign):
            self._mark, self._sign = shown, sign
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
        facts = Piece(" · ".join(self._facts))
        clock = Piece("")
        if self._clock:
            time = f" ! {self._clock:>4}" if self._hurry else f"  {self._clock:>5}"
            clock = Piece(time, "bad" if self._hurry else "strong")
        right = [facts, clock]
        if self._mark.text:
            dot = Piece(" · " if facts.text else "")
            right = [self._mark, dot, facts, clock]
            if width_of(right) + LEAST_PLACE > width:
                right[0] = self._mark._replace(text=self._sign)
        return [spread(left, right, width)]
