"""A server for one client of ours, which keeps what it hears and says what a test tells it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from perudo_client.connection import Connection
from perudo_client.endings import Closed
from perudo_protocol import messages as m
from perudo_protocol.codec import decode_client, encode
from perudo_protocol.framing import TO_SERVER, FrameReader

BOUND = 10.0


class Server:
    """Takes one client and keeps what it says."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[m.ClientMessage | None] = asyncio.Queue()
        self.writer: asyncio.StreamWriter | None = None
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writer = writer
        frames = FrameReader(TO_SERVER)
        with suppress(ConnectionError):
            while data := await reader.read(4096):
                frames.feed(data)
                while (payload := frames.next()) is not None:
                    self.heard.put_nowait(decode_client(payload))
        self.heard.put_nowait(None)
        writer.close()

    async def next(self) -> m.ClientMessage | None:
        """Wait for what the client says next; `None` is its end."""
        return await asyncio.wait_for(self.heard.get(), BOUND)

    def say(self, *messages: m.FromServer) -> None:
        self.write(b"".join(encode(message) for message in messages))

    def write(self, data: bytes) -> None:
        assert self.writer is not None
        self.writer.write(data)

    def hang_up(self) -> None:
        assert self.writer is not None
        self.writer.close()


class Client:
    """A connection with what it was told."""

    def __init__(self, on_message: Callable[[m.ServerMessage], None] | None = None) -> None:
        self.told: list[m.ServerMessage] = []
        self.closed: asyncio.Future[Closed] = asyncio.get_running_loop().create_future()
        self.connection = Connection(on_message or self.told.append, self.closed.set_result)

    async def end(self) -> Closed:
        return await asyncio.wait_for(self.closed, BOUND)


@asynccontextmanager
async def serving() -> AsyncIterator[Server]:
    server = Server()
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        if server.writer is not None:
            server.writer.close()
        listener.close()
