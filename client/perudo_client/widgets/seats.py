"""Who sits at the table, with how many dice, and whose turn it is."""

from __future__ import annotations

from perudo_client.i18n import _
from perudo_client.words import seat_name
from perudo_protocol.views import SeatView, TableView
from perudo_protocol.vocabulary import NO_SEAT, Phase, Player

from .lines import Lines
from .pieces import Line, Piece, fit
from .shapes import pips, start_dice

NAME = 16
"""No name is wider."""
NOTE = 9
"""So much room a word about a seat takes."""


class Seats(Lines):
    """The seats, one a row while there is room, else in columns."""

    DEFAULT_CSS = """
    Seats { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Begin with an empty table."""
        super().__init__(id=id)
        self._view: TableView | None = None
        self._clocks: dict[int, str] = {}

    def show(self, view: TableView) -> None:
        """Show the seats of this table."""
        self._view = view
        self.repaint()

    def clocks(self, left: dict[int, str]) -> None:
        """Show for how long these seats wait for their players."""
        if left != self._clocks:
            self._clocks = left
            self.repaint()

    def paint(self, width: int, height: int) -> list[Line]:
        """Draw each seat once, in as many columns as the height asks for."""
        view = self._view
        if view is None or not view.seats:
            return []
        count = len(view.seats)
        rows = min(height, count) or count
        columns = -(-count // rows)
        room = width // columns
        cells = [_seat_line(view, seat, room, self._clocks.get(seat, "")) for seat in range(count)]
        lines: list[Line] = []
        for row in range(rows):
            line: list[Piece] = []
            for cell in cells[row::rows]:
                line.extend(cell)
            lines.append(line)
            if height >= 2 * count:
                lines.append(())
        return lines


def turn_of(view: TableView) -> int:
    """Give the seat that everybody waits for, or `NO_SEAT`."""
    return view.turn.seat if view.turn is not None else NO_SEAT


def note(view: TableView, number: int, away: str = "") -> str:
    """Say in a word what is special about a seat; `away`: for how long it waits."""
    seat = view.seats[number]
    if seat.place and seat.place > 1:
        return _("place {place}").format(place=seat.place)
    if seat.player is Player.NOBODY:
        return _("gone")
    if seat.away:
        return _("away {time}").format(time=away) if away else _("away")
    if turn_of(view) == number and seat.player is not Player.STAND_IN:
        return _("your turn") if number == view.my_seat else _("to play")
    if view.phase in (Phase.REVEAL, Phase.THROW) and seat.ready:
        return _("ready")
    return {
        Player.BOT: _("bot"),
        Player.STAND_IN: _("bot plays"),
    }.get(seat.player, "")


def _seat_line(view: TableView, number: int, width: int, away: str) -> Line:
    seat = view.seats[number]
    mark, role = _look(view, number, seat)
    name = seat_name(view, number)
    start = start_dice(view)
    count = f"{seat.dice:>2}"
    wide = 2 + NAME + 1 + start + len(count)
    if width >= wide:
        rest = width - wide
        about = "  " if rest > NOTE + 1 else " "
        return (
            Piece(mark, role),
            Piece(fit(name, NAME), role),
            Piece(" "),
            Piece(pips(seat.dice, start), role if role == "turn" else ""),
            Piece(count, role),
            Piece(fit(about + note(view, number, away), rest), role if role == "turn" else "dim"),
        )
    waits = " ~" if seat.away or seat.player is Player.STAND_IN else ""
    named = max(width - 2 - len(waits) - len(count) - 1, 1)
    name = fit(name, named).rstrip() + waits
    return (
        Piece(mark, role),
        Piece(fit(name, named + len(waits)), role),
        Piece(count + " ", role),
    )


def _look(view: TableView, number: int, seat: SeatView) -> tuple[str, str]:
    if turn_of(view) == number:
        return "▸ ", "turn" if number == view.my_seat else "strong"
    if seat.place > 1 or (seat.dice == 0 and view.phase is not Phase.LOBBY):
        return "  ", "dim"
    return "  ", "strong" if number == view.my_seat else ""
