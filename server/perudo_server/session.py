"""One connection: bytes in, requests to the lobby, frames out, and when to hang up.

Everything happens synchronously within the loop's own turn: no task, no queue, no await for a
message. A session goes through three states and never back:

    NEW --(hello accepted)--> GREETED --(any end)--> CLOSED

Only `hello` and `pong` are heard in NEW, and on a locked server one `unlock` for each question;
everything but `hello` in GREETED, nothing in CLOSED.
A frame that is none closes the link; `bad_messages` frames without sense do too.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from logging import Logger
from typing import Protocol

from perudo_protocol.codec import decode_client, encode
from perudo_protocol.errors import BadFrame, BadMessage, ForeignProtocol
from perudo_protocol.framing import TO_SERVER, FrameReader
from perudo_protocol.link import Link
from perudo_protocol.messages import (
    Act,
    Bye,
    Challenge,
    Entropy,
    Error,
    FromServer,
    Hello,
    Join,
    Leave,
    Make,
    Ping,
    Pong,
    Promise,
    Refused,
    Request,
    Resume,
    Say,
    Unlock,
    Watch,
)
from perudo_protocol.words import ByeReason, Denial, ErrorWord

from .backlog import Backlog
from .clock import Clock, Timer, millis
from .entrance import TOO_MANY
from .greeting import Greeting
from .locks import Visit
from .log import event
from .outbox import Flusher, Outbox
from .people import Person
from .rate import Rates
from .settings import Settings

_FOREIGN = {
    "http": b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
    b"This is a Perudo server. Join it with: perudo-client host:port\n",
    "tls": b"This is a Perudo server without TLS. Join it with: perudo-client host:port\n",
}
"""What visitors with another protocol are told."""
_MOVES = frozenset((Make, Join, Watch, Leave))
"""Comings and goings: each is told to everybody at a table."""
FRAMES_AT_ONCE = 2
"""So many frames of one connection are heard before others get their turn."""


FRAMES, ACTS, MOVES, SHARES, CHAT = range(5)
"""What is counted of a connection, each by itself."""


def rates_of(settings: Settings) -> Rates:
    """Give how much of each one connection may send."""
    return Rates(
        (settings.frame_burst, settings.frame_rate),
        (settings.act_burst, settings.act_rate),
        (settings.move_burst, settings.move_rate),
        (settings.share_burst, settings.share_rate),
        (settings.chat_burst, settings.chat_rate),
    )


class Hall(Protocol):
    """What a connection needs of the house behind it."""

    settings: Settings
    clock: Clock
    log: Logger
    flusher: Flusher
    backlog: Backlog
    rates: Rates
    """Those of `rates_of`."""

    @property
    def stalled(self) -> bool:
        """Say whether nothing is to happen at present."""

    def resume(self, session: Session, asked: Resume, nonce: bytes, proof: bytes) -> bool:
        """Let somebody come back; say whether the proof was right."""

    def admit(self, session: Session) -> bool:
        """Say whether one more connection may come in, and count it."""

    def may_ask(self, session: Session) -> bool:
        """Say whether a connection may be asked for something that somebody has to type."""

    def challenge(self, visit: Visit) -> Challenge | None:
        """Give the question for the server's join words; nothing where none are needed."""

    def unlock(self, visit: Visit, answer: Unlock) -> Denial | None:
        """Judge the answer to it."""

    def greet(self, session: Session, hello: Hello) -> tuple[ErrorWord, str] | None:
        """Let somebody in, or say why not."""

    def handle(self, person: Person, request: Request) -> None:
        """Do what somebody asks, and answer."""

    def take_entropy(self, person: Person, message: Promise | Entropy) -> None:
        """Take what somebody adds to the next dice."""

    def show(self, person: Person) -> None:
        """Send somebody the whole picture of where they are."""

    def gone(self, session: Session) -> None:
        """Hear that the connection is over."""


class State(Enum):
    """How far a connection has come."""

    NEW = "new"
    GREETED = "greeted"
    CLOSED = "closed"


def _tell_nobody(_frame: bytes) -> None:
    pass


class Session:
    """The server's side of one connection; a `perudo_protocol.link.Receiver`."""

    __slots__ = (
        "_bad",
        "_buckets",
        "_clock",
        "_greeting",
        "_has_more",
        "_heard",
        "_link",
        "_lobby",
        "_next_ping",
        "_outbox",
        "_rates",
        "_reader",
        "_settings",
        "_timers",
        "number",
        "person",
        "put",
        "state",
        "visit",
    )

    def __init__(self, lobby: Hall, number: int, person: Person | None = None) -> None:
        """Prepare for a connection; `person` is given for a bot of the house, known beforehand."""
        self.number = number
        self.person = person
        self.put: Callable[[bytes], None] = _tell_nobody
        """Puts a frame into the outbox; before the greeting nothing is told, nor after the end."""
        self.visit = Visit()
        self.state = State.NEW
        self._lobby = lobby
        self._settings = lobby.settings
        self._clock = lobby.clock
        self._reader = FrameReader(TO_SERVER)
        now = self._clock.now()
        self._rates = lobby.rates
        self._buckets = lobby.rates.full(now)
        self._has_more = False
        self._bad = 0
        self._greeting = Greeting(self, lobby)
        self._heard = now
        self._link: Link | None = None
        self._outbox: Outbox | None = None
        self._next_ping: Timer | None = None
        self._timers: dict[str, Timer] | None = None
        """Others; most of the time there are none."""

    # The link's side ------------------------------------------------------------------------

    @property
    def closed(self) -> bool:
        """Say whether nothing more is heard."""
        return self.state is State.CLOSED

    @property
    def peer(self) -> str:
        """The other side's address."""
        return "" if self._link is None else self._link.peer

    @property
    def certificate(self) -> bytes:
        """The SHA-256 of our certificate, which this connection relies on; b"" on a plain line."""
        return b"" if self._link is None else self._link.certificate

    def opened(self, link: Link) -> None:
        """Take the connection, or refuse it when there are too many."""
        settings = self._settings
        self._link = link
        self.visit.address = link.peer
        self.visit.certificate = link.certificate
        self._outbox = Outbox(
            link,
            self._lobby.flusher,
            settings.outbox_frames,
            settings.outbox_bytes,
            self,
        )
        if not self._lobby.admit(self):
            self.fail(ErrorWord.TOO_MANY, TOO_MANY)
            return
        self._after("greeting", settings.greeting_seconds, self._greeting_late)
        self._next_ping = self._clock.later(settings.ping_seconds, self._ping)

    def received(self, data: bytes) -> None:
        """Hear what came, frame by frame."""
        if self.state is State.CLOSED:
            return
        self._heard = self._clock.now()
        self._reader.feed(data)
        if not self._has_more:
            self._hear_some()

    def _hear_some(self) -> None:
        """Hear a few frames; the rest from the backlog, so that others are heard between.

        While some wait there, no more are read: they wait in the system.
        """
        waited, self._has_more = self._has_more, False
        try:
            for _ in range(FRAMES_AT_ONCE):
                if self.state is State.CLOSED or (payload := self._reader.next()) is None:
                    break
                if self._timers is not None:
                    self._stop("frame")
                self._hear(payload)
            else:
                self._has_more = self._reader.halfway and not self.closed
        except ForeignProtocol as wrong:
            self._foreign(wrong.speaks)
        except BadFrame as wrong:
            self.fail(ErrorWord.BAD_FRAME, str(wrong))
        except Exception:
            if waited and self._link is not None:
                self._link.abort()  # as the loop does by itself with one who is heard at once
            raise
        if waited is not self._has_more and self._link is not None:
            self._link.listen(waited)
        if self._has_more:
            self._lobby.backlog.add(self._hear_some)
            return
        if waited:
            self._heard = self._clock.now()  # until here it had us wait for nothing
        if self._reader.halfway and not self.closed and "frame" not in (self._timers or ()):
            self._after("frame", self._settings.frame_seconds, self._frame_late)

    def drained(self) -> None:
        """Catch up with a reader who was too slow: one fresh picture instead of what was lost."""
        if self._outbox is None or self.closed:
            return
        if self._outbox.behind:
            self._outbox.behind = False
            self._stop("overflow")
            if self.person is not None and self.state is State.GREETED:
                self._lobby.show(self.person)
        else:
            self._outbox.go_on()

    def lost(self) -> None:
        """Forget the connection; whoever it was has left."""
        self._over()
        self._lobby.gone(self)
        # Those who hold each other would stay in memory until Python looks for such, seldom enough.
        self._link = self._outbox = None
        del self._greeting

    # What goes out --------------------------------------------------------------------------

    def urge(self, frame: bytes) -> None:
        """Send a frame before all that waits."""
        if self.state is State.GREETED and self._outbox is not None:
            self._outbox.urge(frame)

    def say(self, message: FromServer) -> None:
        if not self.closed and self._outbox is not None:
            self._outbox.put(encode(message))

    def close(self, last: FromServer | None = None) -> None:
        """Send what waits and one last message, then close."""
        if self.closed or self._outbox is None:
            return
        if last is not None:
            self._outbox.put(encode(last))
        unknown = self.state is State.NEW
        self._over()
        self._outbox.close()
        if unknown:
            self._outbox.write_out()  # it was told nothing that can be lost
        self._after("linger", self._settings.overflow_seconds, self._outbox.abort)

    def fail(self, word: str, detail: str, versions: tuple[int, ...] = ()) -> None:
        """Say what is wrong with the connection, and close it."""
        event(self._lobby.log, "connection_failed", session=self.number, error=word)
        self.close(Error(error=word, detail=detail, versions=versions))

    def _over(self) -> None:
        self.state, self.put = State.CLOSED, _tell_nobody
        if self._next_ping is not None:
            self._next_ping.cancel()
        for timer in (self._timers or {}).values():
            timer.cancel()
        self._timers = None

    def _foreign(self, speaks: str) -> None:
        event(self._lobby.log, "foreign", session=self.number, speaks=speaks)
        if self._link is not None:
            self._link.write(_FOREIGN[speaks])
        self.close()

    def fell_behind(self) -> None:
        """Hear from the outbox that it was emptied: give the reader time to catch up."""
        event(self._lobby.log, "behind", session=self.number)
        self._after("overflow", self._settings.overflow_seconds, self._too_slow)

    # What comes in --------------------------------------------------------------------------

    def _hear(self, payload: bytes) -> None:
        person = self.person
        ours = person is not None and person.ours
        if not ours and not self._rates.take(self._buckets, FRAMES, self._heard):
            self.fail(ErrorWord.FLOOD, "far more came than anybody has to say")
            return
        try:
            message = decode_client(payload)
        except BadMessage as wrong:
            self._nonsense(str(wrong))
            return
        if isinstance(message, Act) and person is not None and self.state is State.GREETED:
            self._request(person, message)  # first, since most of what comes is one
            return
        if isinstance(message, Pong):
            return
        if self._greeting.hear(message):
            return
        if self.state is State.NEW or self.person is None:
            self.fail(ErrorWord.NOT_GREETED, "the first message is hello")
        elif isinstance(message, (Promise, Entropy)):
            if self._rates.take(self._buckets, SHARES, self._heard):
                self._lobby.take_entropy(self.person, message)
            else:
                self.fail(ErrorWord.FLOOD, "far more shares came than there are draws")
        elif isinstance(message, Request):
            self._request(self.person, message)

    def _nonsense(self, why: str) -> None:
        self._bad += 1
        event(self._lobby.log, "bad_message", session=self.number, count=self._bad)
        if self._bad >= self._settings.bad_messages or self.state is State.NEW:
            self.fail(ErrorWord.BAD_MESSAGE, why)
        else:
            self.say(Error(error=ErrorWord.BAD_MESSAGE, detail=why))

    # What a greeting needs ------------------------------------------------------------------

    @property
    def is_new(self) -> bool:
        """Say whether nobody has been let in yet."""
        return self.state is State.NEW

    @property
    def ours(self) -> bool:
        """Say whether a bot of the house is at the other end."""
        return self.person is not None and self.person.ours

    def ask(self, question: Challenge | Error) -> None:
        """Ask for a name or words, with time to type them, or close where too many are asked."""
        if not self._lobby.may_ask(self):
            self.fail(ErrorWord.TOO_MANY, "too many of your address have not greeted; end some")
            return
        self.say(question)
        self._after("greeting", self._settings.naming_seconds, self._greeting_late)

    def greet(self, hello: Hello) -> tuple[ErrorWord, str] | None:
        """Be let in under a name, or hear why not."""
        return self._lobby.greet(self, hello)

    def resume(self, asked: Resume, nonce: bytes, proof: bytes) -> bool:
        """Come back, if the proof is right."""
        return self._lobby.resume(self, asked, nonce, proof)

    def greeted(self) -> None:
        """Hear from the lobby that the greeting was accepted."""
        self.state = State.GREETED
        if self._outbox is not None:
            self.put = self._outbox.put
        self._stop("greeting")

    def _request(self, person: Person, request: Request) -> None:
        if self._lobby.stalled:
            self.urge(encode(Refused(re=request.id, reason=Denial.STORAGE_FULL)))
            return
        kind = type(request)
        counted = MOVES if kind in _MOVES else CHAT if kind is Say else ACTS
        if not person.ours and not self._rates.take(self._buckets, counted, self._heard):
            self.say(Refused(re=request.id, reason=Denial.SLOW_DOWN))
            return
        self._lobby.handle(person, request)

    # Time -----------------------------------------------------------------------------------

    def _after(self, name: str, seconds: float, callback: Callable[[], None]) -> None:
        self._stop(name)
        if self._timers is None:
            self._timers = {}
        self._timers[name] = self._clock.later(seconds, callback)

    def _stop(self, name: str) -> None:
        if self._timers is None:
            return
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()
        if not self._timers:
            self._timers = None

    def make_room(self) -> None:
        """Hear from the house that others want to come in, and nothing was typed yet."""
        self.fail(ErrorWord.SLOW_GREETING, "nothing came in a while, and others wait")

    def _greeting_late(self) -> None:
        self.fail(ErrorWord.SLOW_GREETING, "no hello came in time")

    def _frame_late(self) -> None:
        self.fail(ErrorWord.SLOW_FRAME, "a frame was begun and not ended in time")

    def _ping(self) -> None:
        """Ask for life, at the latest when the peer would count as dead; hang up on the dead."""
        settings, now = self._settings, self._clock.now()
        heard = now if self._has_more else self._heard
        left = heard + settings.dead_seconds - now
        if left <= 0:
            event(self._lobby.log, "dead", session=self.number)
            self.close(Bye(reason=ByeReason.DEAD))
            if self._link is not None and self._link.unsent:
                self._link.abort()  # it takes nothing: no last word will reach it, so none waits
            return
        self.say(Ping(now=millis(now)))
        self._next_ping = self._clock.later(min(settings.ping_seconds, left), self._ping)

    def _too_slow(self) -> None:
        event(self._lobby.log, "too_slow", session=self.number)
        self._over()
        if self._outbox is not None:
            self._outbox.abort()
