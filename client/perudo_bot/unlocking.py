"""What a bot does before a locked door: it has join words or none, and tries them once."""

from __future__ import annotations

import secrets

from perudo_protocol.lock import SIZE, make_key, prove
from perudo_protocol.messages import Challenge, Unlock

MOST_ANSWERS = 3
"""So many keys are made on one connection: each takes a while, and a server could ask for ever."""
SERVER = 0
"""The number of the server's own door, where others have their table's."""


class Unlocker:
    """Answers questions for join words."""

    def __init__(self, words: str = "") -> None:
        """Know these words; empty for none."""
        self._words = words
        self._asked: Challenge | None = None
        self._tried: set[int] = set()

    def ask(self, question: Challenge) -> None:
        """Hear a question; the newest one stands."""
        self._asked = question

    @property
    def table(self) -> int:
        """Say which door the question that stands is about."""
        return SERVER if self._asked is None else self._asked.table

    def answer(self, request: int, certificate: bytes) -> Unlock | None:
        """Give the answer, or `None` without words, or where they were wrong before.

        It takes a moment by design; a bot of the house, whose loop others share, is never asked.
        """
        asked, self._asked = self._asked, None
        if asked is None or not self._words or asked.table in self._tried:
            return None
        if len(self._tried) >= MOST_ANSWERS:
            return None
        self._tried.add(asked.table)
        key = make_key(self._words, asked.salt, asked.cost)
        nonce = secrets.token_bytes(SIZE)
        proof = prove(key, asked.table, asked.nonce, nonce, certificate)
        return Unlock(id=request, table=asked.table, nonce=nonce, proof=proof)
