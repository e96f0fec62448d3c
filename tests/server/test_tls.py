"""A server behind TLS: its limits hold before a handshake has cost anything."""

from __future__ import annotations

import asyncio
import ssl

import pytest

from perudo_protocol.codec import decode_server, encode
from perudo_protocol.framing import TO_CLIENT, FrameReader
from perudo_protocol.messages import Hello, ServerMessage, Welcome
from perudo_protocol.tls import NotPrivate, Trouble, certificate_of, client_context
from tests.support.private_house import BOUND, PrivateHouse, Streams, end_of, private_house

ALERT = b"\x15\x03\x03\x00\x02\x02\x46"
GREETING = encode(Hello(versions=(1,), client="test", name="Ana"))
GREETING_BEGUN = b"\x16\x03\x01\x02\x00"
"""A TLS greeting of 512 bytes, of which none comes."""


async def welcome(streams: Streams, name: str = "Ana") -> ServerMessage:
    """Greet, and give the answer."""
    reader, writer = streams
    writer.write(encode(Hello(versions=(1,), client="test", name=name)))
    frames = FrameReader(TO_CLIENT)
    async with asyncio.timeout(BOUND):
        while (payload := frames.next()) is None:
            data = await reader.read(4096)
            assert data, "it was closed"
            frames.feed(data)
    return decode_server(payload)


async def stuck(house: PrivateHouse) -> Streams:
    """Begin a handshake, and never go on with it."""
    streams = await house.visit()
    streams[1].write(GREETING_BEGUN)
    return streams


async def test_a_player_is_let_in() -> None:
    async with private_house() as house:
        streams = await house.enter()
        assert isinstance(await welcome(streams), Welcome)
        assert house.connections == 1
        (session,) = house.lobby._sessions
        assert session.certificate == house.shown.certificate
        assert session.peer == "127.0.0.1"
        streams[1].close()
        await house.says("gone")
        assert house.connections == 0


@pytest.mark.parametrize("first", [GREETING, b"GET / HTTP/1.1\r\n\r\n", b"\n"])
async def test_who_speaks_something_else_is_told_so_at_once(first: bytes) -> None:
    async with private_house() as house:
        reader, writer = await house.visit()
        writer.write(first)
        assert await end_of(reader) == ALERT
        await house.says("no_tls plain")
        assert house.connections == 0


async def test_an_older_tls_is_told_so() -> None:
    context = client_context()
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_2
    async with private_house() as house:
        with pytest.raises(ssl.SSLError, match=r"(?i)protocol.version"):
            await house.enter(context)
        await house.says("no_tls broken")
        assert house.connections == 0


async def test_a_handshake_that_does_not_end_is_cut_in_time() -> None:
    async with private_house(handshake_seconds=0.05, greeting_seconds=60) as house:
        reader, _ = await stuck(house)
        assert await end_of(reader) == b""
        await house.says("no_tls slow")
        assert house.connections == 0


async def test_silence_before_the_handshake_is_cut_too() -> None:
    async with private_house(handshake_seconds=0.05, greeting_seconds=60) as house:
        reader, _ = await house.visit()
        assert await end_of(reader) == b""
        await house.says("no_tls slow")


async def test_a_hundred_that_never_finish_keep_nobody_out_for_long() -> None:
    async with private_house(handshake_seconds=1, greeting_seconds=60, ungreeted=64) as house:
        visitors = [await stuck(house) for _ in range(100)]
        await house.says("connection_failed", 36)  # they count as not greeted, and the rest go
        assert house.connections == 64
        ends = await asyncio.gather(*(end_of(reader) for reader, _ in visitors))
        assert set(ends) == {b""}  # nothing was said in the clear
        await house.says("no_tls slow", 64)
        assert house.connections == 0
        assert isinstance(await welcome(await house.enter()), Welcome)


async def test_no_handshake_is_made_with_those_who_are_too_many() -> None:
    async with private_house(ungreeted=1) as house:
        await stuck(house)
        with pytest.raises(NotPrivate) as refused:
            await certificate_of(host="127.0.0.1", port=house.port)
        assert refused.value.trouble is Trouble.LOST


async def test_no_handshake_is_made_when_the_house_is_full() -> None:
    async with private_house(connections=1) as house:
        first = await house.enter()
        assert isinstance(await welcome(first), Welcome)
        reader, _ = await stuck(house)
        assert await end_of(reader) == b""
        await house.says("connection_failed")
        assert house.connections == 1


async def test_who_finishes_the_handshake_and_says_nothing_is_let_go() -> None:
    async with private_house(greeting_seconds=0.1) as house:
        reader, _ = await house.enter()
        answer = await end_of(reader)
        assert b"slow_greeting" in answer
        await house.says("connection_failed")
        assert house.connections == 0


async def test_everybody_is_told_of_the_end_in_secret() -> None:
    async with private_house() as house:
        streams = await house.enter()
        assert isinstance(await welcome(streams), Welcome)
        house.lobby.close("shutdown")
        assert b"shutdown" in await end_of(streams[0])


async def test_the_log_quotes_nothing_of_what_went_wrong() -> None:
    """Lines of the log are words of ours and numbers, whatever a stranger sends."""
    async with private_house() as house:
        for first in (b"\x16\x03\x01\x00\x05xSECRETx", b"SECRET", b"\x16SECRET" * 50):
            reader, writer = await house.visit()
            writer.write(first)
            writer.write_eof()
            await end_of(reader)
        await house.says("no_tls", 3)
        assert "SECRET" not in " ".join(house.lines)
        assert all(line.split()[0] in ("no_tls", "gone") for line in house.lines), house.lines
