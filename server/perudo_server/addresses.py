"""Where to listen, and under which addresses others reach this machine."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import NamedTuple

Address = IPv4Address | IPv6Address

_EVERYWHERE = ("0.0.0.0", "::")
_ABSENT = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EPROTONOSUPPORT}
"""What a machine says that has no such address, or no IPv6 at all."""

_PLACES = {
    socket.AF_INET: ("192.0.2.1",),
    socket.AF_INET6: ("2001:db8::1",),
}
"""Somewhere far; asking the way there sends nothing."""
_INNER = ("docker", "br-", "veth", "virbr", "lxc", "vmnet")
"""Networks within this machine, where nobody else is."""


BACKLOG = 1024
"""Connections that the system keeps until they are taken. Of more that come at once, as when all
players come back after a restart, it passes the rest over, and they try again a second later."""
SEND_BUFFER = 64 * 1024
"""Bytes that the system may keep for a slow reader, besides what the outbox keeps."""


class Place(NamedTuple):
    """One address to listen on; `scope` tells the network of a link-local one."""

    family: socket.AddressFamily
    host: str
    scope: int = 0

    @property
    def wild(self) -> bool:
        """Say whether it stands for all addresses of its family."""
        return self.host in _EVERYWHERE


class CannotListen(Exception):
    """The address or port cannot be had; the text says why, and what to do."""


def listen(hosts: Iterable[str], port: int) -> list[socket.socket]:
    """Listen with one port on all these hosts, or on every address; the caller closes.

    With port 0 it finds one port that is free on all of them. What the machine does not have (IPv6,
    for one) is passed over as long as something of the same host is left. Raises `CannotListen`.
    """
    wanted = {host: _places_of(host) for host in list(hosts) or [""]}
    tries = 1 if port else 20
    for left in reversed(range(tries)):
        bound: dict[Place, socket.socket] = {}
        try:
            _bind_all(wanted, port, bound)
        except CannotListen as failed:
            for sock in bound.values():
                sock.close()
            if left and getattr(failed.__cause__, "errno", None) == errno.EADDRINUSE:
                continue  # the port that was free for the first is taken for the next
            raise
        return list(bound.values())
    raise AssertionError("unreachable")


def _bind_all(wanted: dict[str, list[Place]], port: int, bound: dict[Place, socket.socket]) -> None:
    everywhere = {place.family for places in wanted.values() for place in places if place.wild}
    for host, places in wanted.items():
        failed: OSError | None = None
        for place in places:
            if place in bound or (place.family in everywhere and not place.wild):
                continue  # given twice, or among all addresses
            try:
                bound[place] = _bind(place, port or _port_of(bound.values()))
            except OSError as error:
                if error.errno not in _ABSENT:
                    raise _cannot(place.host, port, error) from error
                failed = failed or error
        if failed is not None and not any(place in bound for place in places):
            raise _cannot(host, port, failed) from failed


def _places_of(host: str) -> list[Place]:
    """Give each address of a host."""
    if not host:
        return [Place(socket.AF_INET, "0.0.0.0"), Place(socket.AF_INET6, "::")]
    try:
        name = host.strip("[]")
        found = socket.getaddrinfo(
            name.encode() if name.isascii() else name,  # as a text it would load what few need
            None,
            type=socket.SOCK_STREAM,
            flags=socket.AI_PASSIVE,
        )
    except (OSError, UnicodeError):
        raise CannotListen(
            f"there is no address for the host {host!r};"
            " give one of this machine's own addresses or names, or none to listen on all"
        ) from None
    places = [
        Place(family, str(at[0]), int(at[3]) if len(at) == 4 else 0)
        for family, _, _, _, at in found
        if family in _PLACES
    ]
    return sorted(places)


def _port_of(bound: Iterable[socket.socket]) -> int:
    return next((int(sock.getsockname()[1]) for sock in bound), 0)


def _bind(place: Place, port: int) -> socket.socket:
    sock = socket.socket(place.family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)  # those taken inherit it
        if place.family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            sock.bind((place.host, port, 0, place.scope))
        else:
            sock.bind((place.host, port))
        sock.listen(BACKLOG)  # here, since two may bind a port, and only one of them listen
    except OSError:
        sock.close()
        raise
    return sock


def _cannot(host: str, port: int, error: OSError | None) -> CannotListen:
    """Word why an address cannot be had."""
    match error.errno if error else None:
        case errno.EADDRINUSE:
            return CannotListen(
                f"port {port} is in use, perhaps by another perudo-server;"
                " end that one, or choose a port with --port (0 finds a free one)"
            )
        case errno.EACCES:
            return CannotListen(
                f"port {port} is not allowed to this user; choose one from 1024 on with --port"
            )
        case code if code in _ABSENT:
            return CannotListen(
                f"{host!r} is no address of this machine, so port {port} cannot be opened on it;"
                " give one that is, or none to listen on all"
            )
        case _:
            why = error.strerror if error else "no address"
            return CannotListen(
                f"port {port} cannot be opened on {host!r} ({why});"
                " choose other ones with --host and --port"
            )


def join_addresses(bound: Iterable[socket.socket]) -> list[str]:
    """Give `address:port` for each address under which others reach these sockets, IPv4 first.

    Where nobody else can reach any, give this machine's own.
    """
    found: dict[tuple[Address, int], None] = {}
    for sock in bound:
        host, port = sock.getsockname()[:2]
        if host in _EVERYWHERE:
            found |= dict.fromkeys((address, port) for address in own_addresses(sock.family))
        found[_plain(host), port] = None
    for choice in (_reachable, _anywhere):
        good = [(address, port) for address, port in found if choice(address)]
        if good:
            return [_joined(*each) for each in sorted(good, key=lambda each: each[0].version)]
    return [_joined(ip_address("127.0.0.1" if a.version == 4 else "::1"), p) for a, p in found][:1]


def own_addresses(family: int) -> list[Address]:
    """Give this machine's addresses, the one on the way to the world first. Sends nothing."""
    import ifaddr  # here alone: a server on a given address asks nobody for others

    found: dict[Address, None] = {}
    for place in _PLACES[socket.AddressFamily(family)]:
        with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as sock:
            sock.connect((place, 9))
            found[_plain(sock.getsockname()[0])] = None
    with contextlib.suppress(OSError):
        for adapter in ifaddr.get_adapters():
            if not adapter.name.startswith(_INNER):
                texts = (ip.ip if isinstance(ip.ip, str) else ip.ip[0] for ip in adapter.ips)
                found |= dict.fromkeys(map(_plain, texts))
    version = 6 if family == socket.AF_INET6 else 4
    return [address for address in found if address.version == version]


def _plain(host: str) -> Address:
    return ip_address(host.partition("%")[0])


def _anywhere(address: Address) -> bool:
    return not address.is_unspecified


def _reachable(address: Address) -> bool:
    return not (address.is_loopback or address.is_link_local or address.is_unspecified)


def _joined(address: Address, port: int) -> str:
    return f"[{address}]:{port}" if address.version == 6 else f"{address}:{port}"
