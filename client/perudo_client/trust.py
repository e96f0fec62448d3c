"""The servers whose certificates this player has accepted, as SSH knows its hosts.

One line of the file is an address and a pin. A server that is known is never again spoken to
without encryption, nor with another certificate, until it is forgotten.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

import platformdirs

from perudo_protocol.pins import pin_of, read_pin

from .address import Address, AddressError, parse, plain_host
from .i18n import _
from .own_files import read_own

NOT_TRUSTED = 77
"""The exit code when a server is not trusted; that of `sysexits.h` for a lack of permission."""
_HEAD = "# Servers that perudo-client knows, and the pins of their certificates."


class CannotRead(Exception):
    """The file cannot be read; the text is a sentence."""


def known_path() -> Path:
    """Give the place of the file for this user."""
    return platformdirs.user_config_path("perudo", appauthor=False) / "known_servers"


class KnownServers:
    """The file; without one, what is accepted is kept until the program ends."""

    def __init__(self, path: Path | None = None) -> None:
        """Use this file, which need not be there yet."""
        self._path = path
        self._kept: dict[str, str] = {}

    def vouched(self, address: Address) -> Address:
        """Give the address with the pin that its server must show, if any is known.

        A pin that stands in the address itself counts more. Raises `CannotRead`.
        """
        return address if address.pin else address._replace(pin=self._read().get(_key(address), ""))

    def certificate_at(self, host: str, port: int) -> bytes:
        """Give the hash of the certificate by which the server there is known, if it is.

        Raises `CannotRead`.
        """
        return self.vouched(Address(host, port)).digest

    def remember(self, address: Address, certificate: bytes) -> None:
        """Know this server by its certificate from now on; raises `CannotRead` or `OSError`."""
        self._write(self._read() | {_key(address): pin_of(certificate)})

    def introduce(self, address: Address) -> bool:
        """Know the server of this address by its pin from now on, unless it is known already.

        Says whether it is known by another one: the one in the address counts this time, and the
        other stays known. Whoever made the address may be wrong, but not about what is kept here.
        """
        with suppress(CannotRead, OSError):  # the next time the player is asked
            known = self._read().get(_key(address))
            if address.pin and known is None:
                self.remember(address, address.digest)
            return known is not None and bool(address.pin) and known != address.pin
        return False

    def forget(self, address: Address) -> bool:
        """Forget a server, and say whether it was known; raises `CannotRead` or `OSError`."""
        known = self._read()
        if known.pop(_key(address), None) is None:
            return False
        self._write(known)
        return True

    def _read(self) -> dict[str, str]:
        if self._path is None:
            return dict(self._kept)
        try:
            lines = read_own(self._path).splitlines()
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as wrong:
            text = _("The servers known to you in {path} cannot be read: {problem}.")
            problem = " ".join(str(wrong).split())
            raise CannotRead(text.format(path=self._path, problem=problem)) from None
        return dict(_entry(self._path, line) for line in lines if line and not line.startswith("#"))

    def _write(self, known: dict[str, str]) -> None:
        self._kept = known
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # For this user alone: whoever could write here could pose as any server.
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=self._path.name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write("\n".join([_HEAD, *(f"{key} {pin}" for key, pin in known.items()), ""]))
                file.flush()
                os.fsync(file.fileno())
            Path(name).replace(self._path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _entry(path: Path, line: str) -> tuple[str, str]:
    """Read a line. One that makes no sense must not turn a known server into an unknown one."""
    try:
        key, pin = line.split()
        read_pin(pin)
    except ValueError:
        text = _("In {path}, this is no address and pin: {line}. Mend the line, or take it out.")
        raise CannotRead(text.format(path=path, line=repr(line))) from None
    with suppress(AddressError):  # in the one spelling, however it was written once
        key = _key(parse(key))
    return key, pin


def _key(address: Address) -> str:
    return str(Address(plain_host(address.host), address.port))
