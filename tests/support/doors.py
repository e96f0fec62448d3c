"""At a locked door: who knocks there, and what answers its question."""

from __future__ import annotations

import hmac
from typing import Any

import pytest
from msgspec.structs import replace

from perudo_protocol import lock
from perudo_protocol import messages as m
from perudo_protocol.codec import encode
from perudo_protocol.link import memory_links
from tests.support.house import HouseOfTests, Peer

SPOKEN = "Blue  Fox-Rain"
SECRET = "blue fox rain"
WRONG = "green fox rain"
NONCE = b"n" * lock.SIZE
TABLE_KEY = b"k" * lock.SIZE
TABLE_LOCK = m.Lock(salt=b"s" * lock.SIZE, key=TABLE_KEY)


def cheap_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make keys without the work that they take by design."""

    def make_key(words: str, salt: bytes, cost: int = lock.COST) -> bytes:
        return hmac.digest(salt, lock.plain_words(words).encode(), "sha256")

    monkeypatch.setattr(lock, "make_key", make_key)


def hello(name: str = "Ana", versions: tuple[int, ...] = (1,)) -> m.Hello:
    return m.Hello(versions=versions, client="test", name=name)


def knock(house: HouseOfTests, name: str = "Ana", address: str = "192.0.2.1") -> Peer:
    """Greet from an address, without knowing yet that words are wanted."""
    peer, session = Peer(), house.lobby.session()
    memory_links(peer, session, house.clock.soon)
    session.visit.address = address
    house.clock.settle()
    say(house, peer, hello(name))
    return peer


def say(house: HouseOfTests, peer: Peer, *messages: m.FromClient) -> list[m.ServerMessage]:
    """Say something and give what was heard of it."""
    before = len(peer.heard)
    for message in messages:
        peer.send(message)
    house.clock.settle()
    return peer.heard[before:]


def answer(
    peer: Peer, words: str = SECRET, *, number: int = 7, certificate: bytes = b"", **changes: Any
) -> m.Unlock:
    """Make the answer to the newest challenge."""
    asked = peer.last(m.Challenge)
    key = lock.make_key(words, asked.salt, asked.cost)
    proof = lock.prove(key, asked.table, asked.nonce, NONCE, certificate)
    right = m.Unlock(id=number, table=asked.table, nonce=NONCE, proof=proof)
    return replace(right, **changes)


def table_answer(peer: Peer, key: bytes = TABLE_KEY) -> dict[str, Any]:
    """Make the answer for a table whose key is known."""
    asked = peer.last(m.Challenge)
    assert asked.salt == TABLE_LOCK.salt
    proof = lock.prove(key, asked.table, asked.nonce, NONCE)
    return {"table": asked.table, "nonce": NONCE, "proof": proof}


class FarLink:
    """A line from elsewhere, with TLS or without, as far as a session sees it."""

    unsent = 0
    full = False

    def __init__(self, peer: str = "192.0.2.1", certificate: bytes = b"") -> None:
        self.peer, self.certificate = peer, certificate
        self.heard = Peer()

    def say(self, house: HouseOfTests, *messages: m.FromClient) -> None:
        """Connect, and say something."""
        session = house.lobby.session()
        session.opened(self)
        for message in messages:
            session.received(encode(message))
        house.clock.settle()
        if self.heard.is_lost:
            session.lost()

    def listen(self, on: bool) -> None:
        pass

    def write(self, data: bytes) -> None:
        self.heard.received(data)

    def close(self) -> None:
        self.heard.lost()

    abort = close
