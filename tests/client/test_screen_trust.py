"""What a player is asked about a server's certificate, and what is refused without a question."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from perudo_client.address import Address, parse
from perudo_client.endings import CannotConnect, Closed, Trouble
from perudo_client.screens.lobby import LobbyScreen
from perudo_client.screens.start import StartScreen
from perudo_client.screens.trust import TrustScreen
from perudo_client.screens.waiting import LostScreen, WaitingScreen
from perudo_protocol.messages import Tables, View, Welcome
from perudo_protocol.pins import fingerprint, pin_of
from tests.support import sample_views
from tests.support.fake_wire import Play, playing

ONE, TWO = bytes([1]) * 32, bytes([2]) * 32
WELCOME = Welcome(version=1, server="perudo-server", name="Home", person=11, you="João", now=0)
PLACE = Address("10.0.0.7")
SIZES = pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 20)])


def said(play: Play) -> str:
    """Give the words on the screen, without the box around them."""
    return " ".join(play.text().translate(dict.fromkeys(map(ord, "│╭╮╰╯─"), " ")).split())


def shows(play: Play, word: str) -> bool:
    """Say whether a long word is on the screen, on however many lines."""
    return word.replace(" ", "") in said(play).replace(" ", "")


async def meet(play: Play, shown: bytes = ONE) -> None:
    """Connect to a server that turns out to encrypt."""
    await play.press("a", *"10.0.0.7", "enter")
    play.server.shown = shown
    play.server.lose(Closed.ENCRYPTED)
    await play.settle()


@SIZES
async def test_an_unknown_server_is_asked_about_once(width: int, height: int) -> None:
    async with playing(width, height) as play:
        await meet(play)
        assert isinstance(play.app.screen, TrustScreen)
        assert "The authenticity of 10.0.0.7:7654 is not known" in said(play)
        assert shows(play, fingerprint(ONE))
        await play.press("y")
        assert play.server.addresses == [PLACE, PLACE._replace(pin=pin_of(ONE))]
        assert isinstance(play.app.screen, WaitingScreen)
        play.server.say(WELCOME, Tables(tables=()))
        await play.settle()
        assert isinstance(play.app.screen, LobbyScreen)
        play.app.action_home()
        await play.settle()
        assert play.app.screen.query_one("#address Input", Input).value == "10.0.0.7:7654"
        play.app.visit.connect_to("10.0.0.7", "João")
        await play.settle()
        assert play.server.addresses[2:] == [PLACE._replace(pin=pin_of(ONE))]
        assert isinstance(play.app.screen, WaitingScreen)


async def test_yes_is_not_said_by_chance_and_no_keeps_nothing() -> None:
    async with playing() as play:
        await meet(play)
        await play.press("enter", "space")
        assert isinstance(play.app.screen, TrustScreen)
        await play.press("escape")
        assert isinstance(play.app.screen, StartScreen)
        assert len(play.server.addresses) == 1
        assert play.app.visit.wire.known.vouched(PLACE) == PLACE


async def test_the_table_that_one_was_going_to_is_not_forgotten() -> None:
    async with playing(address=Address("10.0.0.7", 7654, 3)) as play:
        play.server.shown = ONE
        play.server.lose(Closed.ENCRYPTED)
        await play.settle()
        await play.press("y")
        assert play.server.addresses[-1] == Address("10.0.0.7", 7654, 3, pin_of(ONE))
        play.server.say(WELCOME)
        assert "Join(" in repr(play.sent[-1])


async def test_a_pin_asks_nothing_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing() as play:
        play.app.visit.connect_to(f"perudo://10.0.0.7#{pin_of(ONE)}", "João")
        await play.settle()
        assert play.server.addresses == [PLACE._replace(pin=pin_of(ONE))]
        assert play.app.visit.wire.known.vouched(PLACE).pin == pin_of(ONE)
        play.app.visit.connect_to(f"perudo://10.0.0.7#{pin_of(TWO)}", "João")
        await play.settle()
        assert play.app.visit.wire.known.vouched(PLACE).pin == pin_of(ONE), (
            "only forgetting changes it"
        )


@pytest.mark.parametrize("trouble", [Trouble.CHANGED, Trouble.PLAIN])
async def test_another_server_is_refused_without_a_question(
    monkeypatch: pytest.MonkeyPatch, trouble: Trouble
) -> None:
    async with playing() as play:

        async def connect(*_given: object, **_named: object) -> None:
            raise CannotConnect(trouble, found=TWO)

        monkeypatch.setattr(play.server, "connect", connect)
        play.app.visit.wire.known.remember(PLACE, ONE)
        await play.press("a", *"10.0.0.7", "enter")
        assert isinstance(play.app.screen, LostScreen)
        assert "perudo-client --forget 10.0.0.7:7654" in said(play)
        if trouble is Trouble.CHANGED:
            assert shows(play, fingerprint(ONE))
            assert shows(play, fingerprint(TWO))
        assert play.app.visit.wire.known.vouched(PLACE).pin == pin_of(ONE)
        assert play.app.return_code in (None, 0)


async def test_a_connection_from_the_command_line_ends_with_77(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with playing(address=PLACE._replace(pin=pin_of(ONE))) as play:

        async def connect(*_given: object, **_named: object) -> None:
            raise CannotConnect(Trouble.CHANGED, found=TWO)

        monkeypatch.setattr(play.server, "connect", connect)
        play.app.action_reconnect()
        await play.pilot.pause()
        await play.pilot.pause()
        assert play.app.return_code == 77
    assert fingerprint(ONE) in play.app.refusal, "also when all is taken apart"
    assert fingerprint(TWO) in play.app.refusal


async def test_the_certificate_cannot_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing() as play:

        async def certificate_of(_address: Address) -> bytes:
            raise CannotConnect(Trouble.HANDSHAKE)

        monkeypatch.setattr(play.app.visit.wire, "_certificate_of", certificate_of)
        await meet(play)
        assert isinstance(play.app.screen, LostScreen)
        assert "No encrypted connection" in said(play)


async def test_friends_get_a_line_with_the_pin() -> None:
    async with playing(width=40, height=24) as play:
        await play.greet()
        play.server.certificate = ONE
        play.server.say(View(view=sample_views.lobby()))
        await play.settle()
        line = play.app.visit.join_line
        assert shows(play, line)
        there = parse(line.removeprefix("perudo-client "))
        assert (there.pin, there.table) == (pin_of(ONE), sample_views.lobby().table)


async def test_a_link_with_another_pin_than_the_known_one_is_followed_with_a_word() -> None:
    async with playing() as play:
        known = play.app.visit.wire.known
        known.remember(PLACE, ONE)
        play.app.visit.connect_to(f"perudo://{PLACE}#{pin_of(TWO)}", "Ana")
        await play.settle()
        assert play.server.addresses[-1].pin == pin_of(TWO)
        assert [
            "another certificate than this link names" in each.message
            for each in play.app._notifications
        ] == [True]
        assert known.vouched(PLACE).pin == pin_of(ONE)
        play.app.visit.connect_to(str(PLACE), "Ana")
        await play.settle()
        assert len(play.app._notifications) == 1
