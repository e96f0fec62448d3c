"""A lost connection on the screen: the table stays in sight, and comes back as it was left."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from perudo_client.address import Address
from perudo_client.endings import Closed
from perudo_client.kept import KeptSeats
from perudo_client.screens.away import AwayScreen
from perudo_client.screens.lobby import LobbyScreen
from perudo_client.screens.start import StartScreen
from perudo_client.screens.table import TableScreen
from perudo_client.screens.waiting import LostScreen
from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.views import Person, SeatView, TableView
from perudo_protocol.vocabulary import Player
from tests.support import sample_views
from tests.support.fake_wire import Play, playing
from tests.support.sample_views import ME

SIZES = [(80, 24), (40, 20)]


def words(play: Play) -> str:
    return " ".join(play.text().split())


def upper(play: Play) -> list[str]:
    """Give the part of the screen that the news of a lost connection leaves alone."""
    return play.lines()[: play.app.size.height - 4]


# Lost and back -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_the_table_stays_in_sight_while_we_try(width: int, height: int) -> None:
    async with playing(width, height) as play:
        await play.sit(sample_views.six())
        before = upper(play)
        await play.lose()
        assert isinstance(play.app.screen, AwayScreen)
        assert upper(play)[:9] == before[:9]
        assert "The connection is lost." in words(play)
        assert "Your seat is kept for 1:00." in words(play)
        assert "try now" in words(play)
        assert "give up" in words(play)


async def test_the_next_try_and_the_seat_are_counted_down() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        play.server.down = True
        await play.lose()
        await play.pass_time(1)  # the first try fails
        assert "Next try in" in words(play)
        assert "kept for 0:59" in words(play)
        await play.pass_time(10)
        assert "kept for 0:49" in words(play)
        await play.pass_time(60)
        assert "The seat may have been given to a bot by now" in words(play)
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
        assert "Go back to your seat at Friday table" in words(play)
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
        assert "seat" not in words(play).split("lost.")[1]
        await play.come_back(m.Tables(tables=()))
        assert isinstance(play.app.screen, LobbyScreen)
        assert "There is no table yet" in play.text()


async def test_a_table_that_has_closed_meanwhile_is_left() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.lose()
        await play.come_back(m.Tables(tables=()))
        assert isinstance(play.app.screen, LobbyScreen)
        assert "The table has closed." in words(play)


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
        assert "Your seat was given up" in words(play)
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
        assert "come back from somewhere else" in words(play)
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
        assert "The server has stopped." in words(play)
        assert "you have your seat back" in words(play)
        for _second in range(58):
            await play.pass_time(1)
        assert isinstance(play.app.screen, AwayScreen)
        for _second in range(5):
            await play.pass_time(1)
        assert isinstance(play.app.screen, LostScreen)
        assert "The server stops" in words(play)


async def test_a_server_that_stops_is_waited_for_in_the_lobby_too() -> None:
    async with playing() as play:
        await play.greet(sample_views.tables())
        play.server.say(m.Bye(reason="shutdown"))
        await play.lose(Closed.TOLD)
        assert isinstance(play.app.screen, AwayScreen)
        assert "seat" not in words(play).split("stopped.")[1].split("try now")[0]
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
        assert "Your seat is kept for 1:00 if the server runs on." in words(play)


# For how long, and who played meanwhile -----------------------------------------------------------


async def test_the_time_away_counts_from_the_last_word_of_the_server() -> None:
    async with playing() as play:
        view = sample_views.six()
        await play.sit(view)
        await play.pass_time(7)  # nothing is heard any more
        await play.lose()
        await play.come_back(m.View(view=view))
        assert "The connection was lost for 9 seconds; you are back." in words(play)
        assert "a bot has played" not in words(play)


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
        assert "The connection was lost for 77 seconds; a bot has played for you." in words(play)


async def test_a_bot_is_named_only_where_one_can_have_played() -> None:
    async with playing() as play:
        view = sample_views.six()
        await play.sit(view)
        await play.lose()
        await play.pass_time(30)
        await play.come_back(m.View(view=replace(view, round=view.round + 1)))
        assert "seconds; you are back." in words(play)


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
        assert words(play).count("cannot write down") == 1
        play.server.say(m.Refused(re=model.dudo().id, reason="storage_full"))
        await play.settle()
        assert words(play).count("cannot write down") == 1
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


# Going on purpose, and not -----------------------------------------------------------------------


@pytest.mark.parametrize("how", ["ctrl+q", "ctrl+c", "home"])
async def test_whoever_quits_leaves_the_table_first(how: str, tmp_path: Path) -> None:
    async with playing(seats=KeptSeats(tmp_path)) as play:
        await play.sit(sample_views.six())
        if how == "home":
            await play.app.run_action("app.home")
        else:
            await play.pilot.press(how, how)
        server = play.server
    assert isinstance(server.sent[-1], m.Leave)
    assert KeptSeats(tmp_path).offered() is None


@pytest.mark.parametrize("code", [1, 129])
async def test_a_crash_and_a_lost_terminal_leave_the_seat(code: int, tmp_path: Path) -> None:
    async with playing(seats=KeptSeats(tmp_path)) as play:
        await play.sit(sample_views.six())
        server = play.server
        play.app.exit(None, code)
    assert server.sent == []
    offered = KeptSeats(tmp_path).offered()
    assert offered is not None
    assert (offered.table_name, offered.name, offered.person) == ("Friday table", "João", ME)


async def test_the_start_screen_offers_the_seat_first(tmp_path: Path) -> None:
    await test_a_crash_and_a_lost_terminal_leave_the_seat(1, tmp_path)
    async with playing(seats=KeptSeats(tmp_path)) as play:
        assert "Go back to your seat at Friday table" in words(play)
        assert "As João, on 127.0.0.1:7654." in words(play)
        await play.press("enter")
        assert play.server.came_back == [ME]
        play.server.say(play.server.welcome(resumed=True), m.View(view=sample_views.six()))
        await play.settle()
        assert isinstance(play.app.screen, TableScreen)


async def test_another_item_of_the_start_screen_is_still_what_it_says(tmp_path: Path) -> None:
    await test_a_crash_and_a_lost_terminal_leave_the_seat(1, tmp_path)
    async with playing(seats=KeptSeats(tmp_path)) as play:
        await play.press("down", "enter")
        assert play.app.visit.wire.alone


async def test_the_address_of_a_seat_leads_back_to_it(tmp_path: Path) -> None:
    await test_a_crash_and_a_lost_terminal_leave_the_seat(1, tmp_path)
    async with playing(seats=KeptSeats(tmp_path)) as play:
        play.app.visit.connect_to("127.0.0.1:7654", "João")
        await play.settle()
        assert play.server.came_back == [ME]
        play.server.say(m.Error(error="bad_proof", detail=""))
        await play.settle()
        assert play.server.names == ["João"]
        play.server.say(play.server.welcome(), m.Tables(tables=()))
        await play.settle()
        assert isinstance(play.app.screen, LobbyScreen)


async def test_another_name_is_another_player(tmp_path: Path) -> None:
    await test_a_crash_and_a_lost_terminal_leave_the_seat(1, tmp_path)
    async with playing(seats=KeptSeats(tmp_path)) as play:
        play.app.visit.connect_to("127.0.0.1:7654", "Bia")
        await play.settle()
        assert play.server.came_back == []
        assert play.server.names == ["Bia"]
        assert "A seat of yours waits there as João:" in words(play)


async def test_a_seat_is_found_by_its_address_alone(tmp_path: Path) -> None:
    await test_a_crash_and_a_lost_terminal_leave_the_seat(1, tmp_path)
    there = Address("127.0.0.1", 7654)
    async with playing(seats=KeptSeats(tmp_path), address=there, name="Bia") as play:
        assert play.server.came_back == [ME]
        assert "You go back to your seat at Friday" in words(play)


# Others who are away, more time, pauses ----------------------------------------------------------


def with_seat(view: TableView, number: int, **changes: object) -> tuple[SeatView, ...]:
    seats = list(view.seats)
    seats[number] = replace(seats[number], **changes)
    return tuple(seats)


def people(view: TableView, number: int, **changes: object) -> ev.People:
    return ev.People(view.host, with_seat(view, number, **changes), view.watchers)


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_a_player_who_is_away_is_marked_and_counted(width: int, height: int) -> None:
    async with playing(width, height) as play:
        view = sample_views.six()
        await play.sit(view)
        await play.tell(people(view, 1, away=40_000))
        row = next(line for line in play.lines() if " Bia " in line)
        assert "away 0:40" in row
        await play.pass_time(28)
        row = next(line for line in play.lines() if " Bia " in line)
        assert "away 0:12" in row
        assert "Bia is away for now." in words(play)
        await play.tell(people(view, 1, player=Player.STAND_IN, person=500, away=0))
        row = next(line for line in play.lines() if " Bia " in line)
        assert "bot plays" in row
        assert "Bia is away: a bot plays on." in words(play)
        await play.tell(people(view, 1))
        assert "Bia is back and plays again." in words(play)


async def test_where_there_is_no_room_for_words_a_sign_stands_by_the_name() -> None:
    async with playing(40, 20) as play:
        view = sample_views.ten()
        await play.sit(replace(view, seats=with_seat(view, 1, away=40_000)))
        assert "Bia-Maximili… ~ 5" in play.text()


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_one_who_was_away_takes_the_seat_back(width: int, height: int) -> None:
    async with playing(width, height) as play:
        view = sample_views.six()
        await play.sit(view)
        await play.tell(people(view, 5, away=30_000))
        assert "You count as away: press b, or a bot plays for you in 0:30." in words(play)
        watching = (Person(ME, "João", waiting=True),)
        bot = {"player": Player.STAND_IN, "person": 500, "away": 0, "name": "João"}
        seats = with_seat(view, 5, **bot)
        await play.tell(ev.People(view.host, with_seat(view, 5, name="João", away=1), ()))
        await play.tell(ev.People(view.host, seats, watching))
        assert "You were away; a bot plays for you. Press b to come back." in words(play)
        assert "come back" in play.lines()[-1]
        play.sent.clear()
        await play.press("enter", "d")
        assert play.sent == []
        await play.press("b")
        assert [type(each) for each in play.sent] == [m.Back]


async def test_more_time_is_offered_where_it_can_be_had() -> None:
    async with playing() as play:
        view = sample_views.six()
        await play.sit(view)
        await play.press("m")
        assert play.sent == []
        await play.tell(people(view, 5, more_time=True))
        await play.press("m")
        (asked,) = play.sent
        assert isinstance(asked, m.MoreTime)
        assert asked.game == view.game
        await play.tell(ev.TimeGiven(5))
        assert "You have more time." in words(play)
        await play.press("m")
        assert len(play.sent) == 1


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_a_host_pauses_and_goes_on(width: int, height: int) -> None:
    async with playing(width, height) as play:
        view = sample_views.six(host=ME)
        await play.sit(view)
        await play.press("p")
        assert [(type(each), getattr(each, "on", None)) for each in play.sent] == [(m.Pause, True)]
        await play.tell(ev.Paused(600_000))
        assert "You have paused the game. It goes on in 10:00 at the latest" in words(play)
        assert "paused" in play.lines()[0]
        play.sent.clear()
        await play.press("d", "enter")
        assert play.sent == []
        await play.press("p")
        assert [(type(each), getattr(each, "on", None)) for each in play.sent] == [(m.Pause, False)]
        await play.tell(ev.Paused(0))
        assert "The game goes on." in words(play)
        assert "at the latest" not in words(play)


async def test_others_cannot_pause_and_see_why_it_stands_still() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press("p")
        assert play.sent == []
        await play.tell(ev.Paused(600_000))
        assert "The host has paused the game." in words(play)


async def test_in_a_reveal_the_key_that_brings_us_back_stands_first() -> None:
    async with playing(40, 20) as play:
        view = sample_views.six()
        await play.sit(view)
        await play.tell(people(view, view.my_seat, away=40_000))
        play.server.say(m.View(view=replace(sample_views.reveal(), table=view.table, rev=9)))
        await play.settle()
        shown = play.app.visit.model.view
        assert shown is not None
        await play.tell(people(shown, shown.my_seat, away=40_000))
        assert "press b" in words(play)
        assert play.lines()[-1].strip().startswith("b ")


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_a_full_disk_is_said_once_and_stays_in_sight(width: int, height: int) -> None:
    async with playing(width, height) as play:
        await play.sit(sample_views.six())
        for _again in range(5):
            play.server.say(m.Notice(notice="storage_full"))
        await play.settle()
        assert words(play).count("everything waits") == 1
        await play.press("d")
        assert play.sent == []
        play.server.say(m.Notice(notice="storage_back"), m.Notice(notice="from the future"))
        await play.settle()
        assert "it goes on" in words(play)
        await play.press("d")
        assert len(play.sent) == 1
