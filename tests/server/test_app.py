"""Listening, the addresses told, and the end: every player told, nobody waited for too long."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from ipaddress import ip_address
from types import SimpleNamespace

import pytest

from perudo_protocol.link import Link, TcpLink
from perudo_server import addresses, app
from perudo_server.addresses import Address, CannotListen, Place, join_addresses, listen
from perudo_server.app import serve
from perudo_server.settings import Settings
from tests.support.servers import BOUND


@contextmanager
def listening(*hosts: str, port: int = 0) -> Iterator[list[socket.socket]]:
    bound = listen(hosts, port)
    try:
        yield bound
    finally:
        for sock in bound:
            sock.close()


def ports(bound: list[socket.socket]) -> set[int]:
    return {sock.getsockname()[1] for sock in bound}


def failing(monkeypatch: pytest.MonkeyPatch, fails: Callable[[int, str], int | None]) -> None:
    """Have binding fail with an errno where `fails(family, host)` gives one."""
    real = addresses._bind

    def bind(place: Place, port: int) -> socket.socket:
        code = fails(place.family, place.host)
        if code is not None:
            raise OSError(code, os.strerror(code))
        return real(place, port)

    monkeypatch.setattr(addresses, "_bind", bind)


def test_one_port_on_all_families_and_hosts() -> None:
    with listening() as bound:
        assert len(ports(bound)) == 1
        assert socket.AF_INET in {sock.family for sock in bound}
    with listening("127.0.0.1", "127.0.0.2", "127.0.0.1") as bound:
        assert len(ports(bound)) == 1
        assert [sock.getsockname()[0] for sock in bound] == ["127.0.0.1", "127.0.0.2"]
    with listening("127.0.0.1", "0.0.0.0") as bound:
        assert [sock.getsockname()[0] for sock in bound] == ["0.0.0.0"]


def test_a_port_free_for_one_and_taken_for_the_other_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries: list[str] = []

    def fails(_: int, host: str) -> int | None:
        tries.append(host)
        again = host == "127.0.0.2" and tries.count(host) < 3
        return errno.EADDRINUSE if again else None

    failing(monkeypatch, fails)
    with listening("127.0.0.1", "127.0.0.2") as bound:
        assert len(bound) == 2
        assert tries == ["127.0.0.1", "127.0.0.2"] * 3


@pytest.mark.parametrize("code", [errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL])
def test_a_machine_without_ipv6_is_fine(monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    failing(monkeypatch, lambda family, _: code if family == socket.AF_INET6 else None)
    with listening() as bound:
        assert [sock.family for sock in bound] == [socket.AF_INET]


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (errno.EADDRINUSE, "port 7 is in use.*--port"),
        (errno.EACCES, "port 7 is not allowed.*1024"),
        (errno.EADDRNOTAVAIL, "'127.0.0.1' is no address of this machine"),
        (errno.EIO, "port 7 cannot be opened on '127.0.0.1'"),
    ],
)
def test_why_a_port_cannot_be_had(monkeypatch: pytest.MonkeyPatch, code: int, reason: str) -> None:
    failing(monkeypatch, lambda *_: code)
    with pytest.raises(CannotListen, match=reason):
        listen(["127.0.0.1"], 7)


def test_nothing_stays_bound_when_one_fails() -> None:
    with closing(socket.create_server(("127.0.0.2", 0))) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CannotListen):
            listen(["127.0.0.1", "127.0.0.2"], port)
        socket.create_server(("127.0.0.1", port)).close()


def own(monkeypatch: pytest.MonkeyPatch, *texts: str) -> None:
    """Give this machine these addresses."""

    def given(family: int) -> list[Address]:
        version = 6 if family == socket.AF_INET6 else 4
        return [a for a in map(ip_address, texts) if a.version == version]

    monkeypatch.setattr(addresses, "own_addresses", given)


def test_each_reachable_address_is_told_ipv4_first(monkeypatch: pytest.MonkeyPatch) -> None:
    own(monkeypatch, "fd00::5", "fe80::1", "::1", "192.168.1.5", "169.254.0.9", "127.0.1.1")
    with listening() as bound:
        told = join_addresses(bound)
        [port] = ports(bound)
        six = [f"[fd00::5]:{port}"] if len(bound) == 2 else []
    assert told == [f"192.168.1.5:{port}", *six]


def test_a_machine_off_the_network_tells_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    own(monkeypatch)
    with listening() as bound:
        assert join_addresses(bound) == [f"127.0.0.1:{ports(bound).pop()}"]


def test_only_what_is_listened_on_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    own(monkeypatch, "192.168.1.5")
    with listening("127.0.0.1") as bound:
        assert join_addresses(bound) == [f"127.0.0.1:{ports(bound).pop()}"]


def test_own_addresses_are_those_of_all_adapters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second network is told too; networks within the machine are not."""

    def adapter(name: str, *addresses: str) -> SimpleNamespace:
        texts = [at if ":" not in at else (at, 0, 0) for at in addresses]
        return SimpleNamespace(name=name, ips=[SimpleNamespace(ip=text) for text in texts])

    lan, wlan = adapter("eth0", "192.168.1.5", "2001:db8::5"), adapter("wlan0", "192.168.56.5")
    inner = adapter("docker0", "172.17.0.1")
    monkeypatch.setattr("ifaddr.get_adapters", lambda: [lan, wlan, inner])
    found = list(map(str, addresses.own_addresses(socket.AF_INET)))
    assert {"192.168.1.5", "192.168.56.5"} <= set(found)
    assert "172.17.0.1" not in found
    assert "2001:db8::5" in map(str, addresses.own_addresses(socket.AF_INET6))


class Guest:
    """A receiver that answers what it hears."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.link: Link | None = None

    def opened(self, link: Link) -> None:
        self.link = link
        self.hall.guests.append(self)
        link.write(self.hall.greeting)

    def received(self, data: bytes) -> None:
        assert self.link is not None
        if data == b"break":
            raise ValueError("a secret")
        self.link.write(data)

    def drained(self) -> None:
        pass

    def lost(self) -> None:
        self.hall.guests.remove(self)


class Hall:
    """Stands where the lobby stands."""

    def __init__(self, greeting: bytes = b"hello\n") -> None:
        self.greeting = greeting
        self.guests: list[Guest] = []
        self.reasons: list[str] = []
        self.closed = asyncio.Event()

    def has_room(self, address: str) -> bool:
        return True

    def session(self) -> Guest:
        return Guest(self)

    def finish(self, patience: float) -> None:
        self.finished = True

    def close(self, reason: str) -> None:
        self.reasons.append(reason)
        self.closed.set()
        for guest in self.guests:
            assert guest.link is not None
            guest.link.write(b"bye\n")
            guest.link.close()


Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Open:
    """A server in this process, with a stand-in for the lobby."""

    def __init__(self, hall: Hall) -> None:
        with closing(socket.create_server(("127.0.0.1", 0))) as probe:
            self.port = probe.getsockname()[1]
        settings = Settings(host=("127.0.0.1",), port=self.port)
        log = logging.getLogger("perudo.test")
        self.task = asyncio.create_task(serve(settings, log, lambda *_: hall))

    async def connect(self) -> Streams:
        async with asyncio.timeout(BOUND):
            while True:
                try:
                    return await asyncio.open_connection("127.0.0.1", self.port)
                except ConnectionRefusedError:
                    assert not self.task.done()
                    await asyncio.sleep(0)

    async def end(self) -> float:
        """Send a signal, and give the seconds until the end."""
        before = time.monotonic()
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(self.task, BOUND)
        return time.monotonic() - before


async def test_everybody_is_told_and_let_go() -> None:
    hall = Hall()
    server = Open(hall)
    guests = [await server.connect() for _ in range(3)]
    for reader, _ in guests:
        assert await reader.readline() == b"hello\n"
    await server.end()
    assert hall.reasons == ["shutdown"]
    for reader, writer in guests:
        assert await reader.read() == b"bye\n"
        writer.close()
    assert hall.guests == []
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", server.port)


async def test_nothing_that_is_said_to_a_guest_is_held_back() -> None:
    """A second write would else wait for the receipt of the first, 40 ms and more."""
    hall = Hall()
    server = Open(hall)
    reader, writer = await server.connect()
    assert await reader.readline() == b"hello\n"
    (guest,) = hall.guests
    assert isinstance(guest.link, TcpLink)
    assert guest.link._transport is not None
    sock = guest.link._transport.get_extra_info("socket")
    assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    await server.end()
    writer.close()


async def test_who_does_not_read_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "PATIENCE", 0.3)
    hall = Hall(b"x" * 50_000_000)
    server = Open(hall)
    reader, writer = await server.connect()
    await reader.readexactly(1)
    assert 0.25 < await server.end() < 5
    assert hall.guests == []
    writer.transport.abort()


async def test_a_second_signal_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "PATIENCE", 600.0)
    hall = Hall(b"x" * 50_000_000)
    server = Open(hall)
    reader, writer = await server.connect()
    await reader.readexactly(1)
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(hall.closed.wait(), BOUND)
    assert await server.end() < 5
    writer.transport.abort()


async def test_an_error_in_one_connection_ends_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    server = Open(Hall())
    (reader, writer), (other, others) = await server.connect(), await server.connect()
    writer.write(b"break")
    assert await reader.read() == b"hello\n"
    others.write(b"still here\n")
    assert await other.readline() == b"hello\n"
    assert await other.readline() == b"still here\n"
    await server.end()
    [record] = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert record.getMessage() == "failure"
    assert "secret" not in str(vars(record))
    writer.close()
    others.close()
