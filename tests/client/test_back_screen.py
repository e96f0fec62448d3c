"""A lost connection on the screen: the table stays in sight, and comes back as it was left."""

from __future__ import annotations

from pathlib import Path

import pytest

from perudo_client.endings import Closed
from perudo_client.kept import KeptSeats
from perudo_client.screens.away import AwayScreen
from perudo_client.screens.lobby import LobbyScreen
from perudo_client.screens.start import StartScreen
from perudo_client.screens.table import TableScreen
from perudo_client.screens.waiting import LostScreen
from perudo_protocol import messages as m
from tests.support import sample_views
from tests.support.fake_wire import Play, playing
from tests.support.sample_views import ME

SIZES = [(80, 24), (40, 20)]


def upper(play: Play) -> list[str]:
    """Give the part of the screen that the news of a lost connection leaves alone."""
    return play.lines()[: play.app.size.height - 4]


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_the_table_stays_in_sight_while_we_try(width: int, height: int) -> None:
    async with playing(width, height) as play:
        await play.sit(sample_views.six())
        before = upper(play)
        await play.lose()
        assert isinstance(play.app.screen, AwayScreen)
        assert upper(play)[:9] == before[:9]
        assert "The connection is lost." in play.words()
        assert "Your seat is kept for 1:00." in play.words()
        assert "try now" in play.words()
        assert "give up" in play.words()


async def test_the_next_try_and_the_seat_are_counted_down() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        play.server.down = True
        await play.lose()
        await play.pass_time(1)  # the first try fails
        assert "Next try in" in play.words()
        assert "kept for 0:59" in play.words()
        await play.pass_time(10)
        assert "kept for 0:49" in play.words()
        await play.pass_time(60)
        assert "The seat may have been given to a bot by now" in play.words()
        assert isinstance(play.app.screen, AwayScreen)


async def test_we_come_back_to_the_very_table_with_its_story() -> None:
    async with playing() as play:
        view = sample_views.six()
        await play.sit(view)
        play.server.say(m.Said(person=100, name="Ana", text="Good evening"))
        await play.settle()
        before = play.lines()
        await play.lose()
        await play.come_back(m.View(view=view))
        assert play.server.came_back == [ME]
        assert play.server.names == ["João"]
        assert isinstance(play.app.screen, TableScreen)
        assert "Good evening" in play.text()
        assert "you are back" in play.text()
        assert play.lines()[:16] == before[:16]


async def test_what_was_not_answered_is_asked_again_with_the_same_number() -> None:
    async with playing() as play:
        view = sample_views.six()
        await play.sit(view)
        await play.press("d", "t", *"hi", "enter")
        asked = list(play.sent)
        assert [type(each) for each in asked] == [m.Dudo, m.Say]
        dudo = asked[0]
        assert isinstance(dudo, m.Dudo)
        play.server.say(m.Done(re=asked[1].id))  # type: ignore[union-attr]
        await play.lose()
        play.sent.clear()
        await play.come_back(m.View(view=view))
        assert play.sent == [dudo]
        play.server.say(m.Done(re=dudo.id))
        await play.lose()
        play.sent.clear()
        await play.come_back(m.View(view=view))
        assert play.sent == []


async def test_nobody_acts_on_a_table_that_may_have_moved_on() -> None:
    async with playing() as play:
        view = sample_views.six()
        await play.sit(view)
        await play.lose()
        await play.press("d", "s", "5", "t", "q", "up", "space")
        assert isinstance(play.app.screen, AwayScreen)
        assert play.sent == []
        await play.come_back(m.View(view=view))
        assert play.sent == []
        assert play.app.visit.model.pending == {}
        await play.press("d")
        assert [type(each) for each in play.sent] == [m.Dudo]


async def alone(play: Play) -> None:
    """Begin a game on a server of our own."""
    await play.press("enter")
    play.server.say(play.server.welcome(), m.View(view=sample_views.six()))
    await play.settle()
    play.server.say(m.Done(re=1))
    assert play.app.visit.wire.alone


async def test_a_game_alone_goes_on_after_the_program_stood_still() -> None:
    """Its server has only missed it: Ctrl-Z, and `fg` a while later."""
    async with playing() as play:
        await alone(play)
        play.server.say(m.Bye(reason="dead"))
        await play.lose(Closed.TOLD)
        assert isinstance(play.app.screen, AwayScreen)
        await play.come_back(m.View(view=sample_views.six()))
        assert play.server.came_back == [ME]
        assert not isinstance(play.app.screen, AwayScreen)


async def test_a_game_alone_is_over_with_its_server() -> None:
    async with playing() as play:
        await alone(play)
        await play.lose()
        assert isinstance(play.app.screen, LostScreen)


async def test_a_game_alone_that_was_given_up_is_not_begun_anew() -> None:
    async with playing() as play:
        await alone(play)
        play.server.say(m.Bye(reason="dead"))
        await play.lose(Closed.TOLD)
        await play.pass_time(2)
        play.server.say(m.Error(error="bad_proof", detail=""))
        await play.settle()
        assert isinstance(play.app.screen, LostScreen)
        assert play.server.names == ["João"]


async def test_enter_tries_at_once() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        play.server.down = True
        await play.lose()
        await play.pass_time(1)
        tries = play.server.tries
        await play.press("enter")
        assert play.server.tries == tries + 1


async def test_escape_gives_up_and_leaves_the_seat_to_be_taken(tmp_path: Path) -> None:
    async with playing(seats=KeptSeats(tmp_path)) as play:
        await play.sit(sample_views.six())
        play.server.down = True
        await play.lose()
        await play.press("escape")
        assert isinstance(play.app.screen, StartScreen)
        assert "Go back to your seat at Friday table" in play.words()
        tries = play.server.tries
        await play.pass_time(10)
        assert play.server.tries == tries
        play.server.down = False
        await play.press("home", "enter")
        assert play.server.came_back == [ME]


async def test_what_was_typed_is_still_there() -> None:
    async with playing() as play:
        view = sample_views.six()
        await play.sit(view)
        await play.press("t", *"half a sen")
        await play.lose()
        await play.press("x", "y")
        await play.come_back(m.View(view=view))
        assert "half a sen" in play.text()
        await play.press(*"tence", "enter")
        (said,) = play.sent
        assert isinstance(said, m.Say)
        assert said.text == "half a sentence"


async def test_a_connection_that_is_lost_again_is_tried_again() -> None:
    async with playing() as play:
        view = sample_views.six()
        await play.sit(view)
        await play.lose()
        await play.pass_time(1)
        assert play.server.came_back == [ME]
        play.server.lose()  # before anybody has answered
        await play.settle()
        assert isinstance(play.app.screen, AwayScreen)
        await play.come_back(m.View(view=view))
        assert play.server.came_back == [ME, ME]
        assert isinstance(play.app.screen, TableScreen)


async def test_a_screen_over_the_table_is_there_again_too() -> None:
    async with playing() as play:
        view = sample_views.six()
        await play.sit(view)
        await play.press("question_mark")
        rules = play.app.screen
        await play.lose()
        assert isinstance(play.app.screen, AwayScreen)
        await play.come_back(m.View(view=view))
        assert play.app.screen is rules
        await play.press("escape")
        assert isinstance(play.app.screen, TableScreen)


async def test_the_list_of_tables_comes_back_too() -> None:
    async with playing() as play:
        await play.greet(sample_views.tables())
        await play.lose()
        assert "Friday table" in play.text()
        assert "seat" not in play.words().split("lost.")[1]
        await play.come_back(m.Tables(tables=()))
        assert isinstance(play.app.screen, LobbyScreen)
        assert "There is no table yet" in play.text()


async def test_a_table_that_has_closed_meanwhile_is_left() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.lose()
        await play.come_back(m.Tables(tables=()))
        assert isinstance(play.app.screen, LobbyScreen)
        assert "The table has closed." in play.words()
