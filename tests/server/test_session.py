"""One connection: greeting, bad bytes, slow readers, silence."""

from __future__ import annotations

import pytest

from perudo_protocol import messages as m
from perudo_protocol.codec import encode
from perudo_protocol.framing import frame
from perudo_server.people import Person
from perudo_server.session import FRAMES_AT_ONCE
from tests.support.house import HouseOfTests, Peer
from tests.support.stuck import StuckLink, send_raw, stuck_session

HELLO = m.Hello(versions=(1,), client="test", name="Ana")


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


def test_a_fault_with_somebody_who_waits_to_be_heard_ends_the_link() -> None:
    """As it does with one who is heard at once: nobody is left on a line that is never read."""
    house = HouseOfTests()
    (ana,) = house.table("Ana")
    session, link = stuck_session(house, "Eva")
    other, _ = stuck_session(house, "Bia", "192.0.2.8")
    for each in (session, other):
        each.received(encode(m.Watch(id=1, table=1)))
    house.clock.settle()

    handle = house.lobby.handle

    def fail(person: Person, request: m.Request) -> None:
        if person is session.person:
            raise RuntimeError("a fault of the server's")
        handle(person, request)

    house.lobby.handle = fail  # type: ignore[method-assign]
    session.received(encode(m.Pong(now=1)) * FRAMES_AT_ONCE + encode(m.Start(id=2)))
    other.received(encode(m.Pong(now=1)) * FRAMES_AT_ONCE + encode(m.Say(id=2, text="hi")))
    assert link.listening == [False]
    with pytest.raises(RuntimeError):
        house.clock.advance(1)
    assert link.ended == "aborted"
    house.clock.advance(1)
    assert ana.last(m.Said).text == "hi"


def test_at_the_end_everybody_is_told() -> None:
    """bye, then the connection closes."""
    house = HouseOfTests()
    ana, bia = house.game("Ana", "Bia")
    house.lobby.close("shutdown")
    house.clock.settle()
    assert [peer.last(m.Bye).reason for peer in (ana, bia)] == ["shutdown"] * 2
    assert ana.is_lost
    assert bia.is_lost


def test_who_was_on_the_way_in_when_the_server_closed_is_told_too() -> None:
    """And does nothing more here: games are stopped, and go on with the next server alone."""
    house = HouseOfTests()
    house.game("Ana", "Bia")
    house.lobby.close("shutdown")
    house.clock.settle()
    late = house.peer("Cy")
    assert late.last(m.Bye).reason == "shutdown"
    assert late.is_lost
    assert all(not isinstance(message, m.Welcome) for message in late.heard)
