"""A server sends us on to another address: one line of text, and the same table."""

from __future__ import annotations

import pytest

from perudo_client.address import Address
from perudo_client.endings import Closed
from perudo_client.screens.secret import SecretScreen
from perudo_client.screens.table import TableScreen
from perudo_client.screens.trust import TrustScreen
from perudo_client.screens.waiting import LostScreen
from perudo_protocol import messages as m
from perudo_protocol.elsewhere import MOST_HOPS
from perudo_protocol.errors import BadMessage
from perudo_protocol.pins import pin_of
from tests.support import sample_views
from tests.support.fake_wire import Play, playing
from tests.support.sample_views import ME

HOME, THERE = "127.0.0.1", "192.168.1.21"
PLACE = f"{THERE}:7654"


def words(play: Play) -> str:
    return " ".join(play.text().replace("│", " ").split())


def hosts(play: Play) -> list[str]:
    return [address.host for address in play.server.addresses]


async def send_on(play: Play, place: str = PLACE, pin: str = "") -> None:
    """Send the client on, and let it make its next try."""
    play.server.say(m.Redirect(place=place, pin=pin))
    await play.settle()
    await play.pass_time(1)


async def test_we_go_there_as_who_we_are_and_play_on() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await send_on(play)
        assert "The server sends you on to" in words(play)
        assert f"{PLACE}." in words(play)
        assert "The connection is lost" not in words(play)
        assert play.server.addresses[-1] == Address(THERE, 7654)
        assert play.server.came_back == [ME]
        await play.come_back(m.View(view=sample_views.six()))
        assert isinstance(play.app.screen, TableScreen)
        assert play.server.names == ["João"], "a name is said at the first address alone"
        assert hosts(play) == [HOME, THERE]


async def test_what_was_asked_for_is_asked_for_there() -> None:
    """So a server says where a table is by sending on whoever asks for it."""
    async with playing() as play:
        await play.greet(sample_views.tables())
        play.app.visit.ask(play.app.visit.model.join(7))
        (join,) = play.sent
        await send_on(play)
        play.sent.clear()
        await play.come_back(m.Tables(tables=()))
        assert play.sent == [join]


async def test_a_pin_is_the_certificate_to_expect_and_is_not_kept() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await send_on(play, pin=pin_of(b"c" * 32))
        assert play.server.addresses[-1] == Address(THERE, 7654, pin=pin_of(b"c" * 32))
        assert play.app.visit.wire.known.certificate_at(THERE, 7654) == b""


async def test_the_seat_is_kept_by_the_first_address() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await send_on(play)
        await play.come_back(m.View(view=sample_views.six()))
        assert play.app.visit.wire.where is not None
        assert play.app.visit.wire.where.host == HOME


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("127.0.0.1:7654", "nearer to you"),
        ("169.254.169.254:8080", "nearer to you"),
        ("192.168.1.21:22", "a port of other services"),
        ("localhost:7654", "what is no address"),
        ("\x1b]0;pwned\x07[red]x", "what is no address"),
    ],
)
async def test_where_it_would_do_harm_we_do_not_go(place: str, said: str) -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await send_on(play, place)
        assert isinstance(play.app.screen, LostScreen)
        assert said in words(play)
        assert hosts(play) == [HOME]


async def test_encryption_is_not_given_up() -> None:
    async with playing() as play:
        play.server.certificate = b"c" * 32
        await play.sit(sample_views.six())
        await send_on(play)
        assert isinstance(play.app.screen, LostScreen)
        assert "without encryption" in words(play)
        assert hosts(play) == [HOME]


async def test_a_certificate_that_is_known_counts_more() -> None:
    async with playing() as play:
        play.app.visit.wire.known.remember(Address(THERE, 7654), b"k" * 32)
        await play.sit(sample_views.six())
        await send_on(play, pin=pin_of(b"c" * 32))
        assert "which you know by another certificate" in words(play)
        assert hosts(play) == [HOME]


async def test_nobody_is_sent_on_before_they_are_known() -> None:
    async with playing() as play:
        play.app.visit.connect_to("127.0.0.1:7654", "João")
        await play.settle()
        await send_on(play)
        assert isinstance(play.app.screen, LostScreen)
        assert "before it knows you" in words(play)
        assert hosts(play) == [HOME]


async def test_where_nobody_answers_the_first_address_is_asked_in_turn() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        play.server.down = True
        await send_on(play)
        await play.pass_time(2)
        await play.pass_time(2)
        assert hosts(play) == [HOME, THERE, HOME, THERE]
        play.server.down = False
        await play.come_back(m.View(view=sample_views.six()))
        assert isinstance(play.app.screen, TableScreen)
        assert hosts(play)[4:] == [HOME]
        await play.lose()
        await play.pass_time(1)
        assert hosts(play)[5:] == [HOME], "who is back at the first address asks nobody else"


async def test_who_is_not_known_there_greets_at_the_first_address_alone() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await send_on(play)
        play.server.say(m.Error(error="bad_proof", detail=""))
        await play.settle()
        assert play.server.names == ["João"]
        await play.pass_time(2)
        assert play.server.names == ["João", "João"]
        assert hosts(play) == [HOME, THERE, HOME]


@pytest.mark.parametrize("word", ["name_taken", "bad_name", "version", "too_many"])
async def test_no_error_there_brings_out_a_name(word: str) -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await send_on(play)
        play.server.say(m.Error(error=word, detail=""))
        await play.pass_time(2)
        assert play.server.names == ["João"]
        assert hosts(play) == [HOME, THERE, HOME]
        assert play.server.came_back == [ME, ME]


async def test_no_join_words_are_said_there() -> None:
    async with playing() as play:
        play.app.visit.wire.gate.given = "blue fox rain"
        await play.sit(sample_views.six())
        await send_on(play)
        play.sent.clear()
        with pytest.raises(BadMessage):
            play.server.say(m.Challenge(table=0, salt=b"s" * 32, nonce=b"n" * 32, cost=15))
        await play.settle()
        assert not isinstance(play.app.screen, SecretScreen)
        assert play.sent == []


@pytest.mark.parametrize("why", list(Closed))
async def test_whatever_is_there_the_first_address_is_asked_next(why: Closed) -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await send_on(play)
        await play.lose(why)
        await play.pass_time(2)
        assert not isinstance(play.app.screen, TrustScreen)
        assert hosts(play) == [HOME, THERE, HOME]


async def test_circles_end() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        for hop in range(MOST_HOPS + 1):
            await send_on(play, f"192.168.1.{21 + hop % 2}:7654")
            await play.come_back(m.View(view=sample_views.six()))
        await send_on(play)
        assert isinstance(play.app.screen, LostScreen)
        assert "on and on" in play.app.visit.wire.why
        assert len(hosts(play)) == MOST_HOPS + 2
