"""Finding and reaching a server: name look-up, several addresses at once, a bound on the wait.

A name is looked up in a daemon thread, for the system's look-up cannot be broken off and must not
keep the program from ending. Of several addresses the next is tried when the one before it has not
answered in a quarter of a second, and the first that answers wins.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import suppress
from itertools import chain, zip_longest

from .endings import CannotConnect, Trouble

CONNECT_SECONDS = 5.0
HEAD_START = 0.25
"""How long, in seconds, one address is tried alone before the next one is tried beside it."""
MOST_ADDRESSES = 8


_Found = tuple[socket.AddressFamily, tuple[object, ...]]


async def dial(host: str, port: int, seconds: float = CONNECT_SECONDS) -> socket.socket:
    """Give a connected socket; raises `CannotConnect`."""
    try:
        async with asyncio.timeout(seconds):
            return await _race(await _look_up(host, port))
    except TimeoutError:
        raise CannotConnect(Trouble.NO_ANSWER) from None


async def _look_up(host: str, port: int) -> list[_Found]:
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[_Found]] = loop.create_future()

    def settle(found: list[_Found] | None, wrong: str) -> None:
        if answer.done():
            return
        if found:
            answer.set_result(found)
        else:
            answer.set_exception(CannotConnect(Trouble.NO_HOST, wrong))

    def ask() -> None:
        found, wrong = None, ""
        try:
            found = _ask(host, port)
        except (OSError, UnicodeError) as problem:
            wrong = str(problem)
        with suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(settle, found, wrong)

    threading.Thread(target=ask, name="look-up", daemon=True).start()
    return await answer


def _ask(host: str, port: int) -> list[_Found]:
    plain = host.encode() if host.isascii() else host  # others need tables, which are loaded then
    answers = socket.getaddrinfo(plain, port, type=socket.SOCK_STREAM)
    found: list[_Found] = [(answer[0], answer[4]) for answer in answers]
    first = [each for each in found if each[0] is found[0][0]]
    rest = [each for each in found if each[0] is not found[0][0]]
    mixed = chain.from_iterable(zip_longest(first, rest))
    return [each for each in mixed if each is not None][:MOST_ADDRESSES]


async def _race(addresses: list[_Found]) -> socket.socket:
    tries: set[asyncio.Task[socket.socket]] = set()
    waiting = list(addresses)
    wrong = ""
    try:
        while waiting or tries:
            if waiting:
                tries.add(asyncio.create_task(_reach(waiting.pop(0))))
            patience = HEAD_START if waiting else None
            done, tries = await asyncio.wait(
                tries, timeout=patience, return_when=asyncio.FIRST_COMPLETED
            )
            winners = [task.result() for task in done if task.exception() is None]
            for loser in winners[1:]:
                loser.close()
            if winners:
                return winners[0]
            wrong = next((str(task.exception()) for task in done), wrong)
    finally:
        await _drop(tries)
    raise CannotConnect(Trouble.REFUSED, wrong)


async def _drop(tries: set[asyncio.Task[socket.socket]]) -> None:
    """Break off the tries that are left, and close what one of them may have reached."""
    for task in tries:
        if not task.cancel() and task.exception() is None:
            task.result().close()
    await asyncio.gather(*tries, return_exceptions=True)


async def _reach(address: _Found) -> socket.socket:
    family, place = address
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        await asyncio.get_running_loop().sock_connect(sock, place)
    except BaseException:
        sock.close()
        raise
    return sock
