"""Doors that open to join words: that of the server, and those of tables.

A bolt holds the key that was made of the words, never the words. A visitor is asked with a nonce,
which is good for one answer; answers are judged here, and so is how often an address may be wrong.
"""

from __future__ import annotations

import ipaddress
import secrets
from collections import OrderedDict, deque
from dataclasses import dataclass, field

from perudo_protocol import lock
from perudo_protocol.messages import Challenge, Lock, Unlock
from perudo_protocol.words import Denial

from .clock import Clock

SERVER = 0
"""The number that stands for the server's own door, where others have their table's."""
MINUTE = 60.0
MOST_ADDRESSES = 1024
"""So many addresses with wrong answers are remembered; beyond, the one longest quiet is dropped."""


@dataclass(frozen=True, slots=True, repr=False)
class Bolt:
    """What keeps one door locked."""

    salt: bytes
    key: bytes

    @classmethod
    def of_words(cls, words: str) -> Bolt:
        """Make the bolt that these join words open; slow by design."""
        salt = secrets.token_bytes(lock.SIZE)
        return cls(salt, lock.make_key(words, salt))

    @classmethod
    def of_lock(cls, given: Lock) -> Bolt:
        """Take the bolt that a client has made, words unknown."""
        return cls(given.salt, given.key)

    def __repr__(self) -> str:
        """Say nothing, so that no log and no traceback can tell the key."""
        return "Bolt(...)"


@dataclass(slots=True, eq=False)
class Visit:
    """What one connection has been asked, and where it has been let in."""

    address: str = ""
    certificate: bytes = b""
    """The SHA-256 of our certificate on a line with TLS, to which an answer is bound."""
    let_in: set[int] = field(default_factory=set)
    """Tables whose words were known, or `SERVER`."""
    asked: tuple[int, Bolt, bytes] | None = field(default=None, repr=False)
    """The question that stands: for which door, and with which nonce. The newest counts alone."""


class Porter:
    """Asks for join words and judges the answers."""

    def __init__(self, words: str, tries: int, clock: Clock) -> None:
        """Lock the server with these words, or with none; `tries` wrong ones a minute an address.

        The one slow step is done here, so that a flood of visitors costs nothing.
        """
        self.bolt = Bolt.of_words(words) if words else None
        self._tries = Tries(tries, clock)

    def bars(self, visit: Visit, number: int, bolt: Bolt | None) -> bool:
        """Say whether somebody stands before a door that is locked to them."""
        return bolt is not None and number not in visit.let_in

    def ask(self, visit: Visit, number: int, bolt: Bolt) -> Challenge:
        """Ask for the words of a door; what was asked before does not stand any more."""
        nonce = secrets.token_bytes(lock.SIZE)
        visit.asked = number, bolt, nonce
        return Challenge(table=number, salt=bolt.salt, nonce=nonce, cost=lock.COST)

    def judge(self, visit: Visit, answer: Unlock) -> Denial | None:
        """Let somebody in who proves to know the words, or say why not; uses up the question.

        After too many wrong answers from an address not even a right one counts, for a while: else
        one could try on and see.
        """
        if not self._tries.left(visit.address):
            return Denial.TOO_MANY_TRIES
        asked, visit.asked = visit.asked, None
        if asked is not None:
            number, bolt, nonce = asked
            bound = (bolt.key, number, nonce, answer.nonce, visit.certificate)
            if answer.table == number and lock.proves(answer.proof, *bound):
                visit.let_in.add(number)
                return None
        self._tries.wrong(visit.address)
        return Denial.WRONG_SECRET


class Tries:
    """How many wrong answers came from where, within the last minute."""

    def __init__(self, most: int, clock: Clock) -> None:
        """Allow so many a minute."""
        self._most = most
        self._clock = clock
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def __len__(self) -> int:
        """Say how many addresses are remembered."""
        return len(self._wrong)

    def left(self, address: str) -> bool:
        """Say whether one more answer may be judged."""
        times = self._wrong.get(neighbourhood(address), ())
        return sum(when > self._clock.now() - MINUTE for when in times) < self._most

    def wrong(self, address: str) -> None:
        """Remember a wrong answer."""
        key = neighbourhood(address)
        self._wrong.setdefault(key, deque(maxlen=self._most)).append(self._clock.now())
        self._wrong.move_to_end(key)
        if len(self._wrong) > MOST_ADDRESSES:
            self._wrong.popitem(last=False)


def neighbourhood(address: str) -> str:
    """Give what counts as one address: of IPv6 the network, since one machine has all of it.

    Addresses of a link have no network of their own; each of them counts by itself.
    """
    try:
        place = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if place.version == 4 or place.is_link_local:
        return str(place)
    return str(ipaddress.ip_network((place, 64), strict=False))
