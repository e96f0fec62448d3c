"""Which table a bot goes to by itself, and whom it tells.

Only a bot that came over the network needs a plan; one that the server seats has none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from perudo_protocol.messages import TableLine


def _nobody(_line: str) -> None:
    """Tell nobody."""


@dataclass(slots=True)
class JoinPlan:
    """Go to one table, or to the first with a free seat and no game on.

    `tell` gets one plain line for each event worth telling. A table that sent the bot away is not
    gone to again; when the wanted one has closed, any other will do.
    """

    table: int | None = None
    tell: Callable[[str], None] = _nobody
    left: set[int] = field(default_factory=set)
    secret: str = field(default="", repr=False)
    """Join words for a locked server or table; without any, locked tables are passed by."""
    waits: bool = False
    """It was told that the bot waits."""

    def choose(self, tables: tuple[TableLine, ...]) -> int | None:
        """Give the table to join now, or `None` to wait until the list changes."""
        lines = [line for line in tables if line.table not in self.left]
        if self.table is not None:
            return next((line.table for line in lines if line.table == self.table), None)
        open_to_us = [line for line in lines if _open(line) and (self.secret or not line.locked)]
        return next((line.table for line in open_to_us), None)

    def tell_waiting(self) -> None:
        """Tell once that there is no table to go to yet."""
        if not self.waits:
            self.waits = True
            which = "a table with a free seat" if self.table is None else f"table {self.table}"
            self.tell(f"waiting for {which}")

    def came_to(self, table: int, *, back: bool) -> None:
        """Tell that the bot is at a table."""
        self.waits = False
        self.tell(f"back at table {table}" if back else f"joined table {table}")

    def locked_out(self, table: int) -> bool:
        """Remember that the words do not open this table; say whether that is the end of it."""
        self.left.add(table)
        return table == self.table

    def sent_away(self, table: int) -> None:
        """Remember that the bot is at this table no more."""
        self.left.add(table)
        self.table = None


def _open(line: TableLine) -> bool:
    return not line.playing and line.people + line.bots < line.seats
