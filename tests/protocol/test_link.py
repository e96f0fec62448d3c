"""Connections, over TCP and in memory, keep the same promises."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import cast

import pytest

from perudo_protocol.link import HIGH_WATER, Link, TcpLink, memory_links
from perudo_protocol.tls import ServerLink, connect
from tests.support.private_house import new_identity

Pair = Callable[["Ear", "Ear"], AbstractAsyncContextManager[tuple[Link, Link]]]


class Ear:
    """A receiver that writes down what it is told, and lets a test wait for it."""

    def __init__(self) -> None:
        self.link: Link | None = None
        self.told: list[str] = []
        self.heard = bytearray()
        self._news = asyncio.Event()

    def opened(self, link: Link) -> None:
        self.link = link
        self._tell("opened")

    def received(self, data: bytes) -> None:
        self.heard += data
        self._tell("received")

    def drained(self) -> None:
        self._tell("drained")

    def lost(self) -> None:
        self._tell("lost")

    def _tell(self, what: str) -> None:
        self.told.append(what)
        self._news.set()

    async def until(self, true: Callable[[], bool]) -> None:
        """Wait until something is true, ten seconds at most."""
        async with asyncio.timeout(10):
            while not true():
                self._news.clear()
                await self._news.wait()

    async def until_lost(self) -> None:
        """Wait for the end, and some turns of the loop to see that nothing follows."""
        await self.until(lambda: "lost" in self.told)
        for _ in range(5):
            await asyncio.sleep(0)


@asynccontextmanager
async def in_memory(one: Ear, two: Ear) -> AsyncIterator[tuple[Link, Link]]:
    """Join two ears within the process."""
    yield memory_links(one, two)


@asynccontextmanager
async def over_tcp(one: Ear, two: Ear) -> AsyncIterator[tuple[Link, Link]]:
    """Join two ears over a loopback port."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: TcpLink(two), "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    _, first = await loop.create_connection(lambda: TcpLink(one), host, port)
    await two.until(lambda: two.link is not None)
    assert two.link is not None
    try:
        yield first, two.link
    finally:
        first.abort()
        await two.until_lost()
        server.close()
        await server.wait_closed()


@asynccontextmanager
async def over_tls(one: Ear, two: Ear) -> AsyncIterator[tuple[Link, Link]]:
    """Join a client's ear to a server's, so that nobody between them understands a word."""
    loop = asyncio.get_running_loop()
    shown = new_identity()
    server = await loop.create_server(lambda: ServerLink(two, *shown, 5.0), "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    await connect(one, shown.certificate, host=host, port=port)
    assert one.link is not None
    assert two.link is not None
    one.link.write(b"!")  # the server may write when the handshake is done on its side too
    await two.until(lambda: bool(two.heard))
    two.heard.clear()
    two.told.remove("received")
    try:
        yield one.link, two.link
    finally:
        one.link.abort()
        await two.until_lost()
        server.close()
        await server.wait_closed()


both = pytest.mark.parametrize("joined", [in_memory, over_tcp, over_tls])
on_the_net = pytest.mark.parametrize("joined", [over_tcp, over_tls])


@both
async def test_bytes_come_in_order_and_both_ways(joined: Pair) -> None:
    one, two = Ear(), Ear()
    async with joined(one, two) as (first, second):
        for number in range(100):
            first.write(b"%d," % number)
            second.write(b"%d;" % number)
        await two.until(lambda: two.heard.endswith(b"99,"))
        await one.until(lambda: one.heard.endswith(b"99;"))
        assert two.heard == b"".join(b"%d," % n for n in range(100))
        assert one.heard == b"".join(b"%d;" % n for n in range(100))
        assert one.told[0] == two.told[0] == "opened"


@both
async def test_a_write_does_not_call_the_other_side_at_once(joined: Pair) -> None:
    one, two = Ear(), Ear()
    async with joined(one, two) as (first, _):
        first.write(b"x")
        assert not two.heard
        await two.until(lambda: bool(two.heard))


@both
async def test_a_close_sends_what_is_unsent_and_tells_both_once(joined: Pair) -> None:
    one, two = Ear(), Ear()
    async with joined(one, two) as (first, _):
        first.write(b"x" * 3_000_000)
        first.close()
        first.close()
        first.write(b"too late")
        await two.until_lost()
        await one.until_lost()
    assert len(two.heard) == 3_000_000
    assert one.told.count("lost") == two.told.count("lost") == 1
    assert one.told[-1] == two.told[-1] == "lost"


@both
async def test_an_abort_tells_both_once(joined: Pair) -> None:
    one, two = Ear(), Ear()
    async with joined(one, two) as (first, second):
        second.write(b"never mind")
        first.abort()
        first.abort()
        await one.until_lost()
        await two.until_lost()
    assert one.told == ["opened", "lost"]
    assert two.told.count("lost") == 1
    assert two.told[-1] == "lost"


@both
async def test_nothing_is_heard_after_ones_own_close(joined: Pair) -> None:
    one, two = Ear(), Ear()
    async with joined(one, two) as (first, second):
        first.close()
        second.write(b"x")
        await one.until_lost()
        await two.until_lost()
    assert not one.heard


@both
async def test_both_may_close_at_once_and_afterwards_nothing_happens(joined: Pair) -> None:
    one, two = Ear(), Ear()
    async with joined(one, two) as (first, second):
        first.close()
        second.close()
        await one.until_lost()
        await two.until_lost()
        first.write(b"x")
        second.close()
        first.abort()
        assert first.unsent == second.unsent == 0
    assert one.told == two.told == ["opened", "lost"]


async def test_who_is_there() -> None:
    one, two = Ear(), Ear()
    async with in_memory(one, two) as (first, second):
        assert first.peer == second.peer == "memory"
        assert one.link is first
        assert two.link is second
    one, two = Ear(), Ear()
    async with over_tcp(one, two) as (first, second):
        assert first.peer == second.peer == "127.0.0.1"


@on_the_net
async def test_a_bid_is_not_held_back_and_a_dead_peer_is_asked_after(joined: Pair) -> None:
    """Both sides send small frames at once, and let the system watch over the connection."""
    one, two = Ear(), Ear()
    async with joined(one, two) as ends:
        for end in ends:
            transport = cast(TcpLink, end)._transport
            assert transport is not None
            sock = transport.get_extra_info("socket")
            assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


@on_the_net
async def test_what_a_slow_reader_leaves_is_counted_and_its_end_is_told(joined: Pair) -> None:
    one, two = Ear(), Ear()
    async with joined(one, two) as (first, second):
        transport = cast(TcpLink, second)._transport
        assert transport is not None
        transport.pause_reading()
        first.write(b"x" * 8_000_000)
        assert first.unsent > 0
        assert "drained" not in one.told
        transport.resume_reading()
        await one.until(lambda: "drained" in one.told)
        await two.until(lambda: len(two.heard) == 8_000_000)
        assert first.unsent == 0


@on_the_net
async def test_as_much_as_the_high_water_mark_is_told_to_have_left(joined: Pair) -> None:
    """Whoever stops writing there waits for it, and would wait for ever."""
    one, two = Ear(), Ear()
    async with joined(one, two) as (first, second):
        transport = cast(TcpLink, second)._transport
        assert transport is not None
        transport.pause_reading()
        while first.unsent <= HIGH_WATER:
            assert not first.full
            first.write(b"x" * 1000)
        assert first.full
        assert "drained" not in one.told
        transport.resume_reading()
        await one.until(lambda: "drained" in one.told)
        assert not first.full


async def test_a_loop_of_ones_own_may_carry_the_memory() -> None:
    turns: list[tuple[Callable[..., object], ...]] = []
    one, two = Ear(), Ear()
    first, _ = memory_links(one, two, lambda *call: turns.append(call))
    first.write(b"a")
    first.write(b"b")
    assert not two.heard
    while turns:
        call, *args = turns.pop(0)
        call(*args)
    assert two.heard == b"ab"


def test_what_comes_in_one_thread_is_never_that_of_another() -> None:
    """Connections share a buffer, but only within a thread: loops of others read meanwhile."""
    heard: dict[bytes, list[bytes]] = {b"one": [], b"two": []}
    filled = threading.Barrier(2, timeout=10)

    class Hears:
        def __init__(self, name: bytes) -> None:
            self.name = name

        def opened(self, link: Link) -> None: ...
        def drained(self) -> None: ...
        def lost(self) -> None: ...
        def received(self, data: bytes) -> None:
            heard[self.name].append(data)

    def read(name: bytes) -> None:
        link = TcpLink(Hears(name))
        link.get_buffer(-1)[:3] = name
        filled.wait()
        link.buffer_updated(3)

    threads = [threading.Thread(target=read, args=(name,)) for name in heard]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert heard == {b"one": [b"one"], b"two": [b"two"]}
