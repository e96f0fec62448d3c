"""Finding and reaching a server: names, several addresses, black holes."""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from perudo_client import dialing
from perudo_client.address import Address
from perudo_client.dialing import dial
from perudo_client.endings import CannotConnect, Trouble
from tests.support.one_client_server import BOUND, Client, serving


async def test_a_port_where_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(CannotConnect) as wrong:
        await dial("127.0.0.1", port)
    assert wrong.value.trouble is Trouble.REFUSED


async def test_a_name_that_no_computer_has(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_args: object, **_more: object) -> object:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(CannotConnect) as wrong:
        await dial("nobody.example", 7654)
    assert wrong.value.trouble is Trouble.NO_HOST


async def test_a_name_that_cannot_be_one() -> None:
    with pytest.raises(CannotConnect) as wrong:
        await dial("a" * 70 + ".example", 7654)
    assert wrong.value.trouble is Trouble.NO_HOST


@pytest.fixture
def black_hole() -> Iterator[tuple[str, int]]:
    """A port that takes no more connections and does not say so: its queue is full."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        place = listener.getsockname()
        fillers = []
        for _ in range(4):
            filler = socket.socket()
            filler.setblocking(False)
            with suppress(BlockingIOError):
                filler.connect(place)
            fillers.append(filler)
        yield place
        for filler in fillers:
            filler.close()


async def test_where_nothing_answers_the_wait_has_a_bound(black_hole: tuple[str, int]) -> None:
    with pytest.raises(CannotConnect) as wrong:
        await dial(*black_hole, seconds=0.1)
    assert wrong.value.trouble is Trouble.NO_ANSWER


async def test_a_connect_to_nowhere_is_broken_off_at_once(black_hole: tuple[str, int]) -> None:
    client = Client()
    connecting = asyncio.create_task(client.connection.connect(Address(*black_hole), "Ana"))
    await asyncio.sleep(0)
    began = time.monotonic()
    connecting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await connecting
    assert time.monotonic() - began < 1.0


def test_a_look_up_that_hangs_does_not_keep_the_program_from_ending(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release = threading.Event()

    def hang(*_args: object, **_more: object) -> list[object]:
        release.wait(BOUND)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    began = time.monotonic()
    with pytest.raises(CannotConnect) as wrong:
        asyncio.run(dial("slow.example", 7654, seconds=0.1))
    assert time.monotonic() - began < BOUND / 2
    assert wrong.value.trouble is Trouble.NO_ANSWER
    release.set()


async def test_an_address_that_does_not_answer_holds_up_the_next_but_little(
    black_hole: tuple[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving() as server:
        places = [(socket.AF_INET, black_hole), (socket.AF_INET, ("127.0.0.1", server.port))]
        monkeypatch.setattr(dialing, "_ask", lambda _host, _port: places)
        began = time.monotonic()
        sock = await dial("ana.example", 7654)
        assert sock.getpeername()[1] == server.port
        assert time.monotonic() - began < 2.0
        sock.close()


async def test_an_address_that_refuses_makes_way_for_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        nobody = taken.getsockname()
    async with serving() as server:
        places = [(socket.AF_INET, nobody), (socket.AF_INET, ("127.0.0.1", server.port))]
        monkeypatch.setattr(dialing, "_ask", lambda _host, _port: places)
        sock = await dial("ana.example", 7654)
        assert sock.getpeername()[1] == server.port
        sock.close()


def test_both_families_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    six = [(socket.AF_INET6, 1, 6, "", (f"::{n}", 1, 0, 0)) for n in range(3)]
    four = [(socket.AF_INET, 1, 6, "", (f"10.0.0.{n}", 1)) for n in range(2)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_more: six + four)
    families = [family for family, _ in dialing._ask("ana", 1)]
    assert families == [
        socket.AF_INET6,
        socket.AF_INET,
        socket.AF_INET6,
        socket.AF_INET,
        socket.AF_INET6,
    ]


@pytest.fixture(autouse=True)
def _nothing_left_open() -> Iterator[None]:
    """A socket that is forgotten warns when it is collected, and a warning fails the test."""
    yield
    gc.collect()
