"""Servers that encrypt: certificates, a lobby behind TLS in this process, visitors of all kinds."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from perudo_protocol.pins import pin_of
from perudo_protocol.tls import client_context
from perudo_server.certificate import Identity, identity
from perudo_server.clock import LoopClock
from perudo_server.dice import SecretDice
from perudo_server.links import Links
from perudo_server.lobby import Lobby
from perudo_server.settings import Settings

BOUND = 10.0
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@cache
def new_identity() -> Identity:
    """Give a server's identity, the same for all tests."""
    with TemporaryDirectory() as folder:
        made = identity(Settings(tls=True, data=folder))
    assert made is not None
    return made


def files(folder: Path) -> tuple[Path, Path]:
    """Write a certificate and its key as files of their own."""
    identity(Settings(tls=True, data=str(folder / "data")))
    key, mark, certificate = (
        (folder / "data" / "tls.pem").read_text().partition("-----BEGIN CERTIFICATE-----")
    )
    (folder / "cert.pem").write_text(mark + certificate)
    (folder / "key.pem").write_text(key)
    (folder / "key.pem").chmod(0o600)
    return folder / "cert.pem", folder / "key.pem"


class PrivateHouse:
    """A lobby that is reached over TLS alone, and what was logged there."""

    def __init__(self, shown: Identity, **settings: Any) -> None:
        self.shown = shown
        self.pin = pin_of(shown.certificate)
        self.log = logging.Logger("house")
        self.lines: list[str] = []
        self.failures: list[dict[str, Any]] = []
        self.port = 0
        self.settings = Settings(**settings)
        self.lobby = Lobby(self.settings, LoopClock(), SecretDice(), self.log, ())
        self.links = Links(self.log, shown, self.settings.handshake_seconds)
        handler = logging.Handler()
        handler.emit = self._note  # type: ignore[method-assign]
        self.log.addHandler(handler)
        self._news = asyncio.Event()
        self._writers: list[asyncio.StreamWriter] = []

    def _note(self, record: logging.LogRecord) -> None:
        fields = getattr(record, "fields", {})
        self.lines.append(" ".join([record.msg, *map(str, fields.values())]))
        self._news.set()

    async def says(self, line: str, times: int = 1) -> None:
        """Wait until the log holds a line that begins so, so many times."""
        async with asyncio.timeout(BOUND):
            while sum(each.startswith(line) for each in self.lines) < times:
                self._news.clear()
                await self._news.wait()

    @property
    def connections(self) -> int:
        """How many connections count."""
        return len(self.lobby._sessions)

    async def visit(self) -> Streams:
        """Connect without TLS."""
        return self._keep(await asyncio.open_connection("127.0.0.1", self.port))

    async def enter(self, context: ssl.SSLContext | None = None) -> Streams:
        """Connect with TLS."""
        return self._keep(
            await asyncio.open_connection(
                "127.0.0.1", self.port, ssl=context or client_context(), server_hostname=""
            )
        )

    def _keep(self, streams: Streams) -> Streams:
        self._writers.append(streams[1])
        return streams

    async def close(self) -> None:
        """Close the house and all that was connected here."""
        self.lobby.close("shutdown")
        await self.links.gone(BOUND, asyncio.Event())
        for writer in self._writers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


@asynccontextmanager
async def private_house(
    shown: Identity | None = None, **settings: Any
) -> AsyncIterator[PrivateHouse]:
    """Open a house on a free port; nothing may fail there without being caught."""
    loop = asyncio.get_running_loop()
    house = PrivateHouse(shown or new_identity(), **settings)
    loop.set_exception_handler(lambda _, context: house.failures.append(context))
    server = await loop.create_server(
        lambda: house.links.new(house.lobby.session()), "127.0.0.1", 0
    )
    house.port = server.sockets[0].getsockname()[1]
    try:
        yield house
    finally:
        server.close()
        await house.close()
        assert house.failures == []


async def end_of(reader: asyncio.StreamReader) -> bytes:
    """Read until the other side closes."""
    async with asyncio.timeout(BOUND):
        try:
            return await reader.read()
        except ConnectionError:
            return b""
