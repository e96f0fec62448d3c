"""A bot over the network: `perudo-client --bot host:port`.

Goes to a table, plays there game after game, and looks for another one when the table closes; until
the server stops or somebody ends it. One plain line of text tells each event.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import sys
from typing import Any

from perudo_protocol.link import Link, TcpLink
from perudo_protocol.text import clean
from perudo_protocol.words import ByeReason, ErrorWord

from .brain import Brain
from .joining import JoinPlan
from .runner import BotPlayer

OK = 0
INTERRUPTED = 128
"""A signal that ends the bot gives this exit code and its number, as shells do."""
UNAVAILABLE = 69
"""The exit code when the server cannot be reached, or is lost; that of `sysexits.h`."""
REFUSED = 76
"""The exit code when the server will not have this bot; that of `sysexits.h`."""
DIAL_SECONDS = 10.0
LEAVE_SECONDS = 2.0


class Guest(BotPlayer):
    """A bot over TCP: its end can be waited for, and asked for."""

    def __init__(self, name: str, seconds: float, join: JoinPlan) -> None:
        """Prepare to play; call within a running loop."""
        super().__init__(name, Brain(random.Random()), seconds, join)
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the connection is over, or when there will be none."""
        self.stopped = 0
        """The signal that has asked it to end, if one has."""
        self.confused = ""
        """What went wrong over something that the server said; no server of ours says such."""
        self._dialled: Link | None = None

    def opened(self, link: Link) -> None:
        """Greet."""
        self._dialled = link
        super().opened(link)

    def lost(self) -> None:
        """The connection is over."""
        super().lost()
        self._end()

    def stop(self, number: int) -> None:
        """Leave the table and end; at once where there is no connection yet, else soon."""
        self.stopped = number
        if self._dialled is None:
            self._end()
        else:
            self.leave()
            asyncio.get_running_loop().call_later(LEAVE_SECONDS, self._end)

    def puzzle(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End, since the server makes no sense."""
        self.confused = self.confused or type(context.get("exception")).__name__
        self.close()
        self._end()

    def _end(self) -> None:
        if not self.over.done():
            self.over.set_result(None)


def run(host: str, port: int, *, name: str, table: int | None, seconds: float) -> int:
    """Play on this server until it stops or a signal comes; gives the exit code.

    Goes to this table, or to the first with a free seat. `seconds` is the usual thinking time.
    """
    try:
        return asyncio.run(_visit(host, port, name, table, seconds))
    except KeyboardInterrupt:  # where the loop takes no signal handlers
        return INTERRUPTED + signal.SIGINT


async def _visit(host: str, port: int, name: str, table: int | None, seconds: float) -> int:
    bot = Guest(name, seconds, JoinPlan(table, _tell))
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(bot.puzzle)
    for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, bot.stop, number)
    try:
        await _dial(bot, host, port)
    except OSError as wrong:
        why = "no answer" if isinstance(wrong, TimeoutError) else wrong.strerror or str(wrong)
        return _fail(f"cannot reach a server at {host}, port {port}: {why}", UNAVAILABLE)
    await bot.over
    return _farewell(bot, host, port)


async def _dial(bot: Guest, host: str, port: int) -> None:
    """Connect, unless somebody ends the bot before; raises `OSError`."""
    loop = asyncio.get_running_loop()
    dialling = loop.create_task(loop.create_connection(lambda: TcpLink(bot), host, port))
    waiting: set[asyncio.Future[Any]] = {dialling, bot.over}
    await asyncio.wait(waiting, timeout=DIAL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    if dialling.done():
        dialling.result()
        return
    dialling.cancel()
    await asyncio.wait({dialling})
    if not bot.stopped:
        raise TimeoutError


def _farewell(bot: Guest, host: str, port: int) -> int:
    if bot.stopped:
        return INTERRUPTED + bot.stopped
    if bot.confused:
        return _fail(f"the bot makes no sense of what the server says ({bot.confused})", REFUSED)
    if bot.error is not None:
        return _fail(_what_is_wrong(bot), REFUSED)
    if bot.bye == ByeReason.SHUTDOWN:
        _tell("the server has stopped")
        return OK
    return _fail(f"the connection to {host}, port {port} was lost", UNAVAILABLE)


def _what_is_wrong(bot: Guest) -> str:
    assert bot.error is not None
    match bot.error.error:
        case ErrorWord.VERSION:
            theirs = ", ".join(map(str, bot.error.versions))
            return f"the server speaks other versions of the protocol: {theirs}"
        case ErrorWord.BAD_NAME:
            return f"the server does not take the name {bot.name!r}: 1 to 16 letters wide would do"
        case ErrorWord.NAME_TAKEN:
            return f"the server has too many players who are called {bot.name!r} or nearly so"
        case ErrorWord.TOO_MANY:
            return "the server has as many connections as it may; try again later"
        case other:
            return f"the server ended the connection: {clean(other)}"


def _tell(line: str) -> None:
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def _fail(sentence: str, code: int) -> int:
    sys.stderr.write(f"perudo-client: {sentence}\n")
    return code
