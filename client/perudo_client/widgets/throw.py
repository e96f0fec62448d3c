"""The throw for who begins: one open die each, the highest starts, only the tied throw again."""

from __future__ import annotations

from perudo_client.words import die, seat_name
from perudo_protocol.views import TableView

from .lines import Lines
from .pieces import Line, Piece, fit, wrap


class ThrowPanel(Lines):
    """Every seat's die, a column for each throw, and who begins."""

    DEFAULT_CSS = """
    ThrowPanel { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin with nothing thrown."""
        super().__init__(id=id)
        self._view: TableView | None = None
        self._after = ""

    def show(self, view: TableView, after: str) -> None:
        """Show the throws of this table and a sentence about who begins."""
        self._view, self._after = view, after
        self.repaint()

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw one seat a row."""
        view = self._view
        if view is None:
            return []
        opener = view.next.opener if view.next is not None else -1
        lines: list[Line] = []
        for seat in range(len(view.seats)):
            role = "strong" if seat == opener else ""
            line = [
                Piece("▸ " if seat == opener else "  ", "strong"),
                Piece(fit(seat_name(view, seat), 16) + "  ", role),
            ]
            for number, throw in enumerate(view.throws):
                face = next((one.face for one in throw if one.seat == seat), 0)
                last = number == len(view.throws) - 1
                look = "match" if last and seat == opener else ("" if last else "dim")
                line.append(Piece(die(face) + " " if face else "    ", look))
            lines.append(line)
        if not height or height > len(lines) + 1:
            lines.append(())
        return lines + wrap("  " + self._after if width > 40 else self._after, width, "strong")
