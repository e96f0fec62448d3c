"""Encrypted connections: who is let in, what is refused, and what stands on the wire."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from perudo_protocol.link import Link
from perudo_protocol.tls import (
    ClientLink,
    NotPrivate,
    ServerLink,
    Trouble,
    certificate_of,
    client_context,
    connect,
)
from tests.support.private_house import BOUND, end_of, files, new_identity

SHORT = 0.05
OTHER = bytes(32)


class Ear:
    """A receiver that keeps what it hears, and answers with the same in capitals."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.heard = b""
        self.link: Link | None = None
        self.over = asyncio.Event()
        self.enough = asyncio.Event()

    def opened(self, link: Link) -> None:
        self.link = link
        self.told.append("opened")

    def received(self, data: bytes) -> None:
        self.heard += data
        self.told.append("received")
        if self.heard.endswith(b"."):
            self.enough.set()

    def drained(self) -> None:
        self.told.append("drained")

    def lost(self) -> None:
        self.told.append("lost")
        self.over.set()


class Listening:
    """A server that speaks TLS, and the ends that it has."""

    def __init__(self) -> None:
        self.port = 0
        self.ears: list[Ear] = []
        self.links: list[ServerLink] = []
        self.more = asyncio.Event()

    async def ear(self) -> Ear:
        """Wait for the first visitor."""
        await asyncio.wait_for(self.more.wait(), BOUND)
        return self.ears[0]

    async def trouble(self) -> Trouble | None:
        """Wait for the first visitor's end, and say what was wrong."""
        await asyncio.wait_for((await self.ear()).over.wait(), BOUND)
        return self.links[0].trouble


@asynccontextmanager
async def listening(
    seconds: float = BOUND, ear: Callable[[], Ear] = Ear
) -> AsyncIterator[Listening]:
    house = Listening()

    def visited() -> ServerLink:
        house.ears.append(ear())
        house.links.append(ServerLink(house.ears[-1], *new_identity(), seconds))
        house.more.set()
        return house.links[-1]

    loop = asyncio.get_running_loop()
    failures: list[object] = []
    loop.set_exception_handler(lambda _, context: failures.append(context))
    server = await loop.create_server(visited, "127.0.0.1", 0)
    house.port = server.sockets[0].getsockname()[1]
    try:
        yield house
    finally:
        server.close()
        for link in house.links:
            link.abort()
        for each in house.ears:
            await asyncio.wait_for(each.over.wait(), BOUND)
        assert failures == []


async def test_both_ends_know_the_certificate_and_hear_each_other() -> None:
    one = Ear()
    async with listening() as house:
        expected = new_identity().certificate
        await connect(one, expected, host="127.0.0.1", port=house.port)
        assert one.link is not None
        one.link.write(b"Five fours.")
        two = await house.ear()
        await asyncio.wait_for(two.enough.wait(), BOUND)
        assert two.link is not None
        assert one.link.certificate == two.link.certificate == expected
        assert len(expected) == 32
        assert two.heard == b"Five fours."
        two.link.close()
        await asyncio.wait_for(one.over.wait(), BOUND)
        assert house.links[0].trouble is None
    assert one.told == ["opened", "lost"]


async def test_a_server_with_another_certificate_hears_nothing() -> None:
    one = Ear()
    async with listening() as house:
        with pytest.raises(NotPrivate) as refused:
            await connect(one, OTHER, host="127.0.0.1", port=house.port)
        assert refused.value.trouble is Trouble.CERTIFICATE
        assert refused.value.found == new_identity().certificate
        await house.trouble()
        assert house.ears[0].heard == b""
    assert one.told == []


async def test_a_certificate_can_be_looked_at() -> None:
    async with listening() as house:
        found = await certificate_of(host="127.0.0.1", port=house.port)
        assert found == new_identity().certificate
        await house.trouble()
        assert house.ears[0].heard == b""


async def test_no_certificate_at_all_is_never_the_expected_one() -> None:
    """A client that expects nothing must not take whatever comes."""
    one = Ear()
    async with listening() as house:
        with pytest.raises(NotPrivate):
            await connect(one, b"", host="127.0.0.1", port=house.port)
    assert one.told == []


@pytest.mark.parametrize("version", ["TLSv1_2", "TLSv1_1", "TLSv1"])
@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
async def test_an_older_tls_is_refused(version: str) -> None:
    context = client_context()
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.minimum_version = context.maximum_version = ssl.TLSVersion[version]
    context.set_ciphers("ALL:@SECLEVEL=0")
    async with listening() as house:
        with pytest.raises(OSError, match=r"(?i)protocol|version|tls|ssl|reset|eof"):
            await asyncio.open_connection("127.0.0.1", house.port, ssl=context, server_hostname="")
        assert await house.trouble() is Trouble.BROKEN


async def test_an_old_server_is_refused(tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(*files(tmp_path))
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0, ssl=context)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(NotPrivate) as refused:
            await connect(Ear(), OTHER, host="127.0.0.1", port=port)
    assert refused.value.trouble in (Trouble.BROKEN, Trouble.LOST)  # with an alert, or without


@pytest.mark.parametrize(
    "first",
    [
        b"\0\0\0\x20\x82\xa1t\xa5hello",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\0",
        b"\xff" * 5000,
        b"\x15\x03\x03\x00\x02\x02\x46",
    ],
)
async def test_who_does_not_speak_tls_is_told_so_and_let_go(first: bytes) -> None:
    async with listening() as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(first)
        assert await end_of(reader) == b"\x15\x03\x03\x00\x02\x02\x46"  # protocol_version, fatal
        assert await house.trouble() is Trouble.PLAIN
        assert house.ears[0].told == ["opened", "lost"]
        writer.close()


@pytest.mark.parametrize("rest", [b"\x03\x01\x00\x05hello", b"\x03\x03\xff\xff", b"\x03" * 600])
async def test_what_only_begins_like_tls_is_refused(rest: bytes) -> None:
    async with listening(seconds=SHORT) as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(b"\x16" + rest)
        await end_of(reader)
        assert await house.trouble() in (Trouble.BROKEN, Trouble.SLOW)
        assert house.ears[0].heard == b""
        writer.close()


async def test_a_server_without_tls_is_known_as_such() -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"This is no TLS.")
        writer.close()

    one = Ear()
    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(NotPrivate) as refused:
            await connect(one, OTHER, host="127.0.0.1", port=port)
    assert refused.value.trouble is Trouble.PLAIN
    assert one.told == []


async def test_a_server_that_never_answers_is_given_up() -> None:
    gone = asyncio.Event()

    async def nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await end_of(reader)
        writer.close()
        gone.set()

    async with await asyncio.start_server(nothing, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(NotPrivate) as refused:
            await connect(Ear(), OTHER, SHORT, host="127.0.0.1", port=port)
        assert refused.value.trouble is Trouble.SLOW
        await asyncio.wait_for(gone.wait(), BOUND)


async def test_a_server_that_hangs_up_in_the_handshake() -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(NotPrivate) as refused:
            await connect(Ear(), OTHER, host="127.0.0.1", port=port)
    assert refused.value.trouble is Trouble.LOST


async def test_a_connection_that_nobody_waits_for_any_more_is_closed() -> None:
    hello = asyncio.Event()
    gone = asyncio.Event()

    async def nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        hello.set()
        await end_of(reader)
        writer.close()
        gone.set()

    async with await asyncio.start_server(nothing, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        going = asyncio.create_task(connect(Ear(), OTHER, host="127.0.0.1", port=port))
        await asyncio.wait_for(hello.wait(), BOUND)
        going.cancel()
        await asyncio.wait_for(gone.wait(), BOUND)
        with pytest.raises(asyncio.CancelledError):
            await going


async def test_a_handshake_that_does_not_end_is_cut() -> None:
    async with listening(seconds=SHORT) as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        writer.write(b"\x16\x03\x01\x02\x00")  # a greeting of 512 bytes, of which none comes
        assert await end_of(reader) == b""
        assert await house.trouble() is Trouble.SLOW
        writer.close()


class Refusing(Ear):
    """A receiver that does not take the connection, and says why."""

    def opened(self, link: Link) -> None:
        super().opened(link)
        link.write(b"too many")
        link.close()


async def test_a_refused_connection_costs_no_handshake_and_nothing_goes_out_in_the_clear() -> None:
    async with listening(ear=Refusing) as house:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        assert await end_of(reader) == b""
        assert await house.trouble() is None
        writer.close()


class Relay:
    """Somebody on the way, who sees every byte, and may change one."""

    def __init__(self, port: int) -> None:
        self.seen = b""
        self.spoil = False
        self._port = port

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        beyond, to_server = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.gather(self._pass(reader, to_server), self._pass(beyond, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                self.seen += data
                writer.write(data[:-1] + bytes([data[-1] ^ self.spoil]))
        except ConnectionError:
            pass
        writer.close()


async def test_nothing_can_be_read_on_the_way_nor_changed() -> None:
    one = Ear()
    async with listening() as house:
        relay = Relay(house.port)
        async with await asyncio.start_server(relay.take, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            await connect(one, new_identity().certificate, host="127.0.0.1", port=port)
            assert one.link is not None
            two = await house.ear()
            one.link.write(b"Ana: five fours.")
            await asyncio.wait_for(two.enough.wait(), BOUND)
            assert b"fours" not in relay.seen
            relay.spoil = True
            one.link.write(b"Ana: six fours.")
            await asyncio.wait_for(two.over.wait(), BOUND)
            await asyncio.wait_for(one.over.wait(), BOUND)
        assert two.heard == b"Ana: five fours."
        assert house.links[0].trouble is Trouble.BROKEN


async def test_who_wraps_each_byte_by_itself_is_cut_after_a_while() -> None:
    """Taking records apart costs more than making them; limits of frames would not see it."""
    async with listening() as house:
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", house.port, ssl=client_context(), server_hostname=""
        )
        for _ in range(2500):  # 23 bytes each, still within what is given to all
            writer.write(b"x")
        writer.write(b"y" * 20_000 + b".")
        await writer.drain()
        two = await house.ear()
        await asyncio.wait_for(two.enough.wait(), BOUND)
        assert len(two.heard) == 22_501
        for _ in range(10_000):
            writer.write(b"x")
        await end_of(reader)
        assert await house.trouble() is Trouble.BROKEN
        assert len(two.heard) < 32_501
        writer.close()


class BusyEar(Ear):
    """Takes what came, and no more until it has time again."""

    def received(self, data: bytes) -> None:
        super().received(data)
        assert self.link is not None
        self.link.listen(False)


async def test_an_end_waits_until_what_came_with_it_is_heard() -> None:
    """As on a plain line, whose end is not read before all that came before it."""
    async with listening(ear=BusyEar) as house:
        _, writer = await asyncio.open_connection(
            "127.0.0.1", house.port, ssl=client_context(), server_hostname=""
        )
        writer.write(b"Five fours.")
        writer.close()
        two = await house.ear()
        await asyncio.wait_for(two.enough.wait(), BOUND)
        await asyncio.sleep(SHORT)
        assert two.told == ["opened", "received"]
        assert two.link is not None
        two.link.listen(True)
        await asyncio.wait_for(two.over.wait(), BOUND)
        assert house.links[0].trouble is None


async def test_a_client_link_says_how_it_went_but_once() -> None:
    """An abort from our side, before anything came."""
    link = ClientLink(Ear(), OTHER, BOUND)

    async def nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await end_of(reader)
        writer.close()

    async with await asyncio.start_server(nothing, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        await asyncio.get_running_loop().create_connection(lambda: link, "127.0.0.1", port)
        link.abort()
        with pytest.raises(NotPrivate) as refused:
            await asyncio.wait_for(link.ready, BOUND)
    assert refused.value.trouble is Trouble.LOST
