"""The floor of a server's start: what any server of this kind does before it listens.

It reads options, looks whether there is a file of settings where the system keeps such, sets up a
log, has a source of what nobody can guess, opens its file of SQLite in the mode and with the check
that ours has, knows typed messages and msgpack, runs asyncio's loop and listens. Whoever connects
and sends something gets it back. So the libraries are there that such a server is made of, and no
program: one option, no setting, no certificate, no addresses, no protocol and no rules.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import secrets
import signal
import sqlite3
from pathlib import Path
from typing import cast

import msgpack
import msgspec
from platformdirs import user_config_path


class Echo(msgspec.Struct, tag="echo"):
    """The one message."""

    text: str


class Connection(asyncio.Protocol):
    """Gives back what comes."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Answer."""
        self.transport.write(data)


def open_journal(folder: Path) -> sqlite3.Connection:
    """Open a file as our journal is opened, and read what is in it."""
    folder.mkdir(parents=True, exist_ok=True)
    base = sqlite3.connect(folder / "journal.sqlite", isolation_level=None)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute("PRAGMA synchronous=NORMAL")
    base.execute("PRAGMA integrity_check(1)").fetchall()
    base.execute("CREATE TABLE IF NOT EXISTS entry (seq INTEGER PRIMARY KEY, body BLOB) STRICT")
    base.execute("SELECT seq, body FROM entry ORDER BY seq").fetchall()
    return base


async def serve(base: sqlite3.Connection | None) -> None:
    """Say the port, and go on until a signal comes."""
    loop = asyncio.get_running_loop()
    end = asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, end.set)
    server = await loop.create_server(Connection, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    msgspec.convert(msgpack.unpackb(msgpack.packb({"type": "echo", "text": ""})), Echo)
    await end.wait()
    if base is not None:
        base.close()


def main() -> None:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of a file that is opened")
    given = parser.parse_args()
    if (user_config_path("perudo-bench", appauthor=False) / "server.toml").exists():
        parser.error("nobody has settings for a floor")
    logging.basicConfig(level="INFO")
    logging.debug("token %s", secrets.token_hex(8))
    asyncio.run(serve(open_journal(given.data) if given.data else None))


if __name__ == "__main__":
    main()
