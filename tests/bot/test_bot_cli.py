"""A bot as a process of its own, over TCP, against a server that says what the test tells it."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

import pytest

from perudo_protocol.link import TcpLink
from perudo_protocol.messages import (
    Away,
    Bye,
    Error,
    Hello,
    Join,
    Leave,
    PlaceBid,
    Refused,
    TableLine,
    Tables,
    View,
    Welcome,
)
from perudo_protocol.story import SeatLeft, WentOut, Won
from perudo_protocol.views import Placed, Tally
from perudo_protocol.vocabulary import Bid
from tests.support.scripted_server import BOT, ScriptedServer, bidding, turn

Message = TypeVar("Message")
BOUND = 20.0

COMMAND = (
    "import sys; from perudo_bot.cli import run;"
    "sys.exit(run(sys.argv[1], int(sys.argv[2]), name='Bia', table=None, seconds=0.0))"
)


class Awaited(ScriptedServer):
    """A scripted server for one connection whose client's words can be waited for."""

    def __init__(self) -> None:
        super().__init__()
        self._news = asyncio.Event()

    def received(self, data: bytes) -> None:
        super().received(data)
        self._news.set()

    def lost(self) -> None:
        super().lost()
        self._news.set()

    async def hears(self, kind: type[Message], number: int = 1) -> Message:
        """Wait until the bot has said so many messages of this kind; give the last of them."""
        async with asyncio.timeout(BOUND):
            while len(self.said(kind)) < number:
                assert not self.is_lost, self.heard
                self._news.clear()
                await self._news.wait()
        return self.said(kind)[number - 1]

    async def is_left(self) -> None:
        """Wait until the connection is over."""
        async with asyncio.timeout(BOUND):
            while not self.is_lost:
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def bot_at(port: int) -> AsyncIterator[Process]:
    bot = await asyncio.create_subprocess_exec(
        sys.executable, "-c", COMMAND, "127.0.0.1", str(port), stdout=PIPE, stderr=PIPE
    )
    try:
        yield bot
    finally:
        if bot.returncode is None:
            bot.kill()
            await bot.communicate()


@asynccontextmanager
async def visited() -> AsyncIterator[tuple[Awaited, Process]]:
    """Give a server on a loopback port and a bot that has greeted it."""
    server = Awaited()
    listening = await asyncio.get_running_loop().create_server(
        lambda: TcpLink(server), "127.0.0.1", 0
    )
    async with listening, bot_at(listening.sockets[0].getsockname()[1]) as bot:
        await server.hears(Hello)
        yield server, bot
        if server.link is not None:
            server.link.abort()
        await server.is_left()


async def ended(bot: Process) -> tuple[int | None, list[str], str]:
    """Wait for the end; give exit code, lines of output, and what it complained about."""
    async with asyncio.timeout(BOUND):
        out, wrong = await bot.communicate()
    return bot.returncode, out.decode().splitlines(), wrong.decode()


def line(number: int) -> TableLine:
    return TableLine(
        table=number, name="t", rules={}, people=1, bots=0, seats=6, watchers=0, playing=False
    )


def welcome() -> Welcome:
    return Welcome(version=1, server="s", name="n", person=BOT, you="Bia", now=0)


@pytest.mark.parametrize("word", [signal.SIGINT, signal.SIGTERM])
async def test_it_plays_until_a_signal_and_leaves(word: signal.Signals) -> None:
    async with visited() as (server, bot):
        server.say(welcome(), Tables(tables=(line(3),)))
        assert (await server.hears(Join)).table == 3
        server.say(View(view=bidding()))
        await server.hears(PlaceBid)
        server.tell(SeatLeft(0), WentOut(0, 2), Won(1, (Tally(0, 0, 0, 0, 0),) * 2))
        server.say(Away(reason="closed"), Tables(tables=(line(4),)))
        assert (await server.hears(Join, 2)).table == 4
        server.say(View(view=bidding(table=4, game=5)))
        await server.hears(PlaceBid, 2)
        bot.send_signal(word)
        await server.hears(Leave)
        code, out, wrong = await ended(bot)
    assert (code, wrong) == (128 + word, "")
    assert out == ["joined table 3", "game over, place 1", "left table 3", "joined table 4"]


async def test_a_signal_ends_it_while_it_waits_for_a_table() -> None:
    async with visited() as (server, bot):
        server.say(welcome(), Tables(tables=(line(3),)))
        join = await server.hears(Join)
        server.say(Refused(re=join.id, reason="table_full"))
        bot.send_signal(signal.SIGTERM)
        told = ["waiting for a table with a free seat"]
        assert await ended(bot) == (128 + signal.SIGTERM, told, "")


@pytest.mark.parametrize("rules", [{}, {"turn_seconds": 0}], ids=["at once", "in thought"])
async def test_a_server_that_makes_no_sense_is_left_with_one_sentence(
    rules: dict[str, bool | int | str],
) -> None:
    """A table without its options. Nobody is to read how the program is made."""
    ladder = (Placed(0, Bid(2, 3)),)
    async with visited() as (server, bot):
        server.say(welcome(), View(view=bidding(rules=rules, ladder=ladder, turn=turn(1, True))))
        code, _, wrong = await ended(bot)
    assert code == 76
    assert wrong == "perudo-client: the bot makes no sense of what the server says (KeyError)\n"


async def test_a_taken_name_gets_a_number_on_the_same_line() -> None:
    async with visited() as (server, bot):
        server.say(Error(error="name_taken", detail="taken"))
        assert (await server.hears(Hello, 2)).name == "Bia 2"
        server.say(Bye(reason="shutdown"))
        assert server.link is not None
        server.link.close()
        assert await ended(bot) == (0, ["the server has stopped"], "")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            Error(error="version", detail="", versions=(7, 8)),
            "other versions of the protocol: 7, 8",
        ),
        (Error(error="bad_name", detail=""), "does not take the name 'Bia'"),
        (Error(error="too_many", detail=""), "as many connections as it may"),
        (Error(error="\x1b]0;own\x07ed", detail=""), "ended the connection: ]0;owned"),
    ],
)
async def test_a_server_that_will_not_have_it(error: Error, words: str) -> None:
    async with visited() as (server, bot):
        server.say(error)
        assert server.link is not None
        server.link.close()
        code, out, wrong = await ended(bot)
    assert (code, out) == (76, [])
    assert words in wrong
    assert wrong.count("\n") == 1
    assert "\x1b" not in wrong


async def test_a_lost_server_is_told_in_one_sentence() -> None:
    async with visited() as (server, bot):
        assert server.link is not None
        server.link.abort()
        code, _, wrong = await ended(bot)
    assert code == 69
    assert "was lost" in wrong
    assert wrong.count("\n") == 1


async def test_no_server_is_told_in_one_sentence() -> None:
    with socket.socket() as reserved:  # bound, but nobody listens
        reserved.bind(("127.0.0.1", 0))
        async with bot_at(reserved.getsockname()[1]) as bot:
            code, out, wrong = await ended(bot)
    assert (code, out) == (69, [])
    assert wrong.startswith("perudo-client: cannot reach a server at 127.0.0.1, port ")
    assert wrong.count("\n") == 1
