"""Who is here, under which name and number, and which tables there are. Plain bookkeeping."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from typing import TYPE_CHECKING

from .entrance import is_local
from .people import Person, nobody_yet
from .tries import neighbourhood

if TYPE_CHECKING:
    from .table import Table


class Register:
    """All people, bots too, and all tables; a number or a name is never given twice."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.people: dict[int, Person] = {}
        """By their numbers."""
        self.names: dict[str, Person] = {}
        """By their names' skeletons; whoever stands in for somebody has no name."""
        self.tables: dict[int, Table] = {}
        """By their numbers, oldest first."""
        self._addresses: dict[Table, str] = {}
        self._counts: Counter[str] = Counter()

    def number(self, of: str) -> int:
        """Give the next number of a kind."""
        self._counts[of] += 1
        return self._counts[of]

    def count_from(self, of: str, number: int) -> None:
        """See that no number is given twice, after a restart."""
        self._counts[of] = max(self._counts[of], number)

    @property
    def numbers(self) -> Set[int]:
        """The numbers of all who are here, or are waited for."""
        return self.people.keys()

    def enter(self, name: str, *, bot: bool, named: bool = True) -> Person:
        """Take in somebody new, who has no connection yet."""
        from .names import (
            skeleton,  # here, since a server listens before it loads what judges names
        )

        person = Person(self.number("person"), name, skeleton(name), bot, "", nobody_yet())
        self._add(person, named)
        return person

    def admit(self, person: Person, *, named: bool) -> None:
        """Take in somebody whom the journal knows; the name is theirs unless they stand in."""
        person.noted = True
        self._add(person, named)
        self.count_from("person", person.number)

    def _add(self, person: Person, named: bool) -> None:
        self.people[person.number] = person
        if named:
            self.names[person.key] = person

    def forget(self, person: Person) -> bool:
        """Let somebody's name be free; say whether they were known at all."""
        if self.people.pop(person.number, None) is None:
            return False
        if self.names.get(person.key) is person:
            del self.names[person.key]
        return True

    def add_table(self, table: Table, address: str) -> None:
        """Take in a table that was made from an address."""
        self.tables[table.number] = table
        self._addresses[table] = address

    def close_table(self, table: Table) -> None:
        """Take a table off the list; nobody is let in to its number any more."""
        self.tables.pop(table.number, None)
        self._addresses.pop(table, None)
        for person in self.people.values():
            if table.number in person.visit.let_in:
                person.visit.let_in -= {table.number}

    def tables_from(self, address: str) -> int:
        """Say how many of the tables were made from an address."""
        place = neighbourhood(address)
        return sum(neighbourhood(other) == place for other in self._addresses.values())

    def away_from(self, address: str) -> int:
        """Say how many people of an address are waited for; of this machine's own none count."""
        if is_local(address):
            return 0
        place = neighbourhood(address)
        away = [person for person in self.people.values() if not person.here]
        return sum(neighbourhood(person.address) == place for person in away)
