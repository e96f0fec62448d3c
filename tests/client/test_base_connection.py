"""The client's end of the wire, against a server that says whatever the test wants."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perudo_client import connection as connection_module
from perudo_client.address import Address
from perudo_client.connection import Connection
from perudo_client.endings import CannotConnect, Closed
from perudo_protocol import messages as m
from perudo_protocol.errors import BadMessage
from perudo_protocol.framing import TO_CLIENT, frame
from perudo_protocol.version import VERSIONS
from tests.support.one_client_server import Client, Server, serving

WELCOME = m.Welcome(version=1, server="s 1", name="Home", person=1, you="Ana", now=1)


@asynccontextmanager
async def joined(
    on_message: Callable[[m.ServerMessage], None] | None = None,
) -> AsyncIterator[tuple[Server, Client]]:
    """A client that has connected and greeted."""
    async with serving() as server:
        client = Client(on_message)
        await client.connection.connect(Address("127.0.0.1", server.port), "Ana")
        assert isinstance(await server.next(), m.Hello)
        try:
            yield server, client
        finally:
            client.connection.abort()
            await client.end()


async def test_it_greets_with_every_version_and_its_own_name() -> None:
    async with serving() as server:
        client = Client()
        await client.connection.connect(Address("localhost", server.port), "Ana", bot=True)
        hello = await server.next()
        assert isinstance(hello, m.Hello)
        assert (hello.versions, hello.name, hello.bot) == (VERSIONS, "Ana", True)
        assert hello.client.startswith("perudo-client ")
        client.connection.close()
        assert await client.end() is Closed.BY_US
        assert await server.next() is None


async def test_a_name_too_long_for_any_server_is_still_sent_as_a_message() -> None:
    async with serving() as server:
        client = Client()
        await client.connection.connect(Address("127.0.0.1", server.port), "n" * 5000)
        assert isinstance(await server.next(), m.Hello)
        client.connection.close()
        await client.end()


async def test_pings_are_answered_with_their_own_number() -> None:
    async with joined() as (server, client):
        server.say(WELCOME, m.Ping(now=41), m.Ping(now=42))
        assert [await server.next(), await server.next()] == [m.Pong(now=41), m.Pong(now=42)]
        assert client.told == [WELCOME, m.Ping(now=41), m.Ping(now=42)]


async def test_requests_arrive_in_their_order() -> None:
    async with joined() as (server, client):
        for number in range(50):
            client.connection.send(m.Start(id=number))
        heard = [await server.next() for _ in range(50)]
        assert heard == [m.Start(id=number) for number in range(50)]


async def test_after_a_name_that_is_taken_it_may_greet_again() -> None:
    async with joined() as (server, client):
        server.say(m.Error(error="name_taken", detail="no"))
        client.connection.greet("Ana 2")
        hello = await server.next()
        assert isinstance(hello, m.Hello)
        assert hello.name == "Ana 2"


async def test_a_server_that_goes_without_a_word_is_gone() -> None:
    async with joined() as (server, client):
        server.say(WELCOME)
        server.hang_up()
        assert await client.end() is Closed.GONE
        assert not client.connection.is_open
        client.connection.send(m.Start(id=1))  # nothing happens


@pytest.mark.parametrize(
    "last", [m.Bye(reason="shutdown"), m.Error(error="too_many", detail="full")]
)
async def test_a_server_that_says_why_has_told(last: m.FromServer) -> None:
    async with joined() as (server, client):
        server.say(last)
        server.hang_up()
        assert await client.end() is Closed.TOLD
        assert client.told == [last]


@pytest.mark.parametrize(
    "nonsense",
    [
        (TO_CLIENT + 1).to_bytes(4, "big"),
        b"\xff\xff\xff\xff",
        b"\0\0\0\0",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        frame(b"\x93\x01\x02\x03"),
        frame(b"\xc1"),
        3 * frame(b"\x81\xa4type\xa7unknown"),
    ],
    ids=["too long", "4 GiB", "no bytes", "http", "no map", "no msgpack", "three unknown"],
)
async def test_what_is_no_message_of_ours_ends_the_connection(nonsense: bytes) -> None:
    async with joined() as (server, client):
        server.write(nonsense)
        assert await client.end() is Closed.NONSENSE
        assert client.told == []


async def test_two_messages_without_sense_are_borne() -> None:
    async with joined() as (server, client):
        server.write(2 * frame(b"\x81\xa4type\xa7unknown"))
        server.say(WELCOME, m.Ping(now=1))
        assert await server.next() == m.Pong(now=1)
        assert client.told[0] == WELCOME


async def test_messages_that_the_model_cannot_take_count_too() -> None:
    def refuse(_message: m.ServerMessage) -> None:
        raise BadMessage("a seat that does not exist")

    async with joined(refuse) as (server, client):
        server.say(WELCOME, WELCOME, WELCOME)
        assert await client.end() is Closed.NONSENSE


async def test_nothing_is_heard_after_we_have_closed() -> None:
    def once(message: m.ServerMessage) -> None:
        heard.append(message)
        client.connection.close()

    heard: list[m.ServerMessage] = []
    async with joined(once) as (server, client):
        server.say(*[WELCOME] * 20)
        assert await client.end() is Closed.BY_US
    assert heard == [WELCOME]


async def test_a_silent_server_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """P6: a dead peer is noticed; a server of ours asks for life every five seconds."""
    monkeypatch.setattr(connection_module, "DEAD_SECONDS", 0.05)
    async with joined() as (_server, client):
        assert await client.end() is Closed.GONE


async def test_a_server_that_reads_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "UNREAD_LIMIT", 100_000)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        client = Client()
        await client.connection.connect(Address("127.0.0.1", deaf.getsockname()[1]), "Ana")
        message = m.Say(id=1, text="x" * 400)
        for _ in range(100_000):
            if not client.connection.is_open:
                break
            client.connection.send(message)
            await asyncio.sleep(0)
        assert await client.end() is Closed.GONE


async def test_closed_while_it_connects_it_does_not_greet() -> None:
    async with serving() as server:
        client = Client()
        connecting = asyncio.create_task(
            client.connection.connect(Address("127.0.0.1", server.port), "Ana")
        )
        await asyncio.sleep(0)
        client.connection.close()
        with pytest.raises(CannotConnect):
            await connecting
        assert await server.next() is None
        assert not client.connection.is_open


class _NoLink:
    """A link on which a test gives the bytes itself."""

    peer = "memory"
    certificate = b""
    unsent = 0
    full = False

    def __init__(self) -> None:
        self.open = True

    def listen(self, on: bool) -> None:
        pass

    def write(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        self.open = False

    def abort(self) -> None:
        self.open = False


@settings(max_examples=300, deadline=None)
@given(st.lists(st.binary(max_size=300) | st.binary(min_size=1, max_size=300).map(frame)))
def test_no_bytes_whatever_bring_another_end_than_the_documented_one(pieces: list[bytes]) -> None:
    """A malicious server; the codec's own tests send it more."""

    async def feed() -> None:
        told: list[Closed] = []
        connection, link = Connection(lambda _message: None, told.append), _NoLink()
        connection.opened(link)
        for piece in pieces:
            connection.received(piece)
        connection.lost()
        tls = b"".join(pieces)[:2] in (b"\x16\x03", b"\x15\x03")
        ended = Closed.ENCRYPTED if tls else Closed.NONSENSE
        assert told == [Closed.GONE if link.open else ended]

    asyncio.run(feed())


@pytest.fixture(autouse=True)
def _nothing_left_open() -> Iterator[None]:
    """A socket that is forgotten warns when it is collected, and a warning fails the test."""
    yield
    gc.collect()
