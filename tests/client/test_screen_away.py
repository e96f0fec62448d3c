"""Others who are away on the screen, more time, pauses, and a full disk."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from perudo_protocol import messages as m
from perudo_protocol import story as ev
from perudo_protocol.views import Person, SeatView, TableView
from perudo_protocol.vocabulary import Player
from tests.support import sample_views
from tests.support.fake_wire import playing
from tests.support.sample_views import ME

SIZES = [(80, 24), (40, 20)]


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
        assert "Bia is away for now." in play.words()
        await play.tell(people(view, 1, player=Player.STAND_IN, person=500, away=0))
        row = next(line for line in play.lines() if " Bia " in line)
        assert "bot plays" in row
        assert "Bia is away: a bot plays on." in play.words()
        await play.tell(people(view, 1))
        assert "Bia is back and plays again." in play.words()


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
        assert "You count as away: press b, or a bot plays for you in 0:30." in play.words()
        watching = (Person(ME, "João", waiting=True),)
        bot = {"player": Player.STAND_IN, "person": 500, "away": 0, "name": "João"}
        seats = with_seat(view, 5, **bot)
        await play.tell(ev.People(view.host, with_seat(view, 5, name="João", away=1), ()))
        await play.tell(ev.People(view.host, seats, watching))
        assert "You were away; a bot plays for you. Press b to come back." in play.words()
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
        assert "You have more time." in play.words()
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
        assert "You have paused the game. It goes on in 10:00 at the latest" in play.words()
        assert "paused" in play.lines()[0]
        play.sent.clear()
        await play.press("d", "enter")
        assert play.sent == []
        await play.press("p")
        assert [(type(each), getattr(each, "on", None)) for each in play.sent] == [(m.Pause, False)]
        await play.tell(ev.Paused(0))
        assert "The game goes on." in play.words()
        assert "at the latest" not in play.words()


async def test_others_cannot_pause_and_see_why_it_stands_still() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press("p")
        assert play.sent == []
        await play.tell(ev.Paused(600_000))
        assert "The host has paused the game." in play.words()


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
        assert "press b" in play.words()
        assert play.lines()[-1].strip().startswith("b ")


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_a_full_disk_is_said_once_and_stays_in_sight(width: int, height: int) -> None:
    async with playing(width, height) as play:
        await play.sit(sample_views.six())
        for _again in range(5):
            play.server.say(m.Notice(notice="storage_full"))
        await play.settle()
        assert play.words().count("everything waits") == 1
        await play.press("d")
        assert play.sent == []
        play.server.say(m.Notice(notice="storage_back"), m.Notice(notice="from the future"))
        await play.settle()
        assert "it goes on" in play.words()
        await play.press("d")
        assert len(play.sent) == 1
