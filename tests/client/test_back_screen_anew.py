"""A connection that comes back late, or to a server for which we are nobody, on the screen."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from perudo_client.endings import Closed
from perudo_client.kept import KeptSeats
from perudo_client.screens.away import AwayScreen
from perudo_client.screens.lobby import LobbyScreen
from perudo_client.screens.waiting import LostScreen
from perudo_protocol import messages as m
from perudo_protocol.views import Person
from tests.support import sample_views
from tests.support.fake_wire import playing

# Not who we were ---------------------------------------------------------------------------------


async def test_a_seat_that_was_given_up_is_said_and_we_come_in_anew(tmp_path: Path) -> None:
    async with playing(seats=KeptSeats(tmp_path)) as play:
        await play.sit(sample_views.six())
        key = play.server.who.key
        await play.lose()
        await play.pass_time(1)
        play.server.say(m.Error(error="bad_proof", detail=""))
        assert play.server.names == ["João", "João"]
        assert play.server.who.key != key
        play.server.say(play.server.welcome(), m.Tables(tables=sample_views.tables()))
        await play.settle()
        assert isinstance(play.app.screen, LobbyScreen)
        assert "Your seat was given up" in play.words()
        assert KeptSeats(tmp_path).offered() is None


async def test_who_only_watched_watches_again() -> None:
    async with playing() as play:
        await play.sit(sample_views.six(mine=-1))
        await play.lose()
        await play.pass_time(1)
        play.server.say(m.Error(error="bad_proof", detail=""), play.server.welcome())
        await play.settle()
        (watch,) = play.sent
        assert isinstance(watch, m.Watch)
        assert watch.table == 1


async def test_who_came_back_elsewhere_is_told_and_does_not_try(tmp_path: Path) -> None:
    async with playing(seats=KeptSeats(tmp_path)) as play:
        await play.sit(sample_views.six())
        play.server.say(m.Bye(reason="taken_over"))
        await play.lose(Closed.TOLD)
        assert isinstance(play.app.screen, LostScreen)
        assert "come back from somewhere else" in play.words()
        tries = play.server.tries
        await play.pass_time(30)
        assert play.server.tries == tries
    assert KeptSeats(tmp_path).offered() is None


async def test_a_server_that_stops_is_waited_for_a_minute() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        play.server.say(m.Bye(reason="shutdown"))
        play.server.down = True
        await play.lose(Closed.TOLD)
        assert "The server has stopped." in play.words()
        assert "you have your seat back" in play.words()
        for _second in range(58):
            await play.pass_time(1)
        assert isinstance(play.app.screen, AwayScreen)
        for _second in range(5):
            await play.pass_time(1)
        assert isinstance(play.app.screen, LostScreen)
        assert "The server stops" in play.words()


async def test_a_server_that_stops_is_waited_for_in_the_lobby_too() -> None:
    async with playing() as play:
        await play.greet(sample_views.tables())
        play.server.say(m.Bye(reason="shutdown"))
        await play.lose(Closed.TOLD)
        assert isinstance(play.app.screen, AwayScreen)
        assert "seat" not in play.words().split("stopped.")[1].split("try now")[0]
        await play.pass_time(2)
        play.server.say(m.Error(error="bad_proof", detail=""))
        await play.settle()
        play.server.say(play.server.welcome(), m.Tables(tables=sample_views.tables()))
        await play.settle()
        assert isinstance(play.app.screen, LobbyScreen)


async def test_a_watcher_goes_on_watching_at_a_server_that_was_started_again() -> None:
    async with playing() as play:
        view = replace(sample_views.six(), you=99, hand=(), watchers=(Person(99, "João"),))
        await play.sit(view)
        play.server.say(m.Said(person=100, name="Ana", text="Good evening"))
        play.server.say(m.Bye(reason="shutdown"))
        await play.lose(Closed.TOLD)
        await play.pass_time(2)
        play.sent.clear()
        play.server.say(m.Error(error="bad_proof", detail=""))
        play.server.say(play.server.welcome(), m.Tables(tables=()))
        (watch,) = play.sent
        assert isinstance(watch, m.Watch)
        assert watch.table == view.table
        play.server.say(m.View(view=view))
        await play.settle()
        assert "Good evening" in play.text()


async def test_a_server_that_keeps_nothing_is_not_waited_for_when_it_stops(tmp_path: Path) -> None:
    async with playing(seats=KeptSeats(tmp_path)) as play:
        play.server.keeps = False
        await play.sit(sample_views.six())
        play.server.say(m.Bye(reason="shutdown"))
        await play.lose(Closed.TOLD)
        assert isinstance(play.app.screen, LostScreen)
        assert "This server keeps nothing: the game is over." in play.app.lost
    assert KeptSeats(tmp_path).offered() is None


async def test_a_server_that_keeps_nothing_promises_a_seat_only_as_long_as_it_runs() -> None:
    async with playing() as play:
        play.server.keeps = False
        await play.sit(sample_views.six())
        await play.lose()
        assert "Your seat is kept for 1:00 if the server runs on." in play.words()


# For how long, and who played meanwhile -----------------------------------------------------------


async def test_the_time_away_counts_from_the_last_word_of_the_server() -> None:
    async with playing() as play:
        view = sample_views.six()
        await play.sit(view)
        await play.pass_time(7)  # nothing is heard any more
        await play.lose()
        await play.come_back(m.View(view=view))
        assert "The connection was lost for 9 seconds; you are back." in play.words()
        assert "a bot has played" not in play.words()


async def test_who_slept_was_away_all_that_time() -> None:
    """What the server had said before it gave up is read after waking, all at once."""
    async with playing() as play:
        view = sample_views.six()
        await play.sit(view)
        play.app._tick()
        play.clock.now += 75
        play.server.say(m.Ping(now=5), m.Ping(now=10), m.Bye(reason="dead"))
        await play.lose(Closed.TOLD)
        gone_on = replace(view, round=view.round + 1)
        await play.come_back(m.View(view=gone_on))
        assert "The connection was lost for 77 seconds; a bot has played for you." in play.words()


async def test_a_bot_is_named_only_where_one_can_have_played() -> None:
    async with playing() as play:
        view = sample_views.six()
        await play.sit(view)
        await play.lose()
        await play.pass_time(30)
        await play.come_back(m.View(view=replace(view, round=view.round + 1)))
        assert "seconds; you are back." in play.words()


async def test_the_clock_stands_still_while_the_disk_is_full() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        model = play.app.visit.model
        left = model.seconds_left(play.clock.now)
        assert left is not None
        assert left > 5
        full = m.Notice(notice="storage_full")
        play.server.say(full)
        await play.pass_time(3)
        play.server.say(full)
        assert model.seconds_left(play.clock.now) == left
        await play.pass_time(30)
        assert model.seconds_left(play.clock.now) == left
        assert play.words().count("cannot write down") == 1
        play.server.say(m.Refused(re=model.dudo().id, reason="storage_full"))
        await play.settle()
        assert play.words().count("cannot write down") == 1
        play.server.say(m.Notice(notice="storage_back"))
        assert model.seconds_left(play.clock.now) == left
        await play.pass_time(2)
        assert model.seconds_left(play.clock.now) == left - 2


async def test_a_line_lost_while_the_disk_is_full_says_so() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        play.server.say(m.Notice(notice="storage_full"))
        await play.lose()
        lines = play.app.visit.lost_lines
        assert "Its disk may be full." in lines
