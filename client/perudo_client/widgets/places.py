"""Who came in which place, with what everybody bid, lied and called."""

from __future__ import annotations

from perudo_client.i18n import _
from perudo_client.words import seat_name
from perudo_protocol.views import TableView, Tally

from .lines import Lines
from .pieces import Line, Piece, fit, wrap

COLUMN = 8
"""How wide a column of numbers is."""


class Places(Lines):
    """A line about the winner and a table of places."""

    DEFAULT_CSS = """
    Places { height: auto; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin empty."""
        super().__init__(id=id)
        self._view: TableView | None = None
        self._headline = ""

    def show(self, view: TableView, headline: str) -> None:
        """Show the end of this game."""
        self._view, self._headline = view, headline
        self.repaint()

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw the places, the first on top, with as many columns as fit."""
        view = self._view
        if view is None:
            return []
        titles = [_("lies"), _("caught"), _("calls"), _("right"), _("bids")]
        columns = max(min((width - 22) // COLUMN, len(titles)), 0) if view.tallies else 0
        name = 16 if width >= 22 else max(width - 6, 4)
        lines: list[Line] = [*wrap(self._headline, width, "head"), ()]
        if columns:
            head = "".join(fit(title, COLUMN, right=True) for title in titles[:columns])
            lines.append((Piece(" " * (5 + name)), Piece(head, "dim")))
        order = sorted(range(len(view.seats)), key=lambda seat: view.seats[seat].place or 99)
        for seat in order:
            place = view.seats[seat].place
            look = "strong" if seat in (view.winner, view.my_seat) else ""
            mark = "★" if seat == view.winner else " "
            tally = view.tallies[seat] if view.tallies else Tally(0, 0, 0, 0, 0)
            numbers = (tally.lies, tally.caught, tally.calls, tally.right, tally.bids)
            row = "".join(fit(str(number), COLUMN, right=True) for number in numbers[:columns])
            lines.append(
                (
                    Piece(f"{place or '-':>2} {mark} ", look),
                    Piece(fit(seat_name(view, seat), name), look),
                    Piece(row, "" if look else "dim"),
                )
            )
        return lines
