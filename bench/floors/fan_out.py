"""The floor of the server's acts: one small frame comes in, a frame goes out to each of the group.

A bare `asyncio.BufferedProtocol`, as the product's own link is one, on the same loop and with the
same socket options, reading into the same kind of buffer. It cuts what comes into the same frames
of a 4-byte length, and writes to each connection of the sender's group at once, without a queue:
bytes that are given at the start, of exactly the sizes (and, so that one driver can be used for
both, with the very bytes) that a Perudo server sends for a bid. It knows no game, reads no message,
makes none, limits nobody, logs nothing and keeps nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import ssl
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any, ClassVar, cast

from perudo_protocol.link import CHUNK, HIGH_WATER, watch_over

HEADER = 4
_BUFFER = bytearray(CHUNK)


class FanOut(asyncio.BufferedProtocol):
    """One connection; so many that come one after another are a group."""

    size = 6
    to_others = to_sender = b""
    newest: ClassVar[list[FanOut]] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Join the newest group, or begin another."""
        cls = type(self)
        self.transport = cast(asyncio.Transport, transport)
        self.transport.set_write_buffer_limits(HIGH_WATER)
        if (sock := transport.get_extra_info("socket")) is not None:
            watch_over(sock)
        self.buffer = bytearray()
        self.group = cls.newest = cls.newest if 0 < len(cls.newest) < cls.size else []
        self.group.append(self)

    def get_buffer(self, sizehint: int) -> bytearray:
        """Say where to put bytes."""
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        """Cut what came into frames, and answer each."""
        buffer = self.buffer
        buffer += _BUFFER[:nbytes]
        while len(buffer) >= HEADER:
            end = HEADER + int.from_bytes(buffer[:HEADER], "big")
            if len(buffer) < end:
                return
            del buffer[:end]
            for member in self.group:
                member.transport.write(self.to_sender if member is self else self.to_others)

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave the group."""
        if self in self.group:
            self.group.remove(self)


async def serve(kind: type[FanOut], tls: ssl.SSLContext | None) -> None:
    """Say the port, and go on for ever."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(kind, "127.0.0.1", 0, backlog=4096, ssl=tls)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def main(kind: type[FanOut] = FanOut) -> None:
    """Run as a command, with connections of this kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--group", type=int, default=6, help="connections in a group")
    parser.add_argument("--others", type=bytes.fromhex, default=bytes(69), help="bytes as hex")
    parser.add_argument("--sender", type=bytes.fromhex, default=bytes(88), help="bytes as hex")
    parser.add_argument("--cert", help="a certificate in a PEM file, for TLS as asyncio has it")
    parser.add_argument("--key", help="the PEM file with its key")
    parser.add_argument("--uvloop", action="store_true", help="use uvloop, which must be there")
    given = parser.parse_args()
    kind.size, kind.to_others, kind.to_sender = given.group, given.others, given.sender
    tls = None
    if given.cert:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.minimum_version = ssl.TLSVersion.TLSv1_3
        tls.num_tickets = 0
        tls.load_cert_chain(given.cert, given.key)
    run: Callable[[Coroutine[Any, Any, None]], None] = asyncio.run
    if given.uvloop:
        run = import_module("uvloop").run
    run(serve(kind, tls))


if __name__ == "__main__":
    main()
