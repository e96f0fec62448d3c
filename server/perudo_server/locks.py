"""Doors that open to join words: that of the server, and those of tables.

A bolt holds the key that was made of the words, never the words. A visitor is asked with a nonce,
which is good for one answer; answers are judged here, and so is how often an address may be wrong.
"""

from __future__ import annotations

import secrets

from msgspec import Struct

from perudo_protocol import lock
from perudo_protocol.messages import Challenge, Lock, Unlock
from perudo_protocol.words import Denial

from .tries import Tries

SERVER = 0
"""The number that stands for the server's own door, where others have their table's."""


class Bolt(Struct, frozen=True):
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


class Visit(Struct, eq=False):
    """What one connection has been asked, and where it has been let in."""

    address: str = ""
    certificate: bytes = b""
    """The SHA-256 of our certificate on a line with TLS, to which an answer is bound."""
    let_in: frozenset[int] = frozenset()
    """Tables whose words were known, or `SERVER`."""
    asked: tuple[int, Bolt, bytes] | None = None
    """The question that stands: for which door, and with which nonce. The newest counts alone."""

    def __repr__(self) -> str:
        """Say nothing of what was asked."""
        return f"Visit({self.address!r})"


class Porter:
    """Asks for join words and judges the answers."""

    def __init__(self, words: str, tries: Tries) -> None:
        """Lock the server with these words, or with none.

        The one slow step is done here, so that a flood of visitors costs nothing.
        """
        self.bolt = Bolt.of_words(words) if words else None
        self.tries = tries

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

        After too many wrong answers not even a right one counts, for a while: else one could try on
        and see.
        """
        door = answer.table if visit.asked is None else visit.asked[0]
        if not self.tries.left(door, visit.address):
            return Denial.TOO_MANY_TRIES
        asked, visit.asked = visit.asked, None
        if asked is not None:
            number, bolt, nonce = asked
            bound = (bolt.key, number, nonce, answer.nonce, visit.certificate)
            if answer.table == number and lock.proves(answer.proof, *bound):
                visit.let_in |= {number}
                self.tries.right(number, visit.address)
                return None
        self.tries.wrong(door, visit.address)
        return Denial.WRONG_SECRET
