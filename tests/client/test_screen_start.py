"""From the start screen to a game, and what happens when no server is there."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.events import Resize
from textual.geometry import Size

from perudo_client.address import Address
from perudo_client.config import load
from perudo_client.endings import CannotConnect, Closed, Trouble
from perudo_client.screens.lobby import LobbyScreen
from perudo_client.screens.start import StartScreen
from perudo_client.screens.table import TableScreen
from perudo_client.screens.waiting import LostScreen, WaitingScreen
from perudo_client.widgets.field import Field
from perudo_protocol.messages import (
    AddBot,
    Bye,
    Error,
    Make,
    Start,
    Tables,
    Update,
    View,
    Watch,
    Welcome,
)
from perudo_protocol.story import NextSet, Started, Thrown
from perudo_protocol.views import Throw
from tests.support import sample_views
from tests.support.fake_wire import Play, playing

HELLO = Welcome(version=1, server="perudo-server", name="Home", person=11, you="João", now=0)


async def test_one_enter_plays_alone_with_three_bots() -> None:
    async with playing() as play:
        await play.press("enter")
        assert isinstance(play.app.screen, WaitingScreen)
        assert play.server.names == ["João"]
        play.server.say(HELLO, Tables(tables=()))
        made = play.sent[-1]
        assert isinstance(made, Make)
        view = replace(sample_views.lobby(), game=0, rev=1)
        play.server.say(View(view=view))
        await play.settle()
        kinds = [type(message) for message in play.sent[1:]]
        assert kinds == [AddBot, AddBot, AddBot, Start]
        assert isinstance(play.app.screen, WaitingScreen), "no waiting room flashes up"
        throw = Thrown(tuple(Throw(seat, seat + 1) for seat in range(4)))
        play.server.say(Update(rev=2, events=(Started(1, 5), throw, NextSet(3, False, 5_000))))
        await play.settle()
        assert isinstance(play.app.screen, TableScreen)
        assert "Duda opens" in play.text()


@pytest.mark.parametrize("size", [(30, 10), (40, 14), (40, 20), (80, 20), (80, 24)])
async def test_all_that_can_be_chosen_is_in_sight(size: tuple[int, int]) -> None:
    async with playing(*size) as play:
        for words in ("Name", "Address", "Play now", "Connect", "Watch bots", "Rules", "Quit"):
            assert words in play.text(), words


async def test_a_game_alone_ends_with_its_player_and_leaves_no_address() -> None:
    async with playing() as play:
        await play.greet()
        await play.press("escape")
        assert "127.0.0.1:7654" in play.text()
        play.server.address = Address("127.0.0.1", 43259)
        await play.press("p")
        play.server.say(HELLO, View(view=replace(sample_views.lobby(), game=0, rev=1)))
        play.server.say(Update(rev=2, events=(Started(1, 5),)), View(view=sample_views.six()))
        await play.settle()
        await play.press("q")
        assert "Leave this game?" in play.text()
        assert "A bot plays on" not in play.text(), "the whole game ends"
        await play.press("enter")
        assert isinstance(play.app.screen, StartScreen)
        assert "43259" not in play.text()
        assert "127.0.0.1:7654" in play.text()


async def test_watching_bots_gives_up_the_seat() -> None:
    async with playing() as play:
        await play.press("d")
        play.server.say(HELLO)
        play.server.say(View(view=replace(sample_views.lobby(), rev=1)))
        await play.settle()
        kinds = [type(message) for message in play.sent]
        assert kinds == [Make, Watch, AddBot, AddBot, AddBot, AddBot, Start]


@pytest.mark.parametrize("passed", [Size(20, 6), Size(40, 20), Size(120, 40)])
async def test_a_size_that_has_passed_is_not_taken(passed: Size) -> None:
    """A window that is resized while the program starts: what is told of it comes late."""
    async with playing() as play:
        before = play.text()
        play.app.screen.post_message(Resize(passed, passed))
        await play.settle()
        assert play.text() == before
        await play.resize(*passed)
        await play.resize(80, 24)
        assert play.text() == before


async def test_an_address_is_typed_and_gone_to() -> None:
    async with playing() as play:
        await play.press("a", *"10.0.0.7", "enter")
        assert isinstance(play.app.screen, WaitingScreen)
        assert "10.0.0.7:7654" in play.text()
        play.server.say(HELLO, Tables(tables=sample_views.tables()))
        await play.settle()
        assert isinstance(play.app.screen, LobbyScreen)
        assert "Home" in play.text()


async def test_what_is_no_address_is_said_at_once() -> None:
    async with playing() as play:
        await play.press("a", *"http://x", "enter")
        assert isinstance(play.app.screen, StartScreen)
        assert "perudo://" in play.text()


async def test_a_name_is_used_and_kept() -> None:
    async with playing() as play:
        play.app.screen.query_one("#name", Field).value = "Zé"
        await play.press("enter")
        assert play.server.names == ["Zé"]
        assert play.app.settings.name == "Zé"


async def test_a_name_that_others_have_gets_a_number() -> None:
    async with playing() as play:
        await play.press("enter")
        play.server.say(Error(error="name_taken", detail=""))
        play.server.say(Error(error="name_taken", detail=""))
        await play.settle()
        assert play.server.names == ["João", "João 2", "João 3"]
        play.server.say(replace(play.server.welcome(), you="João 3"), Tables(tables=()))
        await play.settle()
        assert "already: you are João 3." in play.text()


async def test_a_name_that_no_server_takes_is_said() -> None:
    async with playing() as play:
        await play.press("enter")
        play.server.say(Error(error="bad_name", detail=""))
        await play.settle()
        assert isinstance(play.app.screen, LostScreen)
        assert "name" in play.text()
        await play.press("escape")
        assert isinstance(play.app.screen, StartScreen)


async def test_no_server_there_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing() as play:

        async def connect(*_given: object, **_named: object) -> None:
            raise CannotConnect(Trouble.REFUSED)

        monkeypatch.setattr(play.server, "connect", connect)
        await play.press("a", *"10.0.0.7", "enter")
        assert isinstance(play.app.screen, LostScreen)
        assert "No server listens at 10.0.0.7:7654" in play.words()


async def test_quitting_while_connecting_works_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing() as play:
        never = asyncio.Event()

        async def connect(*_given: object, **_named: object) -> None:
            await never.wait()

        monkeypatch.setattr(play.server, "connect", connect)
        await play.press("a", *"10.0.0.7", "enter")
        assert isinstance(play.app.screen, WaitingScreen)
        async with asyncio.timeout(20):
            await play.press("escape")
        assert isinstance(play.app.screen, StartScreen)
        await play.press("a", *"10.0.0.7", "enter", "ctrl+q")
        assert play.app._exit


async def test_a_server_that_sends_us_off_is_said_and_can_be_reached_again() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        play.server.say(Bye(reason="taken_over"))
        play.server.lose(Closed.TOLD)
        await play.settle()
        assert isinstance(play.app.screen, LostScreen)
        assert "come back from somewhere else" in play.text()
        await play.press("r")
        assert isinstance(play.app.screen, WaitingScreen)
        assert len(play.server.names) == 2
        play.server.say(HELLO, Tables(tables=()))
        await play.settle()
        assert isinstance(play.app.screen, LobbyScreen)


async def test_a_servers_goodbye_is_said() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        play.server.say(Bye(reason="shutdown"))
        play.server.lose(Closed.TOLD)
        await play.settle()
        assert "The server has stopped" in play.text()
        await play.press("escape")
        assert isinstance(play.app.screen, StartScreen)


async def test_a_server_of_our_own_ends_with_the_app() -> None:
    async with playing() as play:
        await play.press("enter")
        server = play.server
    assert server.stopped


async def settings_of(play: Play, path: Path) -> tuple[bool, str]:
    """Turn odds on and choose a theme; give what the file keeps of it."""
    play.app.options = type(play.app.options)(settings=play.app.settings, config_path=path)
    await play.app.run_action("switch('odds')")
    play.app.theme = "perudo-light"
    await play.settle()
    kept, wrong = load(path)
    assert wrong == ""
    return kept.odds, kept.theme


async def test_settings_are_kept(tmp_path: Path) -> None:
    async with playing() as play:
        assert await settings_of(play, tmp_path / "client.toml") == (True, "perudo-light")
