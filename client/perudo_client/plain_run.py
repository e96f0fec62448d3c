"""Runs the plain client: server of one's own, connection, input, signals, exit code."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from typing import Any

from perudo_bot.comeback import PATIENCE, Comeback
from perudo_bot.identity import Identity, first_id
from perudo_protocol.elsewhere import Astray, NotThere
from perudo_protocol.messages import ServerMessage, Welcome

from . import private, reasons, seat_words, steady, trust_words
from .address import Address, place_of
from .config import ClientOptions
from .connection import Connection
from .dialing import CONNECT_SECONDS
from .embedded import CannotStart, EmbeddedServer
from .endings import NOT_THE_SAME, CannotConnect, Closed, Trouble
from .i18n import _
from .keeping import Keeper
from .kept import KeptSeats, kept_seat
from .kept_words import KeptWords
from .naming import default_name
from .plain import Plain
from .plain_input import Input
from .plain_line import LONGEST_TRY, UNAVAILABLE
from .plain_trust import trusts
from .plan import chosen
from .printing import Printer
from .terminal import hear_no_signals
from .trust import NOT_TRUSTED, CannotRead, KnownServers

CLOSE_SECONDS = 2.0
"""So long the server has to take in what we said last."""
DEMO_PACE = {"bot_seconds": 0.2, "reveal_seconds": 1.0, "throw_seconds": 1.0}
"""Nobody waits for a demo in text: a game is over in half a minute."""
ALONE_PACE = {"bot_seconds": 1.5, "reveal_seconds": 30.0}
"""Alone one goes on with Enter, and has time to read before."""
INTERNAL, CONFIG = 70, 78
BEAT_SECONDS = 0.5


def run_plain(options: ClientOptions) -> int:
    """Play in lines of text; gives the exit code."""
    return asyncio.run(_Run(options).play())


class _Run:
    def __init__(self, options: ClientOptions) -> None:
        self._options = options
        self._out = Printer(sys.stdout)
        self._err = Printer(sys.stderr)
        self._code: int | None = None
        self._plain: Plain | None = None
        self._connection: Connection | None = None
        self._input = Input(wanted=not options.demo)
        self._known = KnownServers(options.known_path if options.address is not None else None)
        self._seats = KeptSeats(options.seats_folder if options.address is not None else None)
        self._where: Address | None = None
        self._comeback = Comeback(
            self._try_again,
            steady.now,
            failures=(CannotConnect,),
            on_over=lambda: self._given_up(Closed.GONE),
        )
        self._encrypted = False
        self._ended = asyncio.Event()
        self._task: asyncio.Task[Any] | None = None

    async def play(self) -> int:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._broken)
        self._task = asyncio.current_task()
        _at_signals(self._signalled)
        self._beat()
        server: EmbeddedServer | None = None
        try:
            if self._options.notice:
                self._complain(self._options.notice)
            address = self._options.address
            if address is None:
                self._tell_of_seat()
                server = await self._embedded()
                address = server.address
            await self._session(address)
        except asyncio.CancelledError:
            if self._code is None:
                raise
        except CannotStart as wrong:
            self._complain(str(wrong))
            self._code = UNAVAILABLE
        finally:
            self._comeback.stop()
            if self._plain is not None and (self._plain.left or self._plain.over_for_good):
                self._seats.drop()
            if self._connection is not None:
                self._connection.abort()
            if server is not None:
                await server.stop()
            hear_no_signals()
        return INTERNAL if self._code is None else self._code

    def _beat(self) -> None:
        """Say that this process is awake: who slept cannot have answered in time."""
        if self._plain is not None:
            self._plain.model.beat(steady.now())
        asyncio.get_running_loop().call_later(BEAT_SECONDS, self._beat)

    async def _embedded(self) -> EmbeddedServer:
        pace = DEMO_PACE if self._options.demo else ALONE_PACE
        seconds = self._options.bot_seconds
        if seconds is not None:
            pace = {**pace, "bot_seconds": seconds}
        return await EmbeddedServer.start(**pace)

    async def _session(self, address: Address) -> None:
        """Play there; connect once more when the server turns out to encrypt and is trusted."""
        while await self._connect(address):
            await self._ended.wait()
            if not self._encrypted or self._code is not None or not await self._trusts(address):
                return
            self._encrypted = False
            self._ended.clear()

    async def _connect(self, address: Address) -> bool:
        plain = self._plain = self._input.plain = self._new_plain(address)
        self._where = address
        plain.who = self._seat_left(address)
        if self._options.address is not None:
            plain.gate.begin(address)
            plain.gate.kept = KeptWords.beside(self._options.config_path)
        try:
            where = self._known.vouched(address)
            await self._reach(where, CONNECT_SECONDS)
        except CannotRead as wrong:
            return self._fail(str(wrong), CONFIG)
        except CannotConnect as wrong:
            why = reasons.cannot_connect(wrong.trouble, address, where.digest, wrong.found)
            return self._fail(why, NOT_TRUSTED if wrong.trouble in NOT_THE_SAME else UNAVAILABLE)
        if self._known.introduce(where):
            self._tell(trust_words.another(where))
        self._input.go_on()
        return True

    async def _reach(self, where: Address, seconds: float) -> None:
        """Connect and say who we are; raises `CannotConnect`."""
        assert self._plain is not None

        def lost(why: Closed) -> None:
            if self._connection is connection:
                self._lost(why)

        connection = self._connection = Connection(self._hear, lost)
        self._plain.wire, self._plain.port = connection, where.port
        await connection.connect(where, self._name, who=self._plain.who, seconds=seconds)

    @property
    def _name(self) -> str:
        return self._options.settings.name or default_name()

    # Coming back ----------------------------------------------------------------------------------

    def _seat_left(self, address: Address) -> Identity:
        """Give who we were there before this program, if a seat is left; else somebody new."""
        if self._options.watch:
            return Identity()
        left = self._seats.waiting(address, self._name, chosen=self._options.named)
        if left is not None and self._seats.take(left):
            return Identity(left.key, left.person)
        if (other := self._seats.other(address)) is not None:
            self._tell(seat_words.other_name(other))
        return Identity()

    def _tell_of_seat(self) -> None:
        """Say that a seat waits on some server, before a game alone begins."""
        left = KeptSeats(self._options.seats_folder).offered()
        if left is not None and not self._options.demo:
            self._tell(seat_words.elsewhere(left))

    def _keep(self, plain: Plain) -> None:
        """Write down our seat for the case that this program ends, or forget it."""
        view, welcome = plain.model.view, plain.model.welcome
        if welcome is None or self._where is None or plain.left:
            return
        if view is None or not plain.model.seated:
            self._seats.drop()
        else:
            seat = kept_seat(self._where, plain.who.key, welcome, view, asked=self._name)
            self._seats.keep(seat)

    async def _try_again(self) -> None:
        assert self._where is not None
        assert self._plain is not None
        sent = self._plain.journey.next()
        try:
            where = self._known.vouched(self._where) if sent is None else place_of(sent)
            await self._reach(where, PATIENCE)
        except CannotRead as wrong:
            raise CannotConnect(Trouble.NO_ANSWER) from wrong
        except CannotConnect as wrong:
            if wrong.trouble not in NOT_THE_SAME or sent is not None:
                raise
            where = self._known.vouched(self._where)
            self._fail(
                reasons.cannot_connect(wrong.trouble, self._where, where.digest, wrong.found),
                NOT_TRUSTED,
            )
            self._ended.set()

    def _go_back(self) -> None:
        """End this connection, and come back on another one, which `journey` names."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
        if self._comeback.began is None:
            self._comeback.begin(LONGEST_TRY)
        else:
            self._comeback.failed()

    def _certificate_at(self, host: str, port: int) -> bytes:
        """Give the certificate that a server is known by; where that cannot be read, none fits."""
        try:
            return self._known.certificate_at(host, port)
        except CannotRead:
            raise NotThere(Astray.OTHER_CERTIFICATE) from None

    def _given_up(self, why: Closed) -> None:
        self._comeback.stop()
        if self._plain is not None:
            self._plain.lost(why)

    def _hear(self, message: ServerMessage) -> None:
        assert self._plain is not None
        self._input.begin()
        if isinstance(message, Welcome):
            self._comeback.stop()
        self._plain.hear(message)
        if not isinstance(message, Welcome):
            self._keep(self._plain)

    def _lost(self, why: Closed) -> None:
        assert self._plain is not None
        if why is Closed.ENCRYPTED and self._code is None and not self._plain.journey.untried:
            self._encrypted = True
            self._ended.set()
        elif not (seconds := self._plain.may_return(why)):
            self._given_up(why)
        elif self._comeback.began is None:
            self._comeback.begin(seconds)
        else:
            self._comeback.failed()

    async def _trusts(self, address: Address) -> bool:
        """Ask about the certificate of an unknown server, and keep it if it is trusted."""
        self._input.hold()
        found = b""
        try:
            found = await private.certificate_of(address)
            self._input.begin()
            if why := await trusts(address, found, self._tell, self._input.answer):
                return self._fail(why, NOT_TRUSTED)
            self._known.remember(address, found)
        except CannotConnect as wrong:
            return self._fail(reasons.cannot_connect(wrong.trouble, address), UNAVAILABLE)
        except (CannotRead, OSError) as wrong:
            return self._fail(trust_words.not_kept(address, found, str(wrong)), CONFIG)
        return True

    def _fail(self, sentence: str, code: int) -> bool:
        self._complain(sentence)
        if self._code is None:
            self._code = code
        return False

    def _new_plain(self, address: Address) -> Plain:
        options = self._options
        plan, table = chosen(options, address)
        plain = Plain(
            tell=self._tell,
            complain=self._complain,
            on_end=self._end,
            clock=steady.now,
            plan=plan,
            table=table,
            name=self._name,
            with_odds=options.settings.odds,
            on_taken=self._input.taken,
            secret=options.secret,
            may_ask=sys.stdin is not None and sys.stdin.isatty(),
            first_id=first_id(),
            on_hurry=self._comeback.hurry,
        )
        plain.keeper = Keeper(options.games, self._complain)
        plain.go_back, plain.known = self._go_back, self._certificate_at
        plain.is_ours = lambda name: self._seats.is_held(address, name)
        return plain

    def _tell(self, line: str) -> None:
        self._out.line(line)
        if self._out.broken and self._plain is not None:
            self._leave(0)

    def _complain(self, sentence: str) -> None:
        self._err.line(f"perudo-client: {sentence}")

    def _end(self, code: int) -> None:
        if self._code is None:
            self._code = code
        self._ended.set()

    def _leave(self, code: int) -> None:
        """Leave with this code; when the server does not take it in, end all the same."""
        if self._plain is None:
            return
        self._plain.leave(code)
        asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._end, code)

    def _signalled(self, code: int) -> None:
        """Leave at the first signal, end at the second; what is being cleaned up is not stopped."""
        first = self._code is None
        if first:
            self._code = code
        if self._connection is not None and self._connection.is_open:
            if first:
                self._leave(code)
            else:
                self._ended.set()
        elif first and self._task is not None:
            self._task.cancel()

    def _broken(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Say that the program has an error, in a sentence; nothing else would be understood."""
        wrong = context.get("exception")
        text = _("An error in this program ended it ({error}).")
        self._complain(text.format(error=type(wrong).__name__))
        self._code = INTERNAL
        self._ended.set()


def _at_signals(told: Callable[[int], None]) -> None:
    """Tell of an interrupt, a request to end, and the loss of the terminal: 128 + their number."""
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None or (signal.getsignal(number) is signal.SIG_IGN and name == "SIGHUP"):
            continue  # not on this system, or started with nohup
        code = 128 + int(number)
        try:
            loop.add_signal_handler(number, told, code)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_, code=code: loop.call_soon_threadsafe(told, code))
