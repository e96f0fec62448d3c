"""Where a server is: `host`, `host:port`, `[v6]:port`, `perudo://host:port/TABLE#pin`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from socket import inet_aton
from typing import TYPE_CHECKING, NamedTuple

from perudo_protocol.pins import PIN_SIGNS, pin_of, read_pin
from perudo_protocol.version import DEFAULT_PORT

from .i18n import _

if TYPE_CHECKING:
    from perudo_protocol.elsewhere import Elsewhere

SCHEME = "perudo://"
LOCALHOST = "localhost"
_HERE = ("127.0.0.1", "::1", "0.0.0.0", "::")
"""What `localhost` stands for."""
_HOST = re.compile(r"[^\s/\[\]@?#:]{1,253}")
_V6 = re.compile(r"[0-9A-Fa-f:.]{2,45}(%[^\s/\[\]]{1,32})?")
_NUMBER = re.compile(r"[0-9]{1,15}")


class AddressError(ValueError):
    """No address of a server; the text says in one sentence what is wrong."""


class Address(NamedTuple):
    """A server's address, the table to go to, and the certificate to expect, if any."""

    host: str
    port: int = DEFAULT_PORT
    table: int = 0
    """0 for no table in particular."""
    pin: str = ""
    """What the server's certificate is known by; empty where none is."""

    @property
    def digest(self) -> bytes:
        """The hash of the certificate that the pin stands for; no bytes where there is none."""
        return read_pin(self.pin) if self.pin else b""

    def __str__(self) -> str:
        """Write the address as it is read by `parse`."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        table = f"/{self.table}" if self.table else ""
        pin = f"#{self.pin}" if self.pin else ""
        return f"{SCHEME if table or pin else ''}{host}:{self.port}{table}{pin}"


def parse(text: str) -> Address:
    """Read an address; raises `AddressError` with a sentence for anything else."""
    rest = text.strip()
    if not rest:
        raise AddressError(_("Write the address of a server, such as 192.168.1.20:7654."))
    if rest[: len(SCHEME)].lower() == SCHEME:
        rest = rest[len(SCHEME) :]
    elif "://" in rest:
        raise AddressError(_("An address begins with perudo:// or with the name of a computer."))
    rest, hash_sign, pin = rest.partition("#")
    place, _slash, table = rest.partition("/")
    host, port = _place(place)
    return Address(host, _port(port), _table(table.rstrip("/")), _pin(pin) if hash_sign else "")


def plain_host(host: str) -> str:
    """Give the one spelling of a host, by which it is found again however it was written.

    `Ana.local.`, `[::1]`, `127.1`, `192.168.276`, `::FFFF:10.0.0.1`: the end of a name, the zeros
    of a number, capitals, and the ways to write this machine make no other host.
    """
    text = host.lower()
    with suppress(UnicodeError):
        text = text.encode("idna").decode("ascii") if not text.isascii() else text
    text = text.removesuffix(".")
    number, sign, scope = text.partition("%")
    found = _number(number)
    if found is None:
        return text
    if found.version == 6 and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return LOCALHOST if str(found) in _HERE else f"{found}{sign}{scope}"


def _number(text: str) -> IPv4Address | IPv6Address | None:
    with suppress(ValueError):
        return ip_address(text)
    with suppress(OSError, ValueError):  # the system takes 127.1 and 192.168.276 too
        return ip_address(inet_aton(text)) if text else None
    return None


def place(where: Address) -> str:
    """Give the key by which something is kept for the server at an address."""
    return f"{plain_host(where.host)} {where.port}"


def place_of(sent: Elsewhere) -> Address:
    """Give the address to which a server has sent us."""
    return Address(sent.host, sent.port, pin=pin_of(sent.certificate))


def for_others(where: Address, join: Iterable[str]) -> Address:
    """Give the address that friends need: on the server's own machine, one that it has told."""
    if not _own(where.host):
        return where
    for place in join:
        with suppress(AddressError):
            told = parse(place)
            if not _own(told.host):
                return told._replace(pin=where.pin)
    return where


def _own(host: str) -> bool:
    try:
        return ip_address(plain_host(host)).is_loopback
    except ValueError:
        return plain_host(host) == LOCALHOST


def _place(place: str) -> tuple[str, str | None]:
    if place.startswith("["):
        host, bracket, rest = place[1:].partition("]")
        if not bracket or not _V6.fullmatch(host) or (rest and not rest.startswith(":")):
            raise AddressError(_("An IPv6 address with a port is written as [::1]:7654."))
        return host, rest[1:] if rest else None
    if place.count(":") > 1:
        if not _V6.fullmatch(place):
            raise AddressError(_("An IPv6 address with a port is written as [::1]:7654."))
        return place, None
    host, colon, port = place.partition(":")
    if not _HOST.fullmatch(host):
        text = _("{host} is not the name or the number of a computer.")
        raise AddressError(text.format(host=repr(host)))
    return host, port if colon else None


def _port(text: str | None) -> int:
    if text is None:
        return DEFAULT_PORT
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 1 <= int(text) <= 65535:
        sentence = _("A port is a number from 1 to 65535, not {port}.")
        raise AddressError(sentence.format(port=repr(text)))
    return int(text)


def _table(text: str) -> int:
    if not text:
        return 0
    if not _NUMBER.fullmatch(text):
        sentence = _("A table is a number, not {table}.")
        raise AddressError(sentence.format(table=repr(text)))
    return int(text)


def _pin(text: str) -> str:
    try:
        read_pin(text)
    except ValueError:
        sentence = _(
            "After # comes the pin of the server's certificate, {count} signs as perudo-server"
            " shows them, not {pin}."
        )
        raise AddressError(sentence.format(count=PIN_SIGNS, pin=repr(text))) from None
    return text
