"""Coming back over a real connection: the proof, a server that is not there, one that is silent."""

from __future__ import annotations

import hashlib

from perudo_bot.identity import FIRST_IDS, Identity, first_id
from perudo_client.address import Address
from perudo_client.endings import Closed
from perudo_client.model import Model
from perudo_protocol import messages as m
from perudo_protocol.returning import SIZE, proves
from tests.support.one_client_server import Client, Server, serving

WELCOME = m.Welcome(version=1, server="s 1", name="Home", person=7, you="Ana", now=1)
NONCE = b"n" * SIZE


async def connect(client: Client, server: Server, who: Identity) -> m.ClientMessage | None:
    address = Address("127.0.0.1", server.port)
    await client.connection.connect(address, "Ana", who=who, seconds=5)
    return await server.next()


async def test_the_greeting_tells_the_hash_of_the_key_and_never_the_key() -> None:
    async with serving() as server:
        who, client = Identity(), Client()
        hello = await connect(client, server, who)
        assert isinstance(hello, m.Hello)
        assert hello.key == hashlib.sha256(who.key).digest()
        server.say(WELCOME, m.Ping(now=1))
        assert isinstance(await server.next(), m.Pong)
        assert who.person == 7
        client.connection.close()
        await client.end()


async def test_one_who_is_known_proves_it() -> None:
    async with serving() as server:
        who, client = Identity(person=7), Client()
        resume = await connect(client, server, who)
        assert isinstance(resume, m.Resume)
        assert resume.person == 7
        server.say(m.Nonce(nonce=NONCE))
        prove = await server.next()
        assert isinstance(prove, m.Prove)
        assert proves(prove.proof, who.hash, 7, resume.nonce, NONCE)
        assert who.key not in (prove.proof, resume.nonce)
        client.connection.close()
        await client.end()


async def test_only_one_proof_is_made_and_only_when_it_was_asked_for() -> None:
    async with serving() as server:
        who, client = Identity(person=7), Client()
        await connect(client, server, who)
        server.say(m.Nonce(nonce=NONCE), m.Nonce(nonce=b"m" * SIZE), m.Ping(now=1))
        assert isinstance(await server.next(), m.Prove)
        assert isinstance(await server.next(), m.Pong)
        client.connection.close()
        await client.end()
    async with serving() as server:
        client = Client()
        assert isinstance(await connect(client, server, Identity()), m.Hello)
        server.say(m.Nonce(nonce=NONCE), m.Ping(now=1))
        assert isinstance(await server.next(), m.Pong)
        client.connection.close()
        await client.end()


async def test_after_a_bad_proof_it_greets_as_somebody_new_on_the_same_line() -> None:
    async with serving() as server:
        who, client = Identity(person=7), Client()
        await connect(client, server, who)
        old = who.hash
        server.say(m.Error(error="bad_proof", detail=""), m.Ping(now=1))
        assert isinstance(await server.next(), m.Pong)
        who.renew()
        client.connection.greet("Ana")
        hello = await server.next()
        assert isinstance(hello, m.Hello)
        assert hello.key == who.hash != old
        server.say(WELCOME)
        server.hang_up()
        assert await client.end() is Closed.GONE


def test_every_time_has_its_own_nonce() -> None:
    who = Identity(person=7)
    assert len({who.resume("c").nonce for _ in range(20)}) == 20


def test_keys_are_told_to_no_log() -> None:
    who = Identity(person=7)
    assert who.key.hex() not in repr(who)
    assert repr(who.key) not in repr(who)


def test_two_lives_of_a_program_number_their_requests_differently() -> None:
    firsts = {first_id() for _ in range(20)}
    assert len(firsts) == 20
    assert max(firsts) < FIRST_IDS
    assert Model(first_id=5).start().id == 6
