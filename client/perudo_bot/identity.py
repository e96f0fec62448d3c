"""Who a client is to one server: a key of its own, by which it can come back as who it was.

The key is drawn for one server and one life there, and never leaves this computer: the server
knows its hash alone (see `perudo_protocol.returning`).
"""

from __future__ import annotations

import secrets

from perudo_protocol.messages import Prove, Resume
from perudo_protocol.returning import SIZE, hashed, prove
from perudo_protocol.version import VERSIONS
from perudo_protocol.views import NOBODY

FIRST_IDS = 2**40
"""Requests are numbered from a number below this one, so that two lives never use the same."""


def first_id() -> int:
    """Draw the number from which a program numbers its requests."""
    return secrets.randbelow(FIRST_IDS)


class Identity:
    """A key, and the number of the person whose it is on the server."""

    def __init__(self, key: bytes = b"", person: int = NOBODY) -> None:
        """Be who has this key, or somebody new."""
        self.key = key or secrets.token_bytes(SIZE)
        self.person = person
        """The number of the server's `welcome`; `NOBODY` before the first one."""
        self._nonce = b""

    def __repr__(self) -> str:
        """Say who, never the key, so that no log can tell it."""
        return f"Identity(person={self.person})"

    @property
    def hash(self) -> bytes:
        """What the server may know of the key."""
        return hashed(self.key)

    @property
    def known(self) -> bool:
        """Whether the server knows us."""
        return self.person != NOBODY

    def renew(self) -> None:
        """Be somebody new."""
        self.key, self.person = secrets.token_bytes(SIZE), NOBODY

    def resume(self, client: str) -> Resume:
        """Make the message with which we come back."""
        self._nonce = secrets.token_bytes(SIZE)
        return Resume(versions=VERSIONS, client=client, person=self.person, nonce=self._nonce)

    def prove(self, nonce: bytes, certificate: bytes) -> Prove | None:
        """Make the proof that the server's nonce asks for; `None` where nobody asked for it."""
        ours, self._nonce = self._nonce, b""
        if not ours:
            return None
        return Prove(proof=prove(self.key, self.person, ours, nonce, certificate))
