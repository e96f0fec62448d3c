"""The floor of coming back: connections are taken, and each side says two things of given sizes.

asyncio's own server and a bare protocol with the socket options of ours. What comes is cut into
frames of a 4-byte length; the first is answered with as many bytes as the nonce has with which our
server asks for a proof, the second with as many as its welcome and the picture of the table have.
Nobody is known, nothing is proved, nobody else is told of it, nothing is logged.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, cast

from perudo_protocol.link import CHUNK, HIGH_WATER, watch_over

HEADER = 4
_BUFFER = bytearray(CHUNK)


class Meeting(asyncio.BufferedProtocol):
    """One connection."""

    answers: tuple[bytes, bytes]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self.transport = cast(asyncio.Transport, transport)
        self.transport.set_write_buffer_limits(HIGH_WATER)
        watch_over(transport.get_extra_info("socket"))
        self.buffer = bytearray()
        self.heard = 0

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
            self.transport.write(self.answers[self.heard])
            self.heard += 1


def framed(size: int) -> bytes:
    """Give a frame of so many bytes in all."""
    return (size - HEADER).to_bytes(HEADER, "big") + bytes(size - HEADER)


async def serve() -> None:
    """Say the port, and go on for ever."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Meeting, "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def main() -> None:
    """Run as a command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, required=True, help="bytes of the first answer")
    parser.add_argument("--second", type=int, required=True, help="bytes of the second")
    parser.add_argument("--uvloop", action="store_true", help="use uvloop, which must be there")
    given = parser.parse_args()
    Meeting.answers = framed(given.first), framed(given.second)
    run: Callable[[Coroutine[Any, Any, None]], None] = asyncio.run
    if given.uvloop:
        import uvloop

        run = uvloop.run
    run(serve())


if __name__ == "__main__":
    main()
