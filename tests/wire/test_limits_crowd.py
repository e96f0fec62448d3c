"""How many may come, how many tables there may be, and what slow readers get: real sockets."""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from pathlib import Path

from perudo_protocol import messages as m
from perudo_protocol.codec import encode
from perudo_server.addresses import own_addresses
from perudo_server.entrance import is_local
from tests.support.servers import Caller, RunningServer, server
from tests.wire.test_limits_talk import answers, last_word

EVERYWHERE = ("--host", "0.0.0.0")


def own() -> str:
    """Give an address of this machine: one that limits concern, or the loopback if it has none."""
    return next((str(a) for a in own_addresses(socket.AF_INET) if not a.is_loopback), "127.0.0.1")


def words(running: RunningServer, number: int, host: str = "127.0.0.1") -> list[str]:
    """Let so many come and greet; give what each was told."""
    told = []
    for n in range(number):
        with suppress(ConnectionError):
            message = running.call(host).greet(f"G{n}")
            told.append(message.error if isinstance(message, m.Error) else "welcome")
    return told


def test_connections_have_a_most(tmp_path: Path) -> None:
    """In all; when somebody goes, somebody may come."""
    with server(tmp_path, PERUDO_CONNECTIONS="5") as running:
        guests = [running.guest(f"P{n}") for n in range(5)]
        assert last_word(running.call()) == "too_many"
        guests[2].socket.close()
        assert answers(guests[0], [m.Leave(id=1)]) == ["not_at_table"]
        while isinstance(running.call().greet("Eva"), m.Error):
            pass
        assert last_word(running.call()) == "too_many"


def turned_away(running: RunningServer) -> int:
    """Give how many the log says were turned away at the door."""
    return sum(map(int, re.findall(r"turned_away count=(\d+)", running.log())))


def test_those_who_have_not_greeted_have_a_most(tmp_path: Path) -> None:
    """Whoever greets makes room."""
    with server(tmp_path, PERUDO_UNGREETED="3") as running:
        waiting = [running.call() for _ in range(3)]
        assert last_word(running.call()) == "too_many"
        assert isinstance(waiting[0].greet("Ana"), m.Welcome)
        late = running.call()
        assert last_word(running.call()) == "too_many"
        assert isinstance(late.greet("Bia"), m.Welcome)


def test_connections_of_one_address_have_a_most(tmp_path: Path) -> None:
    """Sixteen; this machine's own loopback is exempt."""
    with server(tmp_path, *EVERYWHERE, PERUDO_CONNECTIONS_PER_ADDRESS="4") as running:
        host = own()
        expected = ["welcome"] * (6 if is_local(host) else 4)
        assert words(running, 6, host)[: len(expected)] == expected
        assert isinstance(running.call().greet("Local"), m.Welcome)
        assert running.end() == 0  # then the log is whole
        assert turned_away(running) == 6 - len(expected)


def test_an_address_may_not_come_again_and_again(tmp_path: Path) -> None:
    """Sixty-four times, then two a second; the loopback is exempt."""
    calls = {"PERUDO_CALL_BURST": "5", "PERUDO_CALL_RATE": "0.01"}
    with server(tmp_path, *EVERYWHERE, **calls) as running:
        for host in (own(), "127.0.0.1"):
            for n in range(8):
                with suppress(ConnectionError):
                    caller = running.call(host)
                    told = caller.greet(f"N{n}")
                    limited = n >= 5 and not is_local(host)
                    assert isinstance(told, m.Error if limited else m.Welcome)
                    caller.socket.close()
        assert running.end() == 0  # then the log is whole
        assert turned_away(running) == (0 if is_local(own()) else 3)


def test_tables_have_a_most(tmp_path: Path) -> None:
    """In all, and two of one address but for the loopback."""
    with server(tmp_path, *EVERYWHERE, PERUDO_TABLES="4") as running:
        host = own()

        def made(number: int, at: str) -> list[str]:
            told = []
            for n in range(number):
                name = f"{at[-1]}{n}"
                told += answers(running.guest(name, at), [m.Make(id=1, name=name)])
            return told

        if is_local(host):
            assert made(5, host) == ["done"] * 4 + ["too_many_tables"]
        else:
            assert made(3, host) == ["done"] * 2 + ["too_many_tables"]
            assert made(3, "127.0.0.1") == ["done"] * 2 + ["too_many_tables"]


def test_watchers_of_a_table_have_a_most(tmp_path: Path) -> None:
    """`table_full`, for those who want to wait for a seat too."""
    with server(tmp_path, PERUDO_WATCHERS_PER_TABLE="2") as running:
        host = running.guest("Ana")
        answers(host, [m.Make(id=1, name="T")])
        told = [answers(running.guest(f"W{n}"), [m.Watch(id=1, table=1)]) for n in range(3)]
        assert told == [["done"], ["done"], ["table_full"]]


def test_the_list_of_tables_is_not_sent_all_the_time(tmp_path: Path) -> None:
    """However often tables come and go: the newest list, now and then."""
    with server(tmp_path, PERUDO_LIST_SECONDS="0.3", PERUDO_MOVE_BURST="1000") as running:
        idle, ana = running.guest("Eva"), running.guest("Ana")
        for _ in range(50):
            assert answers(ana, [m.Make(id=1, name="T"), m.Leave(id=2)]) == ["done"] * 2
        assert answers(ana, [m.Make(id=1, name="Last")]) == ["done"]
        lists = 0
        while True:
            message = idle.hear()
            assert message is not None
            if isinstance(message, m.Tables):
                lists += 1
                if [line.name for line in message.tables] == ["Last"]:
                    break
        assert lists < 20


def lazy(running: RunningServer, name: str) -> Caller:
    """Let somebody come who has room for next to nothing, and who will not read for a while."""
    caller = running.call()
    caller.socket.close()
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    sock.settimeout(20)
    sock.connect(("127.0.0.1", running.port))
    caller.socket = sock
    assert isinstance(caller.greet(name), m.Welcome)
    assert answers(caller, [m.Watch(id=1, table=1)]) == ["done"]
    return caller


def talk(ana: Caller, running: RunningServer, word: str) -> int:
    """Talk until the log tells of something; gives how many lines it took."""
    for n in range(200):
        assert answers(ana, [m.Say(id=k, text="x" * 200) for k in range(20)]) == ["done"] * 20
        if word in running.log():
            return n * 20
    raise AssertionError(f"{word} never came")


PATIENT = {"PERUDO_CHAT_BURST": "100000", "PERUDO_FRAME_BURST": "100000"}


def test_a_slow_reader_costs_little_and_gets_one_fresh_view(tmp_path: Path) -> None:
    """What the system keeps is bounded too, so it falls behind after some 200 KiB at the most."""
    with server(tmp_path, PERUDO_OUTBOX_BYTES="16384", **PATIENT) as running:
        ana = running.guest("Ana")
        answers(ana, [m.Make(id=1, name="T")])
        eva = lazy(running, "Eva")
        lines = talk(ana, running, " behind ")
        assert answers(ana, [m.SetReady(id=1, game=0, round=0)]) == ["done"]
        heard: list[m.ServerMessage | None] = []
        while not isinstance(message := eva.hear(), m.View):
            assert message is not None
            heard.append(message)
        assert message.view.seats[0].ready
        kept = sum(isinstance(each, m.Said) for each in heard)
        assert kept <= lines
        assert kept * len(encode(m.Said(person=1, name="Ana", text="x" * 200))) < 400_000
        answers(ana, [m.Say(id=1, text="and on")])
        while not (isinstance(said := eva.hear(), m.Said) and said.text == "and on"):
            assert said is not None


def test_a_stopped_reader_is_cut_off(tmp_path: Path) -> None:
    """Ten seconds after it fell behind; nobody has waited for it."""
    limits = {"PERUDO_OUTBOX_BYTES": "16384", "PERUDO_OVERFLOW_SECONDS": "0.3", **PATIENT}
    with server(tmp_path, **limits) as running:
        ana = running.guest("Ana")
        answers(ana, [m.Make(id=1, name="T")])
        eva = lazy(running, "Eva")
        talk(ana, running, " behind ")
        talk(ana, running, " too_slow ")
        assert answers(ana, [m.Leave(id=1), m.Make(id=2, name="U")]) == ["done"] * 2
        with suppress(ConnectionError):
            assert len(eva.rest()) < 2000
        assert isinstance(running.guest("Eva").hear(), m.Tables)  # the name is free again
