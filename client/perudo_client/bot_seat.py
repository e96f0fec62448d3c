"""The seat of a bot of ours, kept as a player's is (see `kept`)."""

from __future__ import annotations

from perudo_bot.identity import Identity
from perudo_protocol.views import TableView

from .address import Address
from .kept import KeptSeat, KeptSeats


class BotSeat:
    """The seat of a bot of ours at one server, kept in the same way (`perudo_bot.guest`)."""

    def __init__(self, seats: KeptSeats, where: Address, asked: str) -> None:
        """Keep the seat of a bot that wishes for this name."""
        self._seats = seats
        self._where = where
        self._asked = asked

    def left(self) -> Identity | None:
        """Give who it was, if a program that has ended has left a seat."""
        seat = self._seats.offered(self._where, self._asked, bot=True)
        if seat is None or not self._seats.take(seat):
            return None
        return Identity(seat.key, seat.person)

    def keep(self, who: Identity, view: TableView, name: str) -> None:
        """It sits at this table."""
        seat = KeptSeat(
            address=str(self._where._replace(table=0)),
            person=who.person,
            key=who.key,
            asked=self._asked,
            name=name,
            table=view.table,
            table_name=view.name,
            bot=True,
        )
        self._seats.keep(seat)

    def drop(self) -> None:
        """It has no seat any more."""
        self._seats.drop()
