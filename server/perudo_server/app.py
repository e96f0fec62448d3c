"""The process' life: listen, say how to join, and end so that every player is told."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace

from perudo_protocol.codec import encode
from perudo_protocol.link import Receiver
from perudo_protocol.messages import Error
from perudo_protocol.version import program_version
from perudo_protocol.words import ByeReason, ErrorWord

from . import addresses
from .console import say
from .door import Door
from .entrance import TOO_MANY
from .folder import data_folder
from .journal import A_MOMENT, AnyJournal, Journal, NoJournal
from .journal_entry import JournalDamaged, Sync
from .links import Links
from .log import event, failure
from .settings import MAKE_WORDS, Settings

if TYPE_CHECKING:
    from .certificate import Identity
    from .lobby import Lobby
    from .past import Past

PATIENCE = 2.0
"""Seconds that the last messages have to reach the players when the server ends."""


class Hall(Protocol):
    """What this module needs of a lobby."""

    def has_room(self, address: str) -> bool:
        """Say whether one more connection of this address may come in."""

    def session(self) -> Receiver:
        """Give a receiver for a new connection."""

    def close(self, reason: str) -> None:
        """Tell everybody why, and close every connection after what is unsent."""

    def finish(self, patience: float) -> None:
        """Close what was kept, when nobody is connected any more."""


OpenHall = Callable[[Settings, logging.Logger, tuple[str, ...]], Hall]


def open_lobby(settings: Settings, log: logging.Logger, join: tuple[str, ...]) -> Hall:
    """Open the real lobby, with the machine's own clock and entropy, and what it was before.

    Raises `JournalError`, and `folder.BadFile` for a folder that cannot be had.
    """
    from . import entries as n
    from .clock import LoopClock
    from .dice import SecretDice
    from .lobby import Lobby
    from .needed import Needed
    from .past import CannotRestore, Past

    journal = _journal(settings)
    gc.disable()  # nothing of what is read is garbage, and to look for some takes a fifth of it all
    try:
        journal.follow(Needed())
        past = Past().take(journal.load())
        lobby = Lobby(settings, LoopClock(past.at), SecretDice(), log, join, journal)
        lobby.keep(n.HOUSE, n.Leased(past.lease + 1))
        tables = _restored(lobby, past)
    except CannotRestore as wrong:
        journal.close(PATIENCE)
        raise JournalDamaged(
            f"the journal in {settings.data or 'the data folder'} does not make sense ({wrong});"
            " perudo-server --recover keeps what does"
        ) from None
    except BaseException:
        journal.close(PATIENCE)
        raise
    finally:
        gc.enable()
    journal.sweep(settings.keep_days, partial(_not_swept, log))
    event(log, "restored", tables=tables)
    return lobby


def _not_swept(log: logging.Logger, why: str) -> None:
    event(log, "journal_not_swept", logging.ERROR, why=why)


def _restored(lobby: Lobby, past: Past) -> int:
    if not any(past.most.values()):
        return 0  # a new house
    from .restoring import restore

    return restore(lobby, past)


def _journal(settings: Settings) -> AnyJournal:
    if settings.no_journal:
        return NoJournal()
    sync: Sync = "full" if settings.journal_sync == "full" else "normal"
    journal = Journal.open(data_folder(settings.data), sync)
    journal.patience = A_MOMENT if sync == "normal" else 0.0
    return journal


async def serve(
    settings: Settings,
    log: logging.Logger,
    open_hall: OpenHall = open_lobby,
    on_open: Callable[[], None] = lambda: None,
) -> None:
    """Serve until a signal (or, if so set, the end of standard input) says that it is enough.

    `on_open` is called when all is said, before anybody is heard. Raises `addresses.CannotListen`,
    `JournalError`, and `folder.BadFile` for a certificate or a folder that cannot be had.
    """
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: failure(log, context.get("exception")))
    shown = _identity(settings)
    bound = addresses.listen(settings.host, settings.port)
    made = _make_words() if settings.secret == MAKE_WORDS else ""
    settings = replace(settings, secret=made or settings.secret)
    places = addresses.join_addresses(bound)
    hall = open_hall(settings, log, tuple(places))
    links = Links(log, shown, settings.handshake_seconds)
    full = Error(error=ErrorWord.TOO_MANY, detail=TOO_MANY)
    refusal = b"" if shown else encode(full)  # it could not be read before the handshake
    doors = [Door(s, hall, lambda: links.new(hall.session()), refusal, log) for s in bound]
    end = _End(loop, log)
    end.at_signals()
    if settings.until_eof:
        end.at_end_of_input()
    event(log, "listening", port=bound[0].getsockname()[1], addresses=len(bound), tls=bool(shown))
    opening = _opening(settings.server_name, places, shown)
    say("\n".join(opening + _secret_lines(settings.secret, made)))
    on_open()
    await end.wanted.wait()
    for door in doors:
        door.close()
    hall.close(ByeReason.SHUTDOWN)
    await links.gone(PATIENCE, end.hurried)
    hall.finish(PATIENCE)
    end.hear_no_signals()
    event(log, "stopped", version=program_version())


def _identity(settings: Settings) -> Identity | None:
    if not (settings.tls or settings.tls_cert):
        return None
    from .certificate import identity

    return identity(settings)


def _opening(name: str, places: list[str], shown: Identity | None) -> list[str]:
    """Say how to join; behind TLS an address tells which certificate to expect."""
    if shown is None:
        return [f"{name} is open. Join with", *[f"  perudo-client {place}" for place in places]]
    from perudo_protocol.pins import fingerprint, pin_of

    pin = pin_of(shown.certificate)
    addresses = [f"  perudo-client perudo://{place}#{pin}" for place in places]
    known = ["Its certificate's fingerprint:", f"  {fingerprint(shown.certificate)}"]
    return [f"{name} is open. Join with", *addresses, *known]


def _make_words() -> str:
    from .join_words import make_words  # here alone: most servers are open, or are told their words

    return make_words()


def _secret_lines(secret: str, made: str) -> list[str]:
    """Tell words that were made, and remind of others, which stand where they were given."""
    if made:
        return ["Join words, for your friends alone:", f"  {made}"]
    return ["Locked: friends need the join words that you gave."] if secret else []


class _End:
    """When to end: wanted once; wanted twice, in a hurry."""

    def __init__(self, loop: asyncio.AbstractEventLoop, log: logging.Logger) -> None:
        self.wanted = asyncio.Event()
        self.hurried = asyncio.Event()
        self._loop = loop
        self._log = log

    def want(self, why: str) -> None:
        """End, and tell the log why."""
        event(self._log, "stopping", why=why)
        (self.hurried if self.wanted.is_set() else self.wanted).set()

    def at_signals(self) -> None:
        """End at an interrupt, a request to end, or the loss of the terminal."""
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            number = getattr(signal, name, None)
            if number is None or (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):
                continue  # not on this system, or started with nohup
            try:
                self._loop.add_signal_handler(number, self.want, name)
            except NotImplementedError:  # Windows
                signal.signal(number, self._later(name))

    def hear_no_signals(self) -> None:
        """End as it was said, whatever comes now.

        A loop closes the pipe through which it hears of signals before it gives the signals back:
        one that came between would be a traceback.
        """
        with contextlib.suppress(ValueError):  # another thread than the main one heard of none
            signal.set_wakeup_fd(-1)

    def _later(self, why: str) -> Callable[..., Any]:
        return lambda *_: self._loop.call_soon_threadsafe(self.want, why)

    def at_end_of_input(self) -> None:
        """End when standard input does, as it does when the program that started us is gone."""
        threading.Thread(target=self._read, name="input", daemon=True).start()

    def _read(self) -> None:
        # A thread, since files and some terminals cannot be watched by an event loop. It reads the
        # descriptor itself, because the lock of a stream would hold up the end of the process.
        try:
            while os.read(sys.stdin.fileno(), 4096):
                pass
        except (AttributeError, OSError, ValueError):  # there is none: that is its end too
            pass
        with contextlib.suppress(RuntimeError):  # the loop has ended by itself
            self._loop.call_soon_threadsafe(self.want, "end_of_input")
