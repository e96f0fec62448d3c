"""What a table needs of the house that it stands in."""

from __future__ import annotations

from logging import Logger
from typing import TYPE_CHECKING, Protocol

from . import entries as n
from .clock import Clock
from .dice import Dice
from .people import Person
from .settings import Settings

if TYPE_CHECKING:
    from .table import Table


class House(Protocol):
    """Everybody and everything that tables share."""

    clock: Clock
    dice: Dice
    log: Logger
    settings: Settings

    def next_game(self) -> int:
        """Give the number of a new game."""

    @property
    def keeps(self) -> bool:
        """Say whether what is written down outlasts this process."""

    def new_bot(self, stands_in_for: str = "") -> Person:
        """Bring in a bot, to be given a seat at once; one that stands in keeps the seat's name."""

    def keep(self, stream: int, entry: n.AnyEntry) -> None:
        """Write down what happens, before anybody is told."""

    def know(self, person: Person) -> None:
        """See that the journal knows somebody who comes to a table."""

    def many_away(self, address: str) -> bool:
        """Say whether as many people of an address are waited for as may be."""

    def forget(self, person: Person) -> None:
        """Hear that somebody who is away is not waited for any more."""

    def changed(self) -> None:
        """Hear that the list of tables is different now."""

    def close_table(self, table: Table) -> None:
        """Hear that nobody is left at a table."""
