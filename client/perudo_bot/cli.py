"""A bot over the network: `perudo-client --bot host:port`.

Goes to a table, plays there game after game, and looks for another one when the table closes; until
the server stops or somebody ends it. One plain line of text tells each event.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys

from perudo_protocol import tls
from perudo_protocol.elsewhere import Known
from perudo_protocol.pins import fingerprint, pin_of
from perudo_protocol.text import clean
from perudo_protocol.words import ByeReason, ErrorWord

from .comeback import PATIENCE, Comeback
from .guest import Guest, Place, SeatKeeper, connect, dial
from .joining import JoinPlan

OK = 0
INTERRUPTED = 128
"""A signal that ends the bot gives this exit code and its number, as shells do."""
UNAVAILABLE = 69
"""The exit code when the server cannot be reached, or is lost; that of `sysexits.h`."""
REFUSED = 76
"""The exit code when the server will not have this bot; that of `sysexits.h`."""
NO_PERMISSION = 77
"""The exit code when the join words are missing or wrong."""
NOT_TRUSTED = 77
"""The exit code when the server is not the one that it should be, or nobody has vouched for it."""


def run(
    host: str,
    port: int,
    *,
    name: str,
    table: int | None,
    seconds: float,
    certificate: bytes = b"",
    secret: str = "",
    keeper: SeatKeeper | None = None,
    known: Known = lambda host, port: b"",
) -> int:
    """Play on this server until it stops or a signal comes; gives the exit code.

    Goes to this table, or to the first with a free seat. `seconds` is the usual thinking time. With
    the hash of a certificate the connection is encrypted, and the server must have that one.
    `secret` holds join words for a locked server or table; `keeper` keeps the seat; `known` gives
    the certificates of servers that the player knows.
    """
    plan = JoinPlan(table, _tell, secret=secret)

    async def visit() -> int:
        try:
            return await _visit(place, name, plan, seconds, keeper, known)
        finally:
            # The loop closes the pipe of signals before it gives them back: one between would be a
            # traceback.
            with contextlib.suppress(ValueError):  # another thread than the main one has none
                signal.set_wakeup_fd(-1)

    place = Place(host, port, certificate)
    try:
        return asyncio.run(visit())
    except KeyboardInterrupt:  # where the loop takes no signal handlers
        return INTERRUPTED + signal.SIGINT


async def _visit(
    place: Place,
    name: str,
    plan: JoinPlan,
    seconds: float,
    keeper: SeatKeeper | None,
    known: Known,
) -> int:
    bot = Guest(name, seconds, plan, keeper)
    bot.known = known
    loop = asyncio.get_running_loop()

    async def again() -> None:
        async with asyncio.timeout(PATIENCE):
            sent = bot.journey.next()
            await connect(bot, place if sent is None else Place.elsewhere(sent))

    failures = (tls.NotPrivate,)
    bot.comeback = Comeback(again, loop.time, failures=failures, on_over=bot.end)
    loop.set_exception_handler(bot.puzzle)
    for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, bot.stop, number)
    try:
        await dial(bot, place)
    except OSError as wrong:
        why = "no answer" if isinstance(wrong, TimeoutError) else wrong.strerror or str(wrong)
        return _fail(f"cannot reach a server at {place}: {why}", UNAVAILABLE)
    except tls.NotPrivate as wrong:
        return _not_private(place, wrong)
    await bot.over
    if bot.encrypted and not bot.stopped:
        return await _stranger(place)
    return _farewell(bot, place)


def _not_private(place: Place, wrong: tls.NotPrivate) -> int:
    match wrong.trouble:
        case tls.Trouble.CERTIFICATE:
            return _fail(
                f"the certificate at {place} is not the one expected: its fingerprint is"
                f" {fingerprint(wrong.found)}, and should be {fingerprint(place.certificate)};"
                f" if who runs it says that all is well, run perudo-client --forget {place.address}"
                " or use the new address",
                NOT_TRUSTED,
            )
        case tls.Trouble.PLAIN:
            return _fail(
                f"the server at {place} does not encrypt, and should; if who runs it says that all"
                f" is well, run perudo-client --forget {place.address}",
                NOT_TRUSTED,
            )
        case _:
            return _fail(f"no encrypted connection to {place} came about", UNAVAILABLE)


async def _stranger(place: Place) -> int:
    """Say how to go to a server that encrypts and is not known; a bot trusts nobody by itself."""
    try:
        found = await tls.certificate_of(host=place.host, port=place.port)
    except (OSError, tls.NotPrivate):
        return _fail(f"no encrypted connection to {place} came about", UNAVAILABLE)
    return _fail(
        f"nobody has vouched for the server at {place}: its certificate's fingerprint is"
        f" {fingerprint(found)}; if perudo-server showed the same when it started, use"
        f" perudo://{place.address}#{pin_of(found)}",
        NOT_TRUSTED,
    )


def _farewell(bot: Guest, place: Place) -> int:
    if bot.stopped:
        return INTERRUPTED + bot.stopped
    if bot.confused:
        return _fail(f"the bot makes no sense of what the server says ({bot.confused})", REFUSED)
    if bot.locked:
        return _fail(_locked(bot.locked, given=bool(bot.plan.secret)), NO_PERMISSION)
    if bot.error is not None and bot.error.error == ErrorWord.TOO_MANY_TRIES:
        return _fail("too many wrong join words came from here; wait a minute", NO_PERMISSION)
    if bot.error is not None:
        return _fail(_what_is_wrong(bot), REFUSED)
    if bot.bye == ByeReason.SHUTDOWN:
        _tell("the server has stopped")
        return OK
    return _fail(f"the connection to {place} was lost", UNAVAILABLE)


def _locked(what: str, *, given: bool) -> str:
    if given:
        return f"these are not the join words of this {what}"
    return f"this {what} is locked: give its join words with --secret or PERUDO_SECRET"


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
