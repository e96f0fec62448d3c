"""Going to servers that encrypt: the connection, and the programs as processes."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from perudo_client import private
from perudo_client.address import Address
from perudo_client.endings import CannotConnect, Closed, Trouble
from perudo_protocol import messages as m
from perudo_protocol.pins import fingerprint, pin_of, read_pin
from tests.client.test_base_processes import play, playing
from tests.support.one_client_server import Client
from tests.support.private_house import BOUND, PrivateHouse, files, private_house
from tests.support.servers import RunningServer, server

OTHER = bytes([7]) * 32


def there(house: PrivateHouse, certificate: bytes = b"") -> Address:
    return Address("127.0.0.1", house.port, pin=pin_of(certificate))


# The connection ---------------------------------------------------------------------------------


async def test_with_the_right_pin_it_is_let_in_and_knows_the_certificate() -> None:
    async with private_house() as house:
        told: asyncio.Queue[m.ServerMessage] = asyncio.Queue()
        client = Client(told.put_nowait)
        await client.connection.connect(there(house, house.shown.certificate), "Ana")
        assert client.connection.certificate == house.shown.certificate
        assert isinstance(await asyncio.wait_for(told.get(), BOUND), m.Welcome)
        client.connection.close()
        assert await client.end() is Closed.BY_US
        assert client.connection.certificate == b""


async def test_with_another_pin_not_even_the_name_is_told() -> None:
    async with private_house() as house:
        client = Client()
        with pytest.raises(CannotConnect) as refused:
            await client.connection.connect(there(house, OTHER), "Ana")
        assert refused.value.trouble is Trouble.CHANGED
        assert refused.value.found == house.shown.certificate
        assert not any("greeted" in line for line in house.lines)
        assert not client.closed.done()


async def test_without_a_pin_it_says_that_the_server_encrypts() -> None:
    async with private_house() as house:
        client = Client()
        await client.connection.connect(there(house), "Ana")
        assert await client.end() is Closed.ENCRYPTED
        assert client.told == []
        assert await private.certificate_of(there(house)) == house.shown.certificate


async def test_a_plain_server_is_not_taken_for_one_that_encrypts() -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"This is a Perudo server without TLS.")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as plain:
        where = Address("127.0.0.1", plain.sockets[0].getsockname()[1], pin=pin_of(OTHER))
        with pytest.raises(CannotConnect) as refused:
            await Client().connection.connect(where, "Ana")
        assert refused.value.trouble is Trouble.PLAIN
        with pytest.raises(CannotConnect) as refused:
            await private.certificate_of(where)
        assert refused.value.trouble is Trouble.HANDSHAKE


async def test_what_looks_like_an_alert_within_tls_is_nonsense() -> None:
    """Or a server could send us round in circles."""
    async with private_house() as house:
        client = Client()
        await client.connection.connect(there(house, house.shown.certificate), "Ana")
        client.connection.received(b"\x15\x03\x03\x00\x02\x02\x46")
        assert await client.end() is Closed.NONSENSE


async def test_a_pin_for_a_port_where_nobody_listens() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        where = Address("127.0.0.1", free.getsockname()[1], pin=pin_of(OTHER))
        with pytest.raises(CannotConnect) as refused:
            await Client().connection.connect(where, "Ana")
        assert refused.value.trouble is Trouble.REFUSED
        with pytest.raises(CannotConnect):
            await private.certificate_of(where)


# The programs -----------------------------------------------------------------------------------


@contextmanager
def encrypting(home: Path, *options: str, data: str = "data") -> Iterator[RunningServer]:
    with server(home, "--tls", "--data", str(home / data), *options) as running:
        yield running


@pytest.fixture
def house(tmp_path: Path) -> Iterator[RunningServer]:
    with encrypting(tmp_path) as running:
        yield running


def pin(house: RunningServer) -> str:
    return house.places[0].partition("#")[2]


def plain(house: RunningServer) -> str:
    """Give its address without the pin."""
    return f"127.0.0.1:{house.port}"


def refused(home: Path, *options: str, typed: str = "") -> str:
    """Play, see it refused with 77, and give what it complained of."""
    done = play(home, "--plain", "--name", "Ana", *options, typed=typed)
    assert done.returncode == 77, done.stderr
    complaint = done.stderr.decode()
    assert complaint.count("\n") == 1
    assert b"Connected" not in done.stdout
    return complaint


def known(home: Path) -> Path:
    return home / ".config" / "perudo" / "known_servers"


def test_the_join_line_that_a_server_prints_asks_nothing(
    house: RunningServer, tmp_path: Path
) -> None:
    done = play(tmp_path, "--plain", "--name", "Ana", house.places[0], typed="quit\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"You are Ana" in done.stdout
    assert b"authenticity" not in done.stdout
    again = play(tmp_path, "--plain", "--name", "Ana", plain(house), typed="quit\n")
    assert (again.returncode, again.stderr) == (0, b"")
    assert b"authenticity" not in again.stdout


def test_an_unknown_server_is_asked_about_once(house: RunningServer, tmp_path: Path) -> None:
    typed = "perhaps\nyes\nquit\n"
    first = play(tmp_path, "--plain", "--name", "Ana", plain(house), typed=typed)
    assert (first.returncode, first.stderr) == (0, b"")
    said = first.stdout.decode()
    assert said.count("authenticity") == 1
    assert said.count("Type yes, or no.") == 2
    assert fingerprint(read_pin(pin(house))) in said
    assert "You are Ana" in said
    assert known(tmp_path).read_text().endswith(f"\nlocalhost:{house.port} {pin(house)}\n")
    again = play(tmp_path, "--plain", "--name", "Ana", plain(house), typed="quit\n")
    assert (again.returncode, again.stderr) == (0, b"")
    assert b"authenticity" not in again.stdout


def test_a_link_with_another_pin_than_the_known_one_is_followed_with_a_word(
    house: RunningServer, tmp_path: Path
) -> None:
    known(tmp_path).parent.mkdir(parents=True)
    before = f"localhost:{house.port} {pin_of(bytes(32))}\n"
    known(tmp_path).write_text(before)
    done = play(tmp_path, "--plain", "--name", "Ana", house.places[0], typed="quit\n")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"by another certificate than this link names") == 1
    assert b"You are Ana" in done.stdout
    assert known(tmp_path).read_text() == before


def test_no_is_no(house: RunningServer, tmp_path: Path) -> None:
    assert "Without trust" in refused(tmp_path, plain(house), typed="no\n")
    assert not known(tmp_path).exists()


@pytest.mark.parametrize("table", ["", "/3"])
def test_where_nobody_answers_it_says_what_to_use_instead(
    house: RunningServer, tmp_path: Path, table: str
) -> None:
    complaint = refused(tmp_path, plain(house) + table)
    assert f"perudo://{plain(house)}{table}#{pin(house)} " in complaint
    assert not known(tmp_path).exists()


def test_a_changed_certificate_is_refused_until_it_is_forgotten(tmp_path: Path) -> None:
    with encrypting(tmp_path) as first:
        play(tmp_path, "--plain", first.places[0], typed="quit\n")
        old, where = pin(first), plain(first)
        assert first.end() == 0
    with encrypting(tmp_path, "--port", where.rpartition(":")[2], "--host", "127.0.0.1",
                    data="other") as second:  # fmt: skip
        assert plain(second) == where
        complaint = refused(tmp_path, where, typed="yes\nquit\n")
        for each in (old, pin(second)):
            assert f"SHA256:{each}" in complaint
        assert f"perudo-client --forget {where} " in complaint
        done = play(tmp_path, "--forget", where)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"forgotten" in done.stdout
        again = play(tmp_path, "--plain", where, typed="yes\nquit\n")
        assert again.returncode == 0
        assert known(tmp_path).read_text().endswith(f"\nlocalhost:{second.port} {pin(second)}\n")


def test_a_pin_that_is_not_the_servers_is_refused(house: RunningServer, tmp_path: Path) -> None:
    complaint = refused(tmp_path, f"perudo://{plain(house)}#{pin_of(OTHER)}", typed="yes\n")
    assert fingerprint(OTHER) in complaint
    assert f"SHA256:{pin(house)}" in complaint
    assert not known(tmp_path).exists()


@pytest.mark.parametrize("with_pin", [True, False])
def test_a_known_server_that_encrypts_no_more_is_refused(tmp_path: Path, with_pin: bool) -> None:
    with server(tmp_path) as open_to_all:
        where = plain(open_to_all)
        known(tmp_path).parent.mkdir(parents=True)
        if not with_pin:
            known(tmp_path).write_text(f"{where} {pin_of(OTHER)}\n")
        complaint = refused(tmp_path, f"{where}#{pin_of(OTHER)}" if with_pin else where)
        assert "does not encrypt" in complaint
        assert f"perudo-client --forget {where} " in complaint
        assert open_to_all.end() == 0
        assert "greeted" not in open_to_all.log()


def test_forgetting_whom_one_does_not_know_and_nonsense(tmp_path: Path) -> None:
    done = play(tmp_path, "--forget", "ana.local")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"No certificate of ana.local:7654" in done.stdout
    assert play(tmp_path, "--forget", "ana local").returncode == 64


def test_a_file_of_known_servers_without_sense_is_said(
    house: RunningServer, tmp_path: Path
) -> None:
    known(tmp_path).parent.mkdir(parents=True)
    known(tmp_path).write_text("nonsense\n")
    for options in (("--plain", plain(house)), ("--bot", plain(house)), ("--forget", "ana.local")):
        done = play(tmp_path, *options)
        assert done.returncode == 78
        assert b"known_servers" in done.stderr


# Bots -------------------------------------------------------------------------------------------


def test_a_bot_plays_where_the_pin_is_right(house: RunningServer, tmp_path: Path) -> None:
    with playing(tmp_path, "--plain", "--name", "Ana", house.places[0]) as ana:
        ana.type("make Friday")
        ana.until("Friday")
        with playing(tmp_path, "--bot", "--bot-seconds", "0", house.places[0]) as bot:
            bot.until("joined table 1")
            bot.process.send_signal(signal.SIGTERM)
            assert bot.end() == (128 + signal.SIGTERM, "")
    known(tmp_path).parent.mkdir(parents=True, exist_ok=True)
    known(tmp_path).write_text(f"{plain(house)} {pin(house)}\n")
    with playing(tmp_path, "--bot", plain(house)) as bot:
        while house.log().count("bot=true") < 2:
            assert bot.process.poll() is None
        bot.process.send_signal(signal.SIGINT)
        assert bot.end() == (128 + signal.SIGINT, "")


def test_a_bot_trusts_nobody_by_itself(house: RunningServer, tmp_path: Path) -> None:
    done = play(tmp_path, "--bot", plain(house), typed="yes\n")
    assert (done.returncode, done.stdout) == (77, b"")
    assert f"perudo://{house.places[0].removeprefix('perudo://')}" in done.stderr.decode()
    done = play(tmp_path, "--bot", f"{plain(house)}#{pin_of(OTHER)}")
    assert done.returncode == 77
    assert fingerprint(OTHER) in done.stderr.decode()
    assert f"SHA256:{pin(house)}" in done.stderr.decode()


def test_a_bot_does_not_speak_in_the_clear_where_it_should_not(tmp_path: Path) -> None:
    with server(tmp_path) as open_to_all:
        done = play(tmp_path, "--bot", f"{plain(open_to_all)}#{pin_of(OTHER)}")
        assert done.returncode == 77
        assert b"does not encrypt" in done.stderr
        assert open_to_all.end() == 0
        assert "greeted" not in open_to_all.log()


def test_certificates_of_ones_own_are_known_by_their_hash(tmp_path: Path) -> None:
    certificate, key = files(tmp_path)
    pair = ("--tls-cert", str(certificate), "--tls-key", str(key))
    with server(tmp_path, *pair) as running:
        done = play(tmp_path, "--plain", running.places[0], typed="quit\n")
        assert (done.returncode, done.stderr) == (0, b"")
    assert not list((tmp_path / ".data").rglob("tls.pem"))
