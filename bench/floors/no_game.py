"""A server with the game cut out: what is left of ours when every bid is answered alike.

The fan-out of `fan_out`, and besides only what no server may leave out: each message is read into
its type, what a client sends is counted, and every reader has a bounded box, written out once a
turn of the loop. These are our server's own parts, so what they take beside the bare fan-out is
what no rules, tables or views can save. It informs: no goal is judged by it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from perudo_protocol.codec import decode_client
from perudo_protocol.framing import TO_SERVER, FrameReader
from perudo_protocol.messages import PlaceBid
from perudo_server.clock import LoopClock
from perudo_server.journal import NoJournal
from perudo_server.outbox import Flusher, Outbox
from perudo_server.rate import Rates

from . import fan_out

FRAMES, ACTS = 0, 1
RATES = Rates((1e6, 1e6), (1e6, 1e6))
"""Nobody is held up, but everything is counted."""
MOST_FRAMES, MOST_BYTES = 256, 65_536
_flushers: list[Flusher] = []


def _flusher() -> Flusher:
    """Give the one of this process, made once its loop runs."""
    if not _flushers:
        _flushers.append(Flusher(LoopClock(), logging.getLogger("bench"), NoJournal()))
    return _flushers[0]


class NoGame(fan_out.FanOut):
    """One connection: the sending half, the receiving half, and whose box it is."""

    peer, certificate, unsent, full = "", b"", 0, False
    write: Callable[[bytes], None]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Join a group, with an empty box."""
        super().connection_made(transport)
        self.write = self.transport.write
        self.now = asyncio.get_running_loop().time
        self.reader = FrameReader(TO_SERVER)
        self.buckets = RATES.full(self.now())
        self.box = Outbox(self, _flusher(), MOST_FRAMES, MOST_BYTES, self)

    def buffer_updated(self, nbytes: int) -> None:
        """Read what came, and answer each bid."""
        now = self.now()
        self.reader.feed(bytes(fan_out._BUFFER[:nbytes]))
        while (payload := self.reader.next()) is not None:
            if not RATES.take(self.buckets, FRAMES, now):
                self.abort()
                return
            message = decode_client(payload)
            if isinstance(message, PlaceBid) and RATES.take(self.buckets, ACTS, now):
                for member in self.group:
                    assert isinstance(member, NoGame)
                    member.box.put(self.to_sender if member is self else self.to_others)

    def listen(self, on: bool) -> None:
        """Take no more bytes, or take them again."""

    def fell_behind(self) -> None:
        """Let go of a reader who is too slow."""
        self.abort()

    def drained(self) -> None:
        """Do nothing more: who was behind is let go."""

    def close(self) -> None:
        """End the connection."""
        self.transport.close()

    def abort(self) -> None:
        """End the connection at once."""
        self.transport.abort()


if __name__ == "__main__":
    fan_out.main(NoGame)
