"""Who may come in: so many connections at once, so many from one address, so many ungreeted.

And from one address not too often, since whoever is thrown out may come back at once. All this is
counted, never searched for: under a flood of connections each refusal costs the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from .rate import Buckets, Rates
from .settings import Settings
from .tries import LOOPBACK, exact, neighbourhood

TOO_MANY = "this server has too many connections; try again later"
"""What somebody is told for whom there is no room."""
MOST_CALLERS = 1024
"""So many addresses whose calls are counted; when there are more, the quiet ones are forgotten."""


class Ticket:
    """One connection that was let in; it counts until it is given back."""

    __slots__ = ("_entrance", "_new", "_valid", "address", "drop")

    def __init__(self, entrance: Entrance, address: str) -> None:
        """Count as one more from this address, and as one that has not greeted."""
        self.address = address
        self._entrance = entrance
        self._new = self._valid = True
        self.drop: Callable[[], None] | None = None
        """How to close one who has something to type; `None` for others."""
        entrance.count(address, 1, 1)

    def wait(self, drop: Callable[[], None]) -> bool:
        """Count as one who has something to type, if that may be; `drop` makes room for others."""
        if self.drop is None and self._valid and self._entrance.asks(self):
            self.greet()
            self.drop = drop
            self._entrance.wait(self)
        return self.drop is not None

    def greet(self) -> None:
        """Count no more among those who have not greeted, or who have something to type."""
        if self.drop is not None:
            self._entrance.wait_no_more(self)
            self.drop = None
        if self._new:
            self._new = False
            self._entrance.count(self.address, 0, -1)

    def give_back(self) -> None:
        """Count no more at all; harmless when done before."""
        if self._valid:
            self.greet()
            self._valid = False
            self._entrance.count(self.address, -1, 0)


class Entrance:
    """Counts those who are in."""

    def __init__(self, settings: Settings) -> None:
        """Let in as many as these settings say."""
        self._settings = settings
        self._inside = 0
        self._new = 0
        self._from: Counter[str] = Counter()
        self._rates = Rates((settings.call_burst, settings.call_rate))
        self._calls: dict[str, Buckets] = {}
        self._typing: dict[Ticket, str] = {}
        """Who has something to type, and from which network, the oldest first."""

    def admit(self, address: str, now: float) -> Ticket | None:
        """Let in one more connection from this address, or `None` when there are too many.

        What counts as one address is a `neighbourhood`: a machine has many of IPv6.
        """
        if not self.has_room(address, now):
            return None
        address = neighbourhood(address)
        if not is_local(address):
            self._rates.take(self._calls_of(address, now), 0, now)
        return Ticket(self, address)

    def has_room(self, address: str, now: float) -> bool:
        """Say whether one more connection from this address would be let in; nothing is counted."""
        settings, address = self._settings, neighbourhood(address)
        if self._inside >= settings.connections or self._new >= settings.ungreeted:
            return False
        if is_local(address):
            return True
        if self._from[address] >= settings.connections_per_address:
            return False
        return self._rates.has(self._calls_of(address, now), 0, now)

    def _calls_of(self, address: str, now: float) -> Buckets:
        if address not in self._calls:
            if len(self._calls) >= MOST_CALLERS:
                self._calls = {a: calls for a, calls in self._calls.items() if calls[0] > now}
            self._calls[address] = self._rates.full(now)
        return self._calls[address]

    def asks(self, ticket: Ticket) -> bool:
        """Say whether one more of this address may be asked for something to type."""
        if is_local(ticket.address):
            return True
        same = sum(other.address == ticket.address for other in self._typing)
        return same < self._settings.waiting_per_address

    def wait(self, ticket: Ticket) -> None:
        """Take in one who has something to type, and let go of another when these are too many.

        It is the oldest of the network that has the most: people take a while to type, and somebody
        with many addresses must not keep the others from it.
        """
        self._typing[ticket] = neighbourhood(ticket.address)
        if len(self._typing) <= self._settings.ungreeted:
            return
        fullest, _count = Counter(self._typing.values()).most_common(1)[0]
        oldest = next(each for each, place in self._typing.items() if place == fullest)
        drop = oldest.drop
        oldest.greet()
        if drop is not None:
            drop()

    def wait_no_more(self, ticket: Ticket) -> None:
        """Count somebody no more who had something to type."""
        self._typing.pop(ticket, None)

    def count(self, address: str, inside: int, new: int) -> None:
        """Take account of a ticket."""
        self._inside += inside
        self._new += new
        self._from[address] += inside
        if not self._from[address]:
            del self._from[address]  # whoever has many addresses must not fill the memory


def is_local(address: str) -> bool:
    """Say whether an address is this machine's own; those are exempt from limits."""
    return exact(address) == LOOPBACK
