"""Being sent on: to which other address a client lets its server send it. Pure.

A server may say `redirect` to a client that it knows: come back there, as who you are. It may be
malicious, or somebody may speak in its place, so a client goes only where that does no harm:

- to an address in numbers, so that no look-up of a name can lead somewhere else;
- never nearer to itself than the server is: this very machine is sent to by itself alone, a network
  of one's own by a server within it (or here), and the whole world by anybody;
- to no port under 1024, where other services listen, unless the server's own is that very port;
- never from an encrypted line to a plain one, and never to another certificate than is known there;
- a few times in a minute, if it is those it was sent to who send it on.

At such an address a client says `resume` and nothing else before it is known there: neither a name
nor an answer to a question for join words.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

from .messages import Redirect
from .pins import read_pin

LEAST_PORT = 1024
MOST_HOPS = 3
"""So many times in a minute one is sent on by places to which one was sent."""
HOPS_SECONDS = 60.0


class Astray(StrEnum):
    """Why a client does not go where its server sends it."""

    NO_ADDRESS = "no_address"
    """It is no address in numbers with a port, or its pin is none."""
    TOO_NEAR = "too_near"
    """It is nearer to the client than the server is."""
    BAD_PORT = "bad_port"
    """Other services listen at ports like this one."""
    IN_THE_CLEAR = "in_the_clear"
    """The line to the server is encrypted, and that one would not be."""
    OTHER_CERTIFICATE = "other_certificate"
    """The server there is known by another certificate."""
    IN_CIRCLES = "in_circles"
    """It was sent on and on."""
    UNKNOWN = "unknown"
    """The server does not know the client yet, or the client cannot come back."""


class NotThere(ValueError):
    """A client does not go there; `why` says why not."""

    def __init__(self, why: Astray) -> None:
        """Remember why."""
        super().__init__(why.value)
        self.why = why


class Elsewhere(NamedTuple):
    """Where to come back: an address in numbers, and the hash of the certificate to expect."""

    host: str
    port: int
    certificate: bytes = b""
    """No bytes for a plain line."""


Known = Callable[[str, int], bytes]
"""Gives the hash of the certificate that the server at an address is known by, if it is."""


def elsewhere(
    said: Redirect, peer: str, port: int, certificate: bytes, known: Known = lambda *_: b""
) -> Elsewhere:
    """Give where this message sends a client; raises `NotThere` where it is not to go.

    `peer` is the address in numbers of the server that says it, `port` its port, `certificate` the
    hash of its certificate, no bytes on a plain line.
    """
    address, there = _numbers(said.place)
    if said.pin:
        try:
            pinned = read_pin(said.pin)
        except ValueError:
            raise NotThere(Astray.NO_ADDRESS) from None
    else:
        pinned = b""
    if address.is_multicast or address.is_unspecified:
        raise NotThere(Astray.NO_ADDRESS)
    if _distance(address) < _distance_of(peer):
        raise NotThere(Astray.TOO_NEAR)
    if there < LEAST_PORT and there != port:
        raise NotThere(Astray.BAD_PORT)
    expected = known(str(address), there)
    if pinned and expected and pinned != expected:
        raise NotThere(Astray.OTHER_CERTIFICATE)
    if certificate and not (pinned or expected):
        raise NotThere(Astray.IN_THE_CLEAR)
    return Elsewhere(str(address), there, pinned or expected)


def _numbers(place: str) -> tuple[IPv4Address | IPv6Address, int]:
    """Read `192.168.1.20:7654` or `[fd00::20]:7654`."""
    host, colon, port = place.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    digits = port.isascii() and port.isdecimal() and len(port) <= 5
    if not (colon and digits and 0 < int(port) < 2**16) or "%" in host:
        raise NotThere(Astray.NO_ADDRESS)
    try:
        address = ip_address(host[1:-1] if bracketed else host)
    except ValueError:
        raise NotThere(Astray.NO_ADDRESS) from None
    if bracketed is not (address.version == 6):
        raise NotThere(Astray.NO_ADDRESS)
    return _plain(address), int(port)


def _plain(address: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return address if mapped is None else mapped


def _distance_of(peer: str) -> int:
    try:
        return _distance(_plain(ip_address(peer)))
    except ValueError:  # who knows: then as far as can be
        return FARTHEST


FARTHEST = 3


_NEAR = tuple(map(IPv6Network, ("64:ff9b:1::/48", "fec0::/10")))
"""Networks of one's own that Python may take for the world: RFC 8215, RFC 3879."""
_WRAPPED = tuple(map(IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/96", "::/96")))
"""Addresses that end with one of IPv4, to which a network may translate: RFC 6052, RFC 4291."""


def _distance(address: IPv4Address | IPv6Address) -> int:
    """Say how far away an address is: this machine, this link, networks of one's own, the world.

    One that carries another one is as near as the nearer of the two.
    """
    if address.is_loopback or address.is_unspecified:
        return 0
    if address.is_link_local:
        return 1
    if isinstance(address, IPv4Address):
        return FARTHEST if address.is_global else 2
    near = not address.is_global or any(address in network for network in _NEAR)
    inner = _carried(address)
    return min(2 if near else FARTHEST, FARTHEST if inner is None else _distance(inner))


def _carried(address: IPv6Address) -> IPv4Address | None:
    if any(address in network for network in _WRAPPED):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.sixtofour
