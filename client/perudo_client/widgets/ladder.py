"""The bids of this round, rung by rung; the last one stands."""

from __future__ import annotations

from perudo_client.i18n import _, ngettext
from perudo_client.words import bid_text, seat_name
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import NO_SEAT

from .lines import Lines
from .pieces import Line, Piece, fit


class Ladder(Lines):
    """The bids of this round; when there is little room, the latest."""

    DEFAULT_CSS = """
    Ladder { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin without bids."""
        super().__init__(id=id)
        self._view: TableView | None = None

    def show(self, view: TableView) -> None:
        """Show the bids of this table's round."""
        self._view = view
        self.repaint()

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw one bid a row, the standing one marked by an arrow and a word."""
        view = self._view
        if view is None:
            return []
        if not view.ladder:
            return _nothing_yet(view, width)
        rungs = list(enumerate(view.ladder, 1))
        hidden = 0
        if height and len(rungs) > height:
            hidden = len(rungs) - max(height - (height > 1), 1)
        lines: list[Line] = []
        if hidden and height > 1:
            text = ngettext("{count} bid before", "{count} bids before", hidden)
            lines.append((Piece("   " + text.format(count=hidden), "dim"),))
        standing = len(rungs)
        for number, placed in rungs[hidden:]:
            name = seat_name(view, placed.seat)
            lines.append(_rung(number, name, bid_text(placed.bid), number == standing, width))
        return lines


def _rung(number: int, name: str, bid: str, stands: bool, width: int) -> Line:
    role = "strong" if stands else "dim"
    named = max(min(16, width - 3 - 1 - 8 - 9), 4)
    return (
        Piece(f"{number:>2} ", "dim"),
        Piece(fit(name, named) + " ", role),
        Piece(fit(bid, 8, right=True), role),
        Piece(" ◂ " + _("stands") if stands else "", role),
    )


def _nothing_yet(view: TableView, width: int) -> list[Line]:
    if view.opener == NO_SEAT:
        return []
    opener = seat_name(view, view.opener)
    mine = view.opener == view.my_seat
    text = _("No bid yet: you open.") if mine else _("No bid yet: {name} opens.")
    return [(Piece(" " + fit(text.format(name=opener), max(width - 1, 1)), "dim"),)]
