"""What hostile clients do, each in a few lines; `foes` carries it out."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import msgpack

from perudo_protocol.framing import HEADER
from tests.soak.foes import Attack, Field, Foe, pack

BATCH = 100
"""Frames that a flood sends in one go."""
WORDS = ("hello", "make", "join", "watch", "say", "bid", "dudo", "ready", "pong", "start", "kick")


def framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(HEADER, "big") + payload


async def _flood(field: Field, foe: Foe, data: bytes) -> None:
    await foe.greet(field.name())
    while True:
        await foe.send(data * BATCH)
        field.frames += BATCH


async def requests(field: Field, foe: Foe) -> None:
    """As many requests as go through."""
    await _flood(field, foe, pack(type="start", id=1))


async def pongs(field: Field, foe: Foe) -> None:
    """As many answers to nothing as go through."""
    await _flood(field, foe, pack(type="pong", now=1))


async def chat(field: Field, foe: Foe) -> None:
    """Talk without end, at a table of one's own."""
    await foe.greet(field.name())
    foe.write(pack(type="make", id=1, name=field.name()))
    while True:
        await foe.send(pack(type="say", id=2, text="x" * 200) * BATCH)
        field.frames += BATCH


async def below(field: Field, foe: Foe) -> None:
    """Just as much as does not count as a flood."""
    await foe.greet(field.name())
    while True:
        foe.write(pack(type="start", id=1) * 9)
        field.frames += 9
        await asyncio.sleep(0.1)


async def tables(field: Field, foe: Foe) -> None:
    """Make tables and leave them, as fast as acts are taken."""
    await foe.greet(field.name())
    while True:
        foe.write(pack(type="make", id=1, name=field.name()) + pack(type="leave", id=2))
        field.frames += 2
        await asyncio.sleep(0.1)


async def crowd(field: Field, foe: Foe) -> None:
    """As many guests as the house takes, who look at the list while tables come and go."""
    await (tables if foe.number % 25 == 0 else _idle)(field, foe)


async def _idle(field: Field, foe: Foe) -> None:
    await foe.greet(field.name())
    await foe.over.wait()


async def connections(field: Field, foe: Foe) -> None:
    """Connect, and be thrown out or wait."""
    await foe.over.wait()
    await asyncio.sleep(0.5)


async def silent(field: Field, foe: Foe) -> None:
    """Connect and never greet."""
    await foe.over.wait()


async def mute(field: Field, foe: Foe) -> None:
    """Greet, then answer nothing any more."""
    foe.answers_pings = False
    await foe.greet(field.name())
    await foe.over.wait()


async def dribble(field: Field, foe: Foe) -> None:
    """A byte a second, within one frame."""
    foe.answers_pings = False
    await foe.greet(field.name())
    for byte in pack(type="say", id=1, text="x" * 100):
        await foe.send(bytes([byte]))
        field.frames += 1
        await asyncio.sleep(1)


async def _once(field: Field, foe: Foe, data: bytes, greeted: bool = True) -> None:
    if greeted:
        await foe.greet(field.name())
    await foe.send(data)
    field.frames += 1
    await foe.over.wait()


async def huge(field: Field, foe: Foe) -> None:
    """Announce four gigabytes, and begin to send them."""
    await _once(field, foe, b"\xff" * 4 + b"x" * 100_000, foe.number % 2 == 0)


async def zero(field: Field, foe: Foe) -> None:
    """A frame of no bytes."""
    await _once(field, foe, bytes(4 * BATCH), foe.number % 2 == 0)


def _bombs() -> Iterator[bytes]:
    yield b"\xdc\x00\x40" * 2700  # arrays of 64 in arrays of 64
    yield b"\x91" * 8000
    yield b"\x81\xa1a" * 2700
    yield b"\xdd\xff\xff\xff\xff" * 1600
    yield b"\xdf\xff\xff\xff\xff" * 1600
    yield b"\xc6\xff\xff\xff\xff"
    yield b"\xde\x00\x40" + b"\xa1a\xde\x00\x40" * 1600
    yield b"\x81\xa4type" + b"\xdc\x00\x40" * 2600


BOMBS = [framed(bomb) for bomb in _bombs()]


async def bombs(field: Field, foe: Foe) -> None:
    """Little msgpack that unfolds to much."""
    await _once(field, foe, BOMBS[field.connections % len(BOMBS)])


def _nonsense(rng: random.Random) -> bytes:
    """Give a map that is no message, or hardly one: wrong types, fields and ranges."""
    values: list[object] = [
        None, True, -1, 2**63, 2**64 - 1, 1.5, float("nan"), "x", "", "\x1b[2J", b"", b"x" * 32,
        [], [[]], {}, {"a": 1}, [1] * 60, "y" * 500,
    ]  # fmt: skip
    keys = ["id", "name", "table", "game", "round", "number", "quantity", "face", "text", "zzz"]
    chosen = {key: rng.choice(values) for key in rng.sample(keys, rng.randint(0, 6))}
    word: object = rng.choice([*WORDS, *values])
    return framed(msgpack.packb({"type": word, **chosen, "unknown": 1}))


async def fuzz(field: Field, foe: Foe) -> None:
    """Wrong types in all fields."""
    rng = random.Random(field.connections)
    await foe.greet(field.name())
    await foe.send(b"".join(_nonsense(rng) for _ in range(10)))
    field.frames += 10
    await foe.over.wait()


async def http(field: Field, foe: Foe) -> None:
    """A browser."""
    await _once(field, foe, b"GET / HTTP/1.1\r\nHost: perudo\r\n\r\n", False)


async def stopped(field: Field, foe: Foe) -> None:
    """Watch the quiet table, ask for much, and read none of it."""
    await _watch(field, foe, 0.0)


async def slow(field: Field, foe: Foe) -> None:
    """The same, but read a little now and then."""
    await _watch(field, foe, 1.0)


async def _watch(field: Field, foe: Foe, pause: float) -> None:
    await foe.greet(field.name())
    foe.write(pack(type="watch", id=1, table=field.table))
    await foe.hear("done")
    while True:
        foe.stop_reading()
        for _ in range(10 if pause else 1):
            foe.write(pack(type="watch", id=1, table=field.table))
            field.frames += 1
            await asyncio.sleep(0.25)
        if pause and foe.transport is not None:
            foe.transport.resume_reading()
            await asyncio.sleep(0.001)


async def churn(field: Field, foe: Foe) -> None:
    """Come to the quiet table and go, again and again."""
    await foe.greet(field.name())
    while True:
        come = pack(type="watch", id=1, table=field.table)
        foe.write(come + pack(type="leave", id=2))
        field.frames += 2
        await asyncio.sleep(0.4)


async def watchers(field: Field, foe: Foe) -> None:
    """As many as may come to the quiet table, each asking to come again and again."""
    await foe.greet(field.name())
    while True:
        foe.write(pack(type="watch", id=1, table=field.table))
        field.frames += 1
        await asyncio.sleep(0.2)


FAST = frozenset({"reset", "too_many"})
"""Whoever goes on sending may hear no more; whoever comes back too often is not let in."""

ATTACKS = {
    attack.name: attack
    for attack in (
        Attack("requests", 16, requests, "flood", FAST),
        Attack("pongs", 16, pongs, "flood", FAST),
        Attack("chat", 16, chat, "flood", FAST),
        Attack("below", 16, below, "open"),
        Attack("tables", 64, tables, "open"),
        Attack("crowd", 440, crowd, "open", apart=0.002, quick=1.2),
        Attack("connections", 2000, connections, "too_many", frozenset({"slow_greeting"})),
        Attack(
            *("one address", 2000, connections, "too_many", frozenset({"slow_greeting"})),
            per_address=2000,
        ),
        Attack("silent", 60, silent, "slow_greeting", again=False, seconds=6, quick=0.8),
        Attack("mute", 64, mute, "dead", again=False, seconds=14, quick=2.0),
        Attack(
            *("dribble", 100, dribble, "slow_frame"),
            again=False,
            seconds=7,
            apart=0.005,
            quick=1.4,
        ),
        Attack("huge", 16, huge, "bad_frame", FAST),
        Attack("zero", 16, zero, "bad_frame", FAST),
        Attack("bombs", 16, bombs, "bad_frame", FAST),
        Attack("fuzz", 16, fuzz, "bad_message", FAST),
        Attack("http", 16, http, "http", FAST),
        Attack(
            *("stopped", 64, stopped, "reset"),
            again=False,
            receive=4096,
            apart=0.01,
            seconds=30,
            quick=1.5,
        ),
        Attack(
            *("slow", 64, slow, "open", frozenset({"reset"})),
            again=False,
            receive=4096,
            apart=0.01,
            seconds=10,
        ),
        Attack("churn", 64, churn, "open", apart=0.01),
        Attack("watchers", 100, watchers, "open", apart=0.01),
    )
}
"""All attacks by name."""
