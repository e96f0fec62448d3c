"""A link that can be held up, and what can be done to a session over it."""

from __future__ import annotations

from perudo_protocol import messages as m
from perudo_protocol.codec import encode
from perudo_protocol.link import HIGH_WATER
from perudo_server.session import Session
from tests.support.house import HouseOfTests, Peer


class StuckLink:
    """A link whose other side reads only when told to."""

    certificate = b""

    def __init__(self, peer: str = "192.0.2.7") -> None:
        self.peer = peer
        self.written: list[bytes] = []
        self.unsent = 0
        self.stuck = False
        self.ended = ""
        self.listening: list[bool] = []

    def listen(self, on: bool) -> None:
        self.listening.append(on)

    @property
    def full(self) -> bool:
        return self.unsent > HIGH_WATER

    def write(self, data: bytes) -> None:
        self.written.append(data)
        if self.stuck:
            self.unsent += len(data)

    def close(self) -> None:
        self.ended = self.ended or "closed"

    def abort(self) -> None:
        self.ended = "aborted"


def stuck_session(
    house: HouseOfTests, name: str, address: str = "192.0.2.7"
) -> tuple[Session, StuckLink]:
    """Greet over a link that can be held up."""
    session, link = house.lobby.session(), StuckLink(address)
    session.opened(link)
    session.received(encode(m.Hello(versions=(1,), client="t", name=name)))
    house.clock.settle()
    return session, link


def send_raw(house: HouseOfTests, peer: Peer, data: bytes) -> None:
    assert peer.link is not None
    peer.link.write(data)
    house.clock.settle()
