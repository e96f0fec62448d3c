"""The client's end of the wire: connects, greets, answers pings, and tells what comes.

No task runs while connected: bytes come in a turn of the loop, and `on_message` is called in it.
The same limits hold against a server as against a client: frames of 64 KiB, only the documented
errors, and three messages that make no sense end the connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from perudo_bot.identity import Identity
from perudo_protocol.codec import decode_server, encode
from perudo_protocol.errors import BadFrame, BadMessage, ForeignProtocol
from perudo_protocol.framing import TO_CLIENT, FrameReader
from perudo_protocol.link import Link, TcpLink
from perudo_protocol.messages import (
    Bye,
    ClientMessage,
    Error,
    Hello,
    Nonce,
    Ping,
    Pong,
    ServerMessage,
    Welcome,
)
from perudo_protocol.version import VERSIONS, program_version

from . import private
from .address import Address
from .dialing import CONNECT_SECONDS, dial
from .endings import CannotConnect, Closed, Trouble

MOST_BAD = 3
"""So many messages that make no sense end the connection."""
DEAD_SECONDS = 8.0
"""A server asks for life every five seconds; one that says nothing for so long is gone. The server
may notice a dead link seven seconds after we have heard it last: we must not notice it much later,
for nobody comes back before having noticed."""
UNREAD_LIMIT = 1024 * 1024
"""A server that reads nothing of what we send is gone."""
_THEIR_FAULT = (Closed.NONSENSE, Closed.ENCRYPTED)
"""After these nothing that we say would be understood."""


OnMessage = Callable[[ServerMessage], None]
OnClosed = Callable[[Closed], None]


class Connection:
    """One connection to a server; for another one make another.

    `on_message` is called with each message. A ping is answered here, and passed on for its clock;
    so is the question for the proof of who we are, when we come back.
    `on_message` may raise `BadMessage` for a message that makes no sense.
    `on_closed` is called once, after which nothing comes.
    """

    def __init__(self, on_message: OnMessage, on_closed: OnClosed) -> None:
        """Tell these what comes, once connected."""
        self._on_message = on_message
        self._on_closed = on_closed
        self._reader = FrameReader(TO_CLIENT)
        self._link: Link | None = None
        self._bad = 0
        self._who: Identity | None = None
        self._why = Closed.GONE
        self._over = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._heard = 0.0
        self._watch: asyncio.TimerHandle | None = None

    async def connect(
        self,
        address: Address,
        name: str,
        *,
        who: Identity | None = None,
        bot: bool = False,
        seconds: float = CONNECT_SECONDS,
    ) -> None:
        """Connect and send the greeting; the answer comes as a message.

        With a pin in the address the connection is encrypted, and nothing is said to a server
        whose certificate is another one. With `who` we can come back later; and we do so now,
        instead of greeting, when the server knows them already. Raises `CannotConnect`, also when
        it was closed meanwhile. Cancelling ends at once, even where nothing answers.
        """
        sock = await dial(address.host, address.port, seconds)
        try:
            if self._ended:  # closed meanwhile
                raise CannotConnect(Trouble.NO_ANSWER)
            loop = asyncio.get_running_loop()
            if address.pin:
                await private.connect(self, address.pin, sock)
                if self._ended:  # closed meanwhile
                    raise CannotConnect(Trouble.NO_ANSWER)
            else:
                await loop.create_connection(lambda: TcpLink(self), sock=sock)
        except OSError as wrong:
            sock.close()
            raise CannotConnect(Trouble.REFUSED, str(wrong)) from None
        except BaseException:
            sock.close()
            raise
        self._who = who
        if who is not None and who.known:
            self.send(who.resume(_client()))
        else:
            self.greet(name, bot=bot)

    def greet(self, name: str, *, bot: bool = False) -> None:
        """Send the greeting; again after `bad_name` and `name_taken`, and after `bad_proof`."""
        self._why = Closed.GONE
        key = self._who.hash if self._who is not None else b""
        self.send(Hello(versions=VERSIONS, client=_client(), name=name[:400], bot=bot, key=key))

    @property
    def is_open(self) -> bool:
        """Whether messages can be sent."""
        return self._link is not None and not self._over

    @property
    def certificate(self) -> bytes:
        """The SHA-256 of the server's certificate; no bytes on a plain line, or when it is over."""
        return b"" if self._link is None else self._link.certificate

    @property
    def peer(self) -> str:
        """The server's address in numbers; empty when the connection is over."""
        return "" if self._link is None else self._link.peer

    def send(self, message: ClientMessage) -> None:
        """Send a message; when the connection is over, nothing happens."""
        if self._link is None or self._over:
            return
        self._link.write(encode(message))
        if self._link.unsent > UNREAD_LIMIT:
            self._link.abort()

    def close(self) -> None:
        """Send what is unsent and end the connection; `on_closed` follows."""
        self._end(Closed.BY_US)

    def abort(self) -> None:
        """End the connection at once."""
        self._why = Closed.BY_US
        if self._link is not None:
            self._link.abort()

    # What the link tells -------------------------------------------------------------------------

    def opened(self, link: Link) -> None:
        """Begin; called by the link."""
        self._link = link
        if self._ended:  # closed during the handshake
            link.abort()
        self._loop = asyncio.get_running_loop()
        self._heard = self._loop.time()
        self._look()

    def _look(self) -> None:
        """End when the server has been silent for too long; else look again later."""
        if self._loop is None or self._link is None:
            return
        left = self._heard + DEAD_SECONDS - self._loop.time()
        if left <= 0:
            self._link.abort()
        else:
            self._watch = self._loop.call_later(left, self._look)

    def received(self, data: bytes) -> None:
        """Take bytes in; called by the link."""
        if self._ended:
            return
        if self._loop is not None:
            self._heard = self._loop.time()
        self._reader.feed(data)
        try:
            while (payload := self._reader.next()) is not None:
                self._frame(payload)
                if self._ended:
                    return
        except ForeignProtocol as other:
            encrypted = other.speaks == "tls" and not self.certificate
            self._end(Closed.ENCRYPTED if encrypted else Closed.NONSENSE)
        except BadFrame:
            self._end(Closed.NONSENSE)

    def drained(self) -> None:
        """Nothing waits for room here; called by the link."""

    def lost(self) -> None:
        """End; called by the link."""
        self._link = None
        if self._watch is not None:
            self._watch.cancel()
        if not self._over:
            self._over = True
            self._on_closed(self._why)

    def _frame(self, payload: bytes) -> None:
        try:
            message = decode_server(payload)
            self._note(message)
            self._on_message(message)
        except BadMessage:
            self._bad += 1
            if self._bad >= MOST_BAD:
                self._end(Closed.NONSENSE)

    def _note(self, message: ServerMessage) -> None:
        match message:
            case Ping(now=now):
                self.send(Pong(now=now))
            case Bye() | Error():
                self._why = Closed.TOLD
            case Welcome(person=person):
                self._why = Closed.GONE
                if self._who is not None:
                    self._who.person = person
            case Nonce(nonce=nonce) if self._who is not None:
                proof = self._who.prove(nonce, self.certificate)
                if proof is not None:
                    self.send(proof)
            case _:
                pass

    @property
    def _ended(self) -> bool:
        return self._over or self._why in (Closed.BY_US, *_THEIR_FAULT)

    def _end(self, why: Closed) -> None:
        self._why = why
        if self._link is None:
            return
        if why in _THEIR_FAULT:
            self._link.abort()
        else:
            self._link.close()


def _client() -> str:
    return f"perudo-client {program_version()}"[:64]
