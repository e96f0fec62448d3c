"""A connection that nobody on its way can read: TLS 1.3 over a `TcpLink`.

There is no authority that vouches for a server in somebody's living room. What counts is whether
its certificate is the very one that the client expects (see `pins`), so nothing else about the
certificate is looked at.

The bytes go through OpenSSL in memory and everything happens in the loop's own turn, as on a plain
link. So a server counts a connection before it spends anything on it, and can tell a visitor who
does not speak TLS from one who does.
"""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any

from .link import Link, Receiver, TcpLink
from .pins import certificate_hash

HANDSHAKE_SECONDS = 5.0
"""So long a client waits for the handshake's end."""
_HANDSHAKE, _ALERT = 0x16, 0x15
"""What records are called that a handshake may begin with."""
_NO_TLS = b"\x15\x03\x03\x00\x02\x02\x46"
"""The alert `protocol_version`, told to those who speak something else."""
_CHUNK = 16 * 1024
"""The most that one record holds."""
_SLACK, _WRAPPING = 64 * 1024, 4
"""So many bytes may come that say nothing, and so many for each that does: records around single
bytes, or changes of keys, cost far more to take apart than to send."""


class Trouble(StrEnum):
    """Why a connection did not become private, or broke."""

    PLAIN = "plain"
    """The other side does not speak TLS."""
    SLOW = "slow"
    """The handshake did not end in time."""
    BROKEN = "broken"
    """The other side speaks no TLS 1.3, or its bytes were changed on their way."""
    LOST = "lost"
    """The connection ended in the middle of the handshake."""
    CERTIFICATE = "certificate"
    """The server has another certificate than the one expected."""


class NotPrivate(Exception):
    """There is no private connection; `trouble` says why, `found` which certificate came."""

    def __init__(self, trouble: Trouble, found: bytes = b"") -> None:
        """Remember why, and the hash of the certificate that the server has, if it told one."""
        super().__init__(trouble.value)
        self.trouble = trouble
        self.found = found


def server_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """Give what a server's links need; raises `OSError` (`ssl.SSLError` is one) for bad files.

    A key that asks for a passphrase is a bad one: nobody is there to type it.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0  # every connection shows the certificate
    context.load_cert_chain(certificate, key, password=lambda: b"")
    return context


def client_context() -> ssl.SSLContext:
    """Give what a client's links need; the certificate is compared afterwards."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


class TlsLink(TcpLink):
    """What both ends share; see `ServerLink` and `ClientLink`."""

    def __init__(
        self, receiver: Receiver, context: ssl.SSLContext, seconds: float, *, server_side: bool
    ) -> None:
        """Tell this receiver what comes; the handshake may take so many seconds."""
        super().__init__(receiver)
        self.trouble: Trouble | None = None
        """Why the connection is not private, or broke; `None` where we ended it, or all is well."""
        self._certificate = b""
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=server_side)
        self._starts = (_HANDSHAKE,) if server_side else (_HANDSHAKE, _ALERT)
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None
        self._came = self._said = 0
        self._private = self._ended = False
        self._listens = True
        self._all_said = False
        """Whether the other side has said that this is the end, and we have not listened since."""

    @property
    def certificate(self) -> bytes:
        """The SHA-256 of the server's certificate."""
        return self._certificate

    def write(self, data: bytes) -> None:
        """Encrypt bytes and hand them to the transport; before the handshake's end, drop them."""
        transport = self._transport
        if not self._private or transport is None or transport.is_closing():
            return
        try:
            done = 0
            while done < len(data):
                done += self._tls.write(memoryview(data)[done:] if done else data)
        except ssl.SSLError:
            self._break(Trouble.BROKEN)
        else:
            transport.write(self._outgoing.read())

    def listen(self, on: bool) -> None:
        """Stop or go on reading; an end that came with other bytes waits until these are heard."""
        super().listen(on)
        self._listens = on
        if on and self._all_said:
            self.close()

    def close(self) -> None:
        """Say that this is the end, and close after what is unsent."""
        if self._private and not self._closing:
            with suppress(ssl.SSLError):  # it would wait for the other side to say so too
                self._tls.unwrap()
            self._flush()
        self._ended = True
        super().close()

    def abort(self) -> None:
        """Close at once."""
        self._ended = True
        super().abort()

    def buffer_updated(self, nbytes: int) -> None:
        """Take bytes on with the handshake, or decrypt and pass them on; called by asyncio."""
        data = bytes(self._chunk[:nbytes])
        if not self._came and data[0] not in self._starts:
            self._foreign()
            return
        self._came += len(data)
        self._incoming.write(data)
        self._go_on()
        if self._came > _SLACK + _WRAPPING * self._said:
            self._break(Trouble.BROKEN)

    def connection_lost(self, exc: Exception | None) -> None:
        """End; called by asyncio."""
        self._stop_timer()
        if not self._private and not self._ended:
            self.trouble = self.trouble or Trouble.LOST
        super().connection_lost(exc)

    def _take(self, transport: asyncio.BaseTransport) -> None:
        super()._take(transport)
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._seconds, self._late)

    @property
    def _closing(self) -> bool:
        return self._transport is None or self._transport.is_closing()

    def _go_on(self) -> None:
        try:
            if not self._private:
                self._tls.do_handshake()
                self._stop_timer()
                self._private = True
                self._flush()
                self._agreed()
            while not self._closing and (data := self._tls.read(_CHUNK)):
                self._said += len(data)
                self._receiver.received(data)
                if not (self._incoming.pending or self._tls.pending()):
                    self._flush()
                    return  # nothing is left, which an exception would say at twice the cost
            if self._listens or self._closing:
                self.close()  # the other side has said that this is the end
            else:
                self._all_said = True
        except ssl.SSLWantReadError:
            self._flush()
        except ssl.SSLError:
            self._flush()  # the alert that says so
            self._break(Trouble.BROKEN)

    def _agreed(self) -> None:
        """The handshake is done; for each end to define."""

    def _foreign(self) -> None:
        """The other side does not speak TLS."""
        self._break(Trouble.PLAIN)

    def _late(self) -> None:
        self.trouble = Trouble.SLOW
        self.abort()

    def _break(self, trouble: Trouble) -> None:
        self.trouble = self.trouble or trouble
        self._private = False
        super().close()

    def _flush(self) -> None:
        if self._outgoing.pending and not self._closing:
            assert self._transport is not None
            self._transport.write(self._outgoing.read())

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()


class ServerLink(TlsLink):
    """A server's end: the receiver hears `opened` when the connection is taken.

    It may close it then, before the handshake has cost anything. Until the handshake is done it
    hears nothing more, and what it writes is dropped.
    """

    def __init__(
        self, receiver: Receiver, context: ssl.SSLContext, certificate: bytes, seconds: float
    ) -> None:
        """Show a certificate with this hash; `context` is of `server_context`."""
        super().__init__(receiver, context, seconds, server_side=True)
        self._certificate = certificate

    def _foreign(self) -> None:
        if self._transport is not None:
            self._transport.write(_NO_TLS)
        super()._foreign()


class ClientLink(TlsLink):
    """A client's end: the receiver hears `opened` when the server has shown what is expected.

    Otherwise it hears nothing at all; `ready` tells which.
    """

    def __init__(self, receiver: Receiver, expected: bytes, seconds: float) -> None:
        """Expect a certificate with this hash; call within a running loop."""
        super().__init__(receiver, client_context(), seconds, server_side=False)
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when `opened` was told; raises `NotPrivate` otherwise."""
        self._expected = expected
        self._opened = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin with the handshake; called by asyncio."""
        self._take(transport)
        self._go_on()

    def connection_lost(self, exc: Exception | None) -> None:
        """End; called by asyncio."""
        super().connection_lost(exc)
        if not self.ready.done():
            trouble = self.trouble or Trouble.LOST
            self.ready.set_exception(NotPrivate(trouble, self._certificate))

    def _tell_lost(self) -> None:
        if self._opened:
            super()._tell_lost()

    def _agreed(self) -> None:
        shown = self._tls.getpeercert(binary_form=True)
        self._certificate = certificate_hash(shown) if shown else b""
        if not self._certificate or self._certificate != self._expected:
            self.trouble = Trouble.CERTIFICATE
            self.abort()
        elif not self.ready.done():
            self.ready.set_result(None)
            self._opened = True
            self._receiver.opened(self)


async def connect(
    receiver: Receiver, expected: bytes, seconds: float = HANDSHAKE_SECONDS, **where: Any
) -> None:
    """Connect a receiver to the server whose certificate has this hash.

    `where` is that of `loop.create_connection`: a host and a port, or a connected `sock`. Raises
    `OSError` when nothing listens there and `NotPrivate` for the rest; then the receiver has heard
    nothing.
    """
    loop = asyncio.get_running_loop()
    link = ClientLink(receiver, expected, seconds)
    try:
        await loop.create_connection(lambda: link, **where)
        await link.ready
    except BaseException:
        link.abort()
        raise


async def certificate_of(seconds: float = HANDSHAKE_SECONDS, **where: Any) -> bytes:
    """Give the hash of the certificate of the server there, and hang up; raises as `connect`."""
    try:
        await connect(_Nobody(), b"", seconds, **where)
    except NotPrivate as met:
        if met.trouble is Trouble.CERTIFICATE and met.found:
            return met.found
        raise
    raise AssertionError("no certificate has an empty hash")


class _Nobody:
    """A receiver that is told nothing, since no certificate is the expected one."""

    def opened(self, link: Link) -> None:
        pass

    def received(self, data: bytes) -> None:
        pass

    def drained(self) -> None:
        pass

    def lost(self) -> None:
        pass
