"""One connection: greeting, bad bytes, limits, slow readers, silence."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from perudo_protocol import messages as m
from perudo_protocol import views as v
from perudo_protocol.codec import encode
from perudo_protocol.framing import TO_CLIENT, frame
from perudo_protocol.ruleset import CHOICES, SWITCH
from perudo_protocol.vocabulary import Bid
from perudo_server.names import NAME_CELLS, TABLE_NAME_CELLS, judge, judge_table_name
from perudo_server.session import Session
from perudo_server.settings import BY_NAME
from tests.support.house import HouseOfTests, Peer

HELLO = m.Hello(versions=(1,), client="test", name="Ana")


class StuckLink:
    """A link whose other side reads only when told to."""

    certificate = b""

    def __init__(self, peer: str = "192.0.2.7") -> None:
        self.peer = peer
        self.written: list[bytes] = []
        self.unsent = 0
        self.stuck = False
        self.ended = ""

    def write(self, data: bytes) -> None:
        self.written.append(data)
        if self.stuck:
            self.unsent += len(data)

    def close(self) -> None:
        self.ended = self.ended or "closed"

    def abort(self) -> None:
        self.ended = "aborted"


def stuck_session(
    house: HouseOfTests, name: str, address: str = "192.0.2.7"
) -> tuple[Session, StuckLink]:
    """Greet over a link that can be held up."""
    session, link = house.lobby.session(), StuckLink(address)
    session.opened(link)
    session.received(encode(m.Hello(versions=(1,), client="t", name=name)))
    house.clock.settle()
    return session, link


def send_raw(house: HouseOfTests, peer: Peer, data: bytes) -> None:
    assert peer.link is not None
    peer.link.write(data)
    house.clock.settle()


def test_the_greeting_names_versions_on_both_sides() -> None:
    """The newest common version is spoken; without one, both are named with what to do."""
    house = HouseOfTests()
    peer = house.connect()
    peer.send(m.Hello(versions=(9, 1), client="t", name="Ana"))
    house.clock.settle()
    assert peer.last(m.Welcome).version == 1
    stranger = house.connect()
    stranger.send(m.Hello(versions=(9,), client="t", name="Bia"))
    house.clock.settle()
    error = stranger.last(m.Error)
    assert (error.error, error.versions) == ("version", (1,))
    assert "version 1" in error.detail
    assert "9" in error.detail
    assert "update" in error.detail
    assert stranger.is_lost


@pytest.mark.parametrize("first", [m.Leave(id=1), m.Join(id=1, table=1), HELLO])
def test_hello_is_said_first_and_once(first: m.FromClient) -> None:
    """Anything else first, or a second one, ends the connection."""
    house = HouseOfTests()
    peer = house.peer("Eva") if isinstance(first, m.Hello) else house.connect()
    peer.send(first)
    house.clock.settle()
    assert peer.last(m.Error).error == "not_greeted"
    assert peer.is_lost
    assert house.lobby.sessions == 0


def test_a_greeting_must_come_in_time() -> None:
    """Five seconds."""
    house = HouseOfTests()
    peer = house.connect()
    house.clock.advance(4.9)
    assert not peer.is_lost
    house.clock.advance(0.2)
    assert peer.last(m.Error).error == "slow_greeting"
    assert peer.is_lost


def test_another_name_has_a_minute() -> None:
    """And ten names may be tried."""
    house = HouseOfTests()
    house.peer("Ana")
    late, keen = house.connect(), house.connect()
    late.send(HELLO)
    for _ in range(10):
        assert not keen.is_lost
        keen.send(HELLO)
        house.clock.settle()
    assert keen.is_lost
    house.clock.advance(59)
    assert not late.is_lost
    house.clock.advance(1.1)
    assert late.last(m.Error).error == "slow_greeting"


def test_a_frame_must_end_in_time() -> None:
    """Five seconds from its first byte, however the bytes dribble."""
    house = HouseOfTests()
    peer = house.peer("Ana")
    peer.answers_pings = False  # a pong in the midst of a frame would be part of it
    data = encode(m.Leave(id=1))
    for n in range(5):
        send_raw(house, peer, data[n : n + 1])
        house.clock.advance(0.9)
    assert not peer.is_lost
    send_raw(house, peer, data[5:6])
    house.clock.advance(0.6)
    assert peer.last(m.Error).error == "slow_frame"
    assert peer.is_lost


def test_a_whole_frame_stops_that_clock() -> None:
    """A slow but complete frame is heard, and the next one has its own time."""
    house = HouseOfTests()
    peer = house.peer("Ana")
    peer.answers_pings = False  # a pong in the midst of a frame would be part of it
    data = encode(m.Leave(id=1))
    for _ in range(3):
        send_raw(house, peer, data[:5])
        house.clock.advance(4)
        send_raw(house, peer, data[5:])
    assert len(peer.all(m.Refused)) == 3
    assert not peer.is_lost


@pytest.mark.parametrize(
    "data",
    [
        (2**32 - 1).to_bytes(4, "big"),
        (8 * 1024 + 1).to_bytes(4, "big"),
        bytes(4),
        frame(b"\xc1"),
        frame(b"\x93\x01\x02\x03"),
        frame(b"\x81\xc4\x01a\x01"),
        frame(b"\x91" * 4000),
    ],
)
def test_bytes_that_are_no_frame_close_that_link_alone(data: bytes) -> None:
    """bad_frame; others at the table go on."""
    house = HouseOfTests()
    ana, bia = house.table("Ana", "Bia")
    send_raw(house, bia, data)
    assert bia.last(m.Error).error == "bad_frame"
    assert bia.is_lost
    assert not ana.is_lost
    assert [seat.name for seat in ana.at.seats] == ["Ana"]


def test_three_messages_without_sense_close_the_link() -> None:
    """The first two are answered with what was wrong."""
    house = HouseOfTests()
    peer = house.peer("Ana")
    nonsense = frame(b"\x81\xa4type\xa3xyz")
    for _ in range(2):
        send_raw(house, peer, nonsense)
        assert peer.last(m.Error).error == "bad_message"
        assert not peer.is_lost
    send_raw(house, peer, nonsense)
    assert peer.is_lost


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"HTTP/1.1 400"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"This is a Perudo server"),
    ],
)
def test_other_protocols_are_told_in_a_short_line(said: bytes, answer: bytes) -> None:
    """HTTP and TLS are recognised, answered and closed."""
    house = HouseOfTests()
    session, link = house.lobby.session(), StuckLink()
    session.opened(link)
    session.received(said)
    house.clock.settle()
    told = b"".join(link.written)
    assert told.startswith(answer)
    assert b"perudo-client host:port" in told
    assert len(told) < 300
    assert link.ended


def test_acts_and_chat_have_a_rate() -> None:
    """Ten at once then five a second; chat five then one; what is over is refused politely."""
    house = HouseOfTests(act_burst=10, chat_burst=5)
    (ana,) = house.table("Ana")  # one act of the ten
    answers = [house.ask(ana, m.Start) for _ in range(12)]
    assert answers == ["too_few"] * 9 + ["slow_down"] * 3
    assert [house.ask(ana, m.Say, text="hi") for _ in range(7)] == ["done"] * 5 + ["slow_down"] * 2
    house.clock.advance(1)
    assert [house.ask(ana, m.Start) for _ in range(6)] == ["too_few"] * 5 + ["slow_down"]
    assert [house.ask(ana, m.Say, text="hi") for _ in range(2)] == ["done", "slow_down"]


@pytest.mark.parametrize("said", [m.Pong(now=1), m.Start(id=1), m.Say(id=1, text="x" * 200)])
def test_a_flood_ends_the_link(said: m.FromClient) -> None:
    """However harmless each frame: a thousand in one go would hold up everybody else's turn."""
    house = HouseOfTests(frame_burst=300, frame_rate=100)
    ana, bia = house.table("Ana", "Bia")
    for _ in range(10):
        send_raw(house, bia, encode(said) * 100)
        house.clock.advance(1)
    assert not bia.is_lost
    send_raw(house, bia, encode(said) * 1000)
    assert bia.last(m.Error).error == "flood"
    assert bia.is_lost
    assert len(ana.at.seats) == 1


def test_a_dead_peer_is_noticed() -> None:
    """Asked for life every 5 s, dead after 12 s of silence (P6); others are told at once."""
    house = HouseOfTests()
    ana, bia = house.table("Ana", "Bia")
    house.clock.advance(60)
    assert not bia.is_lost
    house.ask(bia, m.Say, text="still here")
    bia.answers_pings = False
    house.clock.advance(11.9)
    assert not bia.is_lost
    house.clock.advance(0.2)
    assert bia.is_lost
    assert bia.last(m.Bye).reason == "dead"
    assert len(ana.at.seats) == 1


def test_a_dead_peer_whose_line_is_full_is_noticed_as_soon() -> None:
    """No last word can reach it, so nobody waits for that: the line is cut at 12 s, not at 22."""
    house = HouseOfTests()
    house.table("Ana")
    _, link = stuck_session(house, "Caio")
    link.stuck = True
    link.unsent = 100_000
    house.clock.advance(11.9)
    assert link.ended == ""
    house.clock.advance(0.2)
    assert link.ended == "aborted"


def test_a_slow_reader_gets_one_fresh_view() -> None:
    """Never awaited: the box fills, is emptied, and one snapshot follows when there is room."""
    house = HouseOfTests(outbox_frames=20)
    ana, bia = house.table("Ana", "Bia")
    session, link = stuck_session(house, "Caio")
    session.received(encode(m.Watch(id=1, table=1)))
    house.clock.settle()
    link.stuck = True
    link.unsent = 100_000
    link.written.clear()
    for n in range(30):
        house.ask(ana, m.SetReady, game=0, round=0, ready=n % 2 == 0)
    assert link.written == []
    assert not bia.is_lost
    link.stuck = False
    link.unsent = 0
    session.drained()
    house.clock.settle()
    caught_up = Peer()
    caught_up.received(b"".join(link.written))
    assert [type(message) for message in caught_up.heard] == [m.View]
    assert caught_up.at.rev == ana.at.rev
    assert caught_up.at.seats == ana.at.seats
    house.ask(ana, m.SetReady, game=0, round=0, ready=True)
    caught_up.received(b"".join(link.written[1:]))
    assert caught_up.at.seats == ana.at.seats


def test_much_at_once_is_no_slow_reader() -> None:
    """What fills the box within one turn of the loop goes out: the link has room for it."""
    house = HouseOfTests(outbox_frames=20)
    (ana,) = house.table("Ana")
    session, link = stuck_session(house, "Caio")
    session.received(encode(m.Watch(id=1, table=1)))
    house.clock.settle()
    link.written.clear()
    for n in range(50):
        ana.send(m.SetReady(id=n, game=0, round=0, ready=n % 2 == 0))
    house.clock.settle()
    caio = Peer()
    caio.received(b"".join(link.written))
    assert len(caio.all(m.Update)) == len(ana.all(m.Done)) - 1 == 50
    house.clock.advance(11)
    assert link.ended == ""


def test_a_reader_that_stays_stuck_is_cut_off() -> None:
    """Ten seconds after it fell behind, whatever it still says."""
    house = HouseOfTests(outbox_frames=20)
    (ana,) = house.table("Ana")
    session, link = stuck_session(house, "Caio")
    session.received(encode(m.Watch(id=1, table=1)))
    link.stuck = True
    link.unsent = 100_000
    for n in range(30):
        house.ask(ana, m.SetReady, game=0, round=0, ready=n % 2 == 0)
    for _ in range(9):
        house.clock.advance(1)
        session.received(encode(m.Pong(now=1)))
    assert link.ended == ""
    house.clock.advance(1.1)
    assert link.ended == "aborted"
    session.lost()
    house.clock.settle()
    assert ana.at.watchers == ()


def test_one_broken_link_does_not_stop_the_others() -> None:
    """A write that fails ends that connection alone, in the midst of telling everybody."""
    house = HouseOfTests()
    ana, bia = house.table("Ana", "Bia")
    session, link = stuck_session(house, "Aaron")
    session.received(encode(m.Watch(id=1, table=1)))
    house.clock.settle()

    def fail(data: bytes) -> None:
        raise OSError("gone")

    link.write = fail  # type: ignore[method-assign]
    house.ask(ana, m.SetReady, game=0, round=0)
    assert bia.at.seats[0].ready
    assert link.ended == "aborted"


def many(house: HouseOfTests, number: int, address: Callable[[int], str]) -> list[str]:
    """Connect so many times and tell how each ended."""
    ends = []
    for n in range(number):
        link = StuckLink(address(n))
        house.lobby.session().opened(link)
        house.clock.settle()
        ends.append(link.ended)
    return ends


def test_connections_are_limited() -> None:
    """64 that have not greeted, 16 from one address, 512 in all; this machine is exempt."""
    house = HouseOfTests(connections_per_address=16)
    same = many(house, 20, lambda n: "192.0.2.1")
    assert same == [""] * 16 + ["closed"] * 4
    other = many(house, 60, lambda n: f"192.0.2.{n + 10}")
    assert other == [""] * 48 + ["closed"] * 12
    house.clock.advance(6)
    assert house.lobby.sessions == 80 - 16  # closed links whose end has not come; none is new
    fresh = HouseOfTests(connections=30)
    for n in range(30):
        stuck_session(fresh, f"P{n}", "127.0.0.1")
    assert many(fresh, 1, lambda n: "127.0.0.1") == ["closed"]


def test_tables_are_limited() -> None:
    """Two from one address, so many in all."""
    house = HouseOfTests(tables=3)
    made = []
    for n, address in enumerate(["192.0.2.1"] * 3 + ["192.0.2.2", "192.0.2.3"]):
        session, link = stuck_session(house, f"P{n}", address)
        link.written.clear()
        session.received(encode(m.Make(id=5, name=f"T{n}")))
        house.clock.settle()
        heard = Peer()
        heard.received(b"".join(link.written))
        made.append(heard.all(m.Refused)[-1].reason if heard.all(m.Refused) else "done")
    assert made == ["done", "done", "too_many_tables", "done", "too_many_tables"]


def test_watchers_are_limited() -> None:
    """So that the whole picture of a table always fits into a frame, whatever their names are."""
    house = HouseOfTests(watchers_per_table=100)
    (ana,) = house.table("Ana")
    answers = []
    for n in range(102):
        name = "".join(chr(0x4E00 + n * 8 + k) for k in range(8))
        eva = house.peer(name)
        answers.append(house.ask(eva, m.Watch, table=1))
    assert answers == ["done"] * 100 + ["table_full"] * 2
    assert len(encode(m.View(view=ana.at))) < 48 * 1024
    assert house.ask(ana, m.Watch, table=1) == "done"


def test_as_many_tables_and_watchers_as_may_be_set_fit_into_a_frame() -> None:
    """With the heaviest names there are: four bytes a sign, and three marks on each."""
    cells = "\U00010330" + "\U0001e8d0" * 3
    name, table = judge(cells * NAME_CELLS), judge_table_name(cells * TABLE_NAME_CELLS)
    house = HouseOfTests()
    (ana,) = house.game("Ana", bots=9, max_players=10)
    watchers = (v.Person(2**53, name, True),) * _most("watchers_per_table")
    seats = tuple(replace(seat, name=name, person=2**53) for seat in ana.at.seats)
    ladder = (v.Placed(9, Bid(60, 6)),) * 300
    view = replace(ana.at, name=table, seats=seats, watchers=watchers, ladder=ladder)
    assert len(encode(m.View(view=view))) <= TO_CLIENT
    rules = {
        option: True if choice is SWITCH else max(choice.words, key=len, default=3600)
        for option, choice in CHOICES.items()
    }
    line = replace(house.the_table().line(), table=2**53, name=table, rules=rules)
    assert len(encode(m.Tables(tables=(line,) * _most("tables")))) <= TO_CLIENT


def _most(setting: str) -> int:
    return int(BY_NAME[setting].metadata["most"])


def test_at_the_end_everybody_is_told() -> None:
    """bye, then the connection closes."""
    house = HouseOfTests()
    ana, bia = house.game("Ana", "Bia")
    house.lobby.close("shutdown")
    house.clock.settle()
    assert [peer.last(m.Bye).reason for peer in (ana, bia)] == ["shutdown"] * 2
    assert ana.is_lost
    assert bia.is_lost
