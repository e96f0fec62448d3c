"""Hostile clients in a process of their own: what they have in common, whatever they do.

`python -m tests.soak.foes HOST PORT TABLE NEAR` reads lines of `["attack", seconds]` and answers
each with two lines of JSON: one when the attack has begun, one with what came of it.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address
from itertools import count
from typing import cast

import msgpack

from perudo_protocol.framing import HEADER, TO_CLIENT

FIRST = IPv4Address("198.18.1.0")
"""Where the addresses of the hostile begin; of the network kept for measuring (RFC 2544)."""
MOST_ADDRESSES = 256
PATIENCE = 5.0
"""Seconds for an answer that must come before an attack can begin."""


class Ended(Exception):
    """The server has ended the connection."""


def pack(**message: object) -> bytes:
    """Give a frame; without types, since what is sent here need be no message."""
    payload: bytes = msgpack.packb(message)
    return len(payload).to_bytes(HEADER, "big") + payload


class Foe(asyncio.Protocol):
    """One connection of somebody hostile: knows how it ended, and answers pings if told to."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.ended = ""
        self.last: dict[str, object] = {}
        self.answers_pings = True
        self.refusals: Counter[str] = Counter()
        self.transport: asyncio.Transport | None = None
        self.over = asyncio.Event()
        self.room = asyncio.Event()
        self._buffer = bytearray()
        self._text = b""
        self._waits: dict[str, asyncio.Future[None]] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.room.set()

    def pause_writing(self) -> None:
        self.room.clear()

    def resume_writing(self) -> None:
        self.room.set()

    def data_received(self, data: bytes) -> None:
        if not self._buffer and data[:1] != b"\0":
            self._text = self._text or data  # no frame: a line for visitors of other protocols
            return
        self._buffer += data
        while len(self._buffer) >= HEADER:
            length = int.from_bytes(self._buffer[:HEADER], "big")
            assert 0 < length <= TO_CLIENT, length
            if len(self._buffer) < HEADER + length:
                return
            payload = bytes(self._buffer[HEADER : HEADER + length])
            del self._buffer[: HEADER + length]
            self._hear(msgpack.unpackb(payload))

    def _hear(self, message: dict[str, object]) -> None:
        kind = str(message["type"])
        if kind in ("error", "bye"):
            self.ended = str(message.get("error") or message.get("reason"))
        elif kind == "refused":
            self.refusals[str(message["reason"])] += 1
        elif kind == "ping" and self.answers_pings:
            self.write(pack(type="pong", now=message["now"]))
        self.last[kind] = message
        if (wait := self._waits.pop(kind, None)) is not None and not wait.done():
            wait.set_result(None)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._text.startswith(b"HTTP/1.1 400"):
            self.ended = "http"
        elif self._text:
            self.ended = "tls"
        self.ended = self.ended or ("reset" if exc else "closed")
        self.over.set()
        self.room.set()
        for wait in self._waits.values():
            if not wait.done():
                wait.set_exception(Ended())
                wait.exception()  # nobody may be waiting any more

    def write(self, data: bytes) -> None:
        """Send bytes; raises `Ended`."""
        if self.over.is_set() or self.transport is None or self.transport.is_closing():
            raise Ended
        self.transport.write(data)

    async def send(self, data: bytes) -> None:
        """Send bytes, and wait while too many are unsent."""
        self.write(data)
        await self.room.wait()
        await asyncio.sleep(0)

    async def hear(self, kind: str) -> dict[str, object]:
        """Wait for the next message of one kind; raises `Ended`."""
        if self.over.is_set():
            raise Ended
        wait = self._waits.setdefault(kind, asyncio.get_running_loop().create_future())
        async with asyncio.timeout(PATIENCE):
            await wait
        return cast(dict[str, object], self.last[kind])

    async def greet(self, name: str) -> None:
        """Say hello and be let in."""
        self.write(pack(type="hello", versions=[1], client="foe", name=name))
        await self.hear("tables")

    def stop_reading(self) -> None:
        """Read nothing any more, as a stopped process does."""
        assert self.transport is not None
        self.transport.pause_reading()

    def close(self) -> None:
        if self.transport is not None:
            self.transport.abort()


@dataclass
class Field:
    """Where an attack takes place, and what came of it so far."""

    host: str
    port: int
    table: int
    near: bool
    """There are no addresses but this machine's own."""
    seconds: float = 0.0
    attack: int = 0
    """Its number: each comes from addresses that no other has used."""
    foes: set[Foe] = field(default_factory=set)
    ends: Counter[str] = field(default_factory=Counter)
    refusals: Counter[str] = field(default_factory=Counter)
    connections: int = 0
    frames: int = 0
    most: int = 0
    """The most that were connected at once."""
    names = count(1)

    def name(self) -> str:
        """Give a name that nobody has."""
        number = next(self.names)
        return f"f{os.getpid() % 1000}x{number}"

    async def connect(self, number: int, per_address: int = 16, receive: int = 0) -> Foe:
        """Connect from the address that the number falls to; raises `OSError`."""
        sock = socket.socket()
        try:
            sock.setblocking(False)
            if receive:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
            if not self.near:
                sock.setsockopt(
                    socket.IPPROTO_IP, getattr(socket, "IP_BIND_ADDRESS_NO_PORT", 24), 1
                )
                group = number // per_address
                assert group < MOST_ADDRESSES
                sock.bind((str(FIRST + self.attack * MOST_ADDRESSES + group), 0))
            loop = asyncio.get_running_loop()
            async with asyncio.timeout(PATIENCE):
                await loop.sock_connect(sock, (self.host, self.port))
            foe = Foe(number)
            await loop.create_connection(lambda: foe, sock=sock)
        except BaseException:
            sock.close()
            raise
        self.connections += 1
        self.foes.add(foe)
        self.most = max(self.most, len(self.foes))
        return foe

    def drop(self, foe: Foe, begun: bool = False) -> None:
        """Count how a connection ended; close one that was not ended by the server.

        `begun`: it may have had no time to be ended.
        """
        if foe in self.foes:
            self.foes.discard(foe)
            if foe.ended or not begun:
                self.ends[foe.ended or "open"] += 1
            self.refusals += foe.refusals
            foe.close()


Script = Callable[[Field, Foe], Awaitable[None]]


@dataclass(frozen=True)
class Attack:
    """What somebody hostile does, with how many connections, and how it must end for them."""

    name: str
    clients: int
    script: Script
    end: str
    """The word with which the server must end it; `open`: it need not."""
    also: frozenset[str] = frozenset()
    """Other ends that will do."""
    again: bool = True
    """Whoever is thrown out comes back at once."""
    per_address: int = 16
    receive: int = 0
    """Bytes that the hostile side's system takes for it; 0: as usual."""
    seconds: float = 0.0
    """How long it takes at the least until the server ends it."""
    apart: float = 0.0
    """Seconds between two of them when they come first."""
    quick: float = 0.35
    """The same with a server of little patience."""


async def carry_out(attack: Attack, ground: Field) -> None:
    """Attack for `ground.seconds`."""
    deadline = time.monotonic() + ground.seconds

    async def one(number: int) -> None:
        await asyncio.sleep(number * attack.apart)
        while time.monotonic() < deadline:
            try:
                foe = await ground.connect(number, attack.per_address, attack.receive)
            except (OSError, TimeoutError):
                ground.ends["no connection"] += 1
                await asyncio.sleep(0.05)
                continue
            with suppress(TimeoutError):
                async with asyncio.timeout(deadline - time.monotonic()):
                    with suppress(Ended):
                        await attack.script(ground, foe)
                    await foe.over.wait()  # it has done its worst
            ground.drop(foe, attack.again and attack.end != "open")
            if not attack.again:
                return

    tasks = [asyncio.create_task(one(number)) for number in range(attack.clients)]
    _tell({"begun": time.monotonic()})
    await asyncio.gather(*tasks)


def _tell(figures: object) -> None:
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.stdout.flush()


async def _run(host: str, port: int, table: int, near: bool) -> None:
    from tests.soak.attacks import ATTACKS

    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        name, seconds = json.loads(line)
        attack = ATTACKS[name]
        number = list(ATTACKS).index(name)
        ground = Field(host, port, table, near, float(seconds), number)
        await carry_out(attack, ground)
        told = {
            "most": ground.most,
            "connections": ground.connections,
            "frames": ground.frames,
            "ends": dict(ground.ends),
            "refusals": dict(ground.refusals),
        }
        _tell(told)


if __name__ == "__main__":
    with suppress(OSError):
        os.nice(5)  # they stand for other machines: this one's processor is the server's
    asyncio.run(_run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] == "near"))
