"""Encrypted connections, with what can go wrong in this client's own terms."""

from __future__ import annotations

import socket

from perudo_protocol import tls
from perudo_protocol.link import Receiver
from perudo_protocol.pins import read_pin

from .address import Address
from .dialing import CONNECT_SECONDS, dial
from .endings import CannotConnect, Trouble

_TROUBLES = {
    tls.Trouble.CERTIFICATE: Trouble.CHANGED,
    tls.Trouble.PLAIN: Trouble.PLAIN,
    tls.Trouble.SLOW: Trouble.HANDSHAKE,
    tls.Trouble.BROKEN: Trouble.HANDSHAKE,
    tls.Trouble.LOST: Trouble.HANDSHAKE,
}


async def connect(receiver: Receiver, pin: str, sock: socket.socket) -> None:
    """Connect a receiver to the server with this certificate; raises `CannotConnect`, `OSError`."""
    try:
        await tls.connect(receiver, read_pin(pin), sock=sock)
    except tls.NotPrivate as wrong:
        raise CannotConnect(_TROUBLES[wrong.trouble], found=wrong.found) from None


async def certificate_of(address: Address, seconds: float = CONNECT_SECONDS) -> bytes:
    """Give the hash of the certificate of a server, and say nothing to it; raises as `connect`."""
    sock = await dial(address.host, address.port, seconds)
    try:
        return await tls.certificate_of(sock=sock)
    except tls.NotPrivate:
        raise CannotConnect(Trouble.HANDSHAKE) from None
    except OSError as wrong:
        raise CannotConnect(Trouble.REFUSED, str(wrong)) from None
    finally:
        sock.close()
