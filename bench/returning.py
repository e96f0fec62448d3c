"""Six hundred players lose their connections at once, and all come back at once.

They are this process, which does nothing else meanwhile; it has no event loop and no client.
"""

from __future__ import annotations

import os
import select
import socket
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from perudo_protocol.codec import decode_server, encode
from perudo_protocol.framing import HEADER
from perudo_protocol.messages import FromClient, Nonce, Prove, Resume
from perudo_protocol.returning import SIZE, prove
from perudo_protocol.version import VERSIONS

from .evening import Evening, key_of
from .load import our_process
from .processes import BOUND, Running, floor, settled
from .rows import Goal, Row, Size
from .scripted import Crowd, Guest

PEOPLE = 6
LISTS = 0.5
"""Seconds until the lists have gone out that tell everybody at a table who is back: a server puts
them off for a while, and what they cost is to be in its figure."""


class Met(NamedTuple):
    """What one coming back of all brought."""

    cpu: float
    """Milliseconds of processor time of the server, until it has nothing more to do."""
    wall: float
    """Milliseconds until the last has the picture."""
    driver: float
    """The driver's share of a core."""


def returning(size: Size) -> Iterator[Row]:
    """Measure what it takes until all are back, and compare it with bare connections."""
    tables, times = {Size.SMALLEST: (1, 1), Size.QUICK: (40, 1), Size.FULL: (100, 6)}[size]
    for journal in (False, True):
        with TemporaryDirectory(prefix="perudo-bench-") as name:
            home = Path(name)
            with our_process(home, journal=journal) as server:
                yield from _measured(server, home, tables, times, journal)


def _measured(server: Running, home: Path, tables: int, times: int, journal: bool) -> Iterator[Row]:
    crowd = Crowd(server.port)
    evening = Evening(crowd, range(tables), PEOPLE)
    guests = [guest for table in evening.tables for guest in table.guests]
    crowd.close()
    settled(server)
    _, (nonce, *rest) = come_back(server, guests, 3)
    options = ("--first", str(nonce), "--second", str(sum(rest)))
    with floor("meet", home, *options) as bare:
        come_back(bare, guests, 2)
        found: tuple[list[Met], list[Met]] = ([], [])
        for turn in range(times):
            for which in (0, 1) if turn % 2 == 0 else (1, 0):
                met, _ = come_back((bare, server)[which], guests, 2 + which)
                found[which].append(met)
    how = "with the journal" if journal else "without a journal"
    what = f"server: {len(guests)} players come back at once, {how}"
    driver = max(met.driver for met in found[1])
    note = f"{nonce} and {sum(rest)} bytes are answered; the driver uses {driver:.0%} of a core"
    for name, unit, at, goal in (("CPU", "ms", 0, Goal(2.0)), ("time", "ms", 1, None)):
        bare_figures, own = (tuple(met[at] for met in mets) for mets in found)
        yield Row("returning", f"{what}, {name}", unit, bare_figures, own, goal, note)
        note = ""


def come_back(process: Running, guests: Sequence[Guest], answers: int) -> tuple[Met, list[int]]:
    """Have all come back to a process whose answers are so many frames; then lose them again.

    Gives what it took, and the bytes of the answers to the first and the second that was said.
    """
    before, own = settled(process), time.process_time()
    since = time.perf_counter()
    callers = [Caller(process.port, guest, answers) for guest in guests]
    poll = select.epoll()
    waiting = {caller.sock.fileno(): caller for caller in callers}
    for number in waiting:
        poll.register(number, select.EPOLLIN)
    while waiting:
        for number, _ in poll.poll(BOUND):
            if waiting[number].hear():
                poll.unregister(number)
                del waiting[number]
    wall, own = time.perf_counter() - since, time.process_time() - own
    time.sleep(LISTS)
    cpu = settled(process) - before
    for caller in callers:
        caller.sock.close()
    poll.close()
    settled(process)
    return Met(1000 * cpu, 1000 * wall, own / wall), callers[0].sizes


def strangers(number: int) -> list[Guest]:
    """Give so many guests for a floor, which knows nobody."""
    found = []
    for _ in range(number):
        with socket.socket() as sock:
            found.append(Guest(sock, None))
    return found


class Caller:
    """One connection of somebody who comes back."""

    def __init__(self, port: int, guest: Guest, answers: int) -> None:
        """Connect and say who it is."""
        self._guest = guest
        self._nonce = os.urandom(SIZE)
        self._rest = b""
        self._left = answers
        self.sizes: list[int] = []
        """The bytes of each answer that came."""
        self.sock = socket.create_connection(("127.0.0.1", port), BOUND)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._say(Resume(versions=VERSIONS, client="bench", person=guest.person, nonce=self._nonce))

    def hear(self) -> bool:
        """Hear what came, and answer; say whether all has come."""
        data = self._rest + self.sock.recv(64 * 1024)
        while len(data) >= HEADER and self._left:
            end = HEADER + int.from_bytes(data[:HEADER], "big")
            if end > len(data):
                break
            self.sizes.append(end)
            self._left -= 1
            if len(self.sizes) == 1:
                self._prove(data[HEADER:end])
            data = data[end:]
        self._rest = data
        return not self._left

    def _prove(self, answer: bytes) -> None:
        key, person, theirs = key_of(self._guest.name), self._guest.person, bytes(SIZE)
        if any(answer):  # the floor's is of zeros, and its proof is not looked at
            nonce = decode_server(answer)
            assert isinstance(nonce, Nonce), nonce
            theirs = nonce.nonce
        self._say(Prove(proof=prove(key, person, self._nonce, theirs)))

    def _say(self, message: FromClient) -> None:
        self.sock.sendall(encode(message))
