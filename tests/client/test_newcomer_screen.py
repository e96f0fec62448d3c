"""What a newcomer stumbled over on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from perudo_client.address import Address
from perudo_client.endings import Closed
from perudo_client.screens.question import QuestionScreen
from perudo_client.screens.room import RoomScreen
from perudo_client.screens.secret import SecretScreen
from perudo_client.screens.table import TableScreen
from perudo_client.widgets.menu import BAR, THUMB, scroll_bar
from perudo_protocol import messages as m
from perudo_protocol.views import Person, TableView
from perudo_protocol.vocabulary import Player
from tests.support import sample_views
from tests.support.fake_wire import Play, playing

WORDS = "blue fox rain"
BOUND = 20.0
LOCKED = replace(sample_views.tables()[0], locked=True)
WELCOME = m.Welcome(version=1, server="s 1", name="Home", person=11, you="João", now=0)


def challenge(nonce: bytes = b"n" * 32) -> m.Challenge:
    return m.Challenge(table=LOCKED.table, salt=b"s" * 32, nonce=nonce, cost=15)


async def until(play: Play, so: Callable[[], bool]) -> None:
    """Wait for something that a thread does, with a bound."""
    async with asyncio.timeout(BOUND):
        while not so():
            await play.pilot.pause()
    await play.settle()


def unlocks(play: Play) -> list[m.Unlock]:
    return [each for each in play.sent if isinstance(each, m.Unlock)]


def watching(view: TableView) -> TableView:
    """See a table without a seat at it."""
    people = (*view.watchers, Person(person=999, name="João"))
    return replace(view, you=999, hand=(), watchers=people)


# Join words at hand -------------------------------------------------------------------------------


async def refused_at_the_door(play: Play) -> None:
    """Come to a server for a table of it that is locked, with words at hand."""
    play.server.say(WELCOME, m.Tables(tables=(LOCKED,)))
    join = play.sent[-1]
    assert isinstance(join, m.Join)
    play.server.say(challenge(), m.Refused(re=join.id, reason="locked"))


@pytest.mark.parametrize("drawn", [True, False])
async def test_right_words_at_hand_open_a_table_without_a_complaint(drawn: bool) -> None:
    """Also when the answer is there before anything was drawn."""
    async with playing(address=Address("10.0.0.7", table=LOCKED.table)) as play:
        play.app.visit.door.given = WORDS
        await refused_at_the_door(play)
        if drawn:
            await play.settle()
        await until(play, lambda: bool(unlocks(play)))
        assert "locked" not in play.text().replace("locked ·", "").replace("· locked", "")
        play.server.say(m.Done(re=unlocks(play)[0].id))
        join = play.sent[-1]
        assert isinstance(join, m.Join)
        play.server.say(m.Done(re=join.id), m.View(view=sample_views.lobby()))
        await play.settle()
        assert isinstance(play.app.screen, RoomScreen)
        assert "This table is locked" not in play.text()
        assert not play.app._notifications


async def test_what_was_refused_is_not_told_when_the_words_are_quicker_than_the_screen() -> None:
    async with playing(address=Address("10.0.0.7", table=LOCKED.table)) as play:
        play.app.visit.door.given = WORDS
        await refused_at_the_door(play)
        play.app.visit.door.close()  # as it does when the words were right
        await play.settle()
        assert not play.app._notifications


async def test_right_words_at_hand_open_a_game_without_a_complaint() -> None:
    async with playing(address=Address("10.0.0.7", table=LOCKED.table)) as play:
        play.app.visit.door.given = WORDS
        await refused_at_the_door(play)
        await until(play, lambda: bool(unlocks(play)))
        play.server.say(m.Done(re=unlocks(play)[0].id))
        join = play.sent[-1]
        assert isinstance(join, m.Join)
        play.server.say(m.Done(re=join.id), m.View(view=watching(sample_views.six())))
        await play.settle()
        assert isinstance(play.app.screen, TableScreen)
        assert "This table is locked" not in play.text()
        assert not play.app._notifications


async def test_wrong_words_at_hand_are_said_once() -> None:
    async with playing(address=Address("10.0.0.7", table=LOCKED.table)) as play:
        play.app.visit.door.given = WORDS
        await refused_at_the_door(play)
        await until(play, lambda: bool(unlocks(play)))
        again = challenge(b"m" * 32)
        play.server.say(again, m.Refused(re=unlocks(play)[0].id, reason="wrong_secret"))
        await play.settle()
        assert isinstance(play.app.screen, SecretScreen)
        assert "These are not the join words." in play.text()
        assert not play.app._notifications


async def test_words_that_are_too_short_cost_no_try() -> None:
    async with playing(address=Address("10.0.0.7", table=LOCKED.table)) as play:
        await refused_at_the_door(play)
        await play.settle()
        await play.press(*"help", "enter")
        assert "at least 6 letters" in play.text()
        assert not unlocks(play)


# Leaving ------------------------------------------------------------------------------------------

IN_A_GAME = {
    "bidding": sample_views.six(),
    "throw": sample_views.throw(),
    "reveal": sample_views.reveal(),
    "waiting": sample_views.waiting(),
}
NOT_IN_ONE = {
    "lobby": sample_views.lobby(),
    "over": sample_views.over(),
    "watching": watching(sample_views.six()),
    "out": sample_views.six(mine=4, hand=()),
}


@pytest.mark.parametrize("name", IN_A_GAME)
async def test_leaving_is_asked_in_every_part_of_a_game(name: str) -> None:
    async with playing() as play:
        await play.sit(IN_A_GAME[name])
        play.clock.now += 1
        await play.press("q")
        assert isinstance(play.app.screen, QuestionScreen)
        assert "Leave this game?" in play.text()
        assert not [each for each in play.sent if isinstance(each, m.Leave)]


@pytest.mark.parametrize("key", ["ctrl+q", "ctrl+c"])
@pytest.mark.parametrize("name", IN_A_GAME)
async def test_quitting_is_asked_in_every_part_of_a_game(name: str, key: str) -> None:
    async with playing() as play:
        await play.sit(IN_A_GAME[name])
        await play.press(key)
        assert play.app.is_running
        assert "Quit Perudo?" in play.text()
        await play.press("escape")
        assert not isinstance(play.app.screen, QuestionScreen)
        await play.press(key, key)
        assert play.app._exit


@pytest.mark.parametrize("keys", [("ctrl+q", "y"), ("ctrl+q", "enter"), ("q", "ctrl+q")])
async def test_a_question_never_keeps_anybody(keys: tuple[str, str]) -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press(*keys)
        assert play.app._exit


@pytest.mark.parametrize("name", NOT_IN_ONE)
async def test_whoever_loses_no_game_is_not_asked(name: str) -> None:
    async with playing() as play:
        await play.sit(NOT_IN_ONE[name])
        await play.press("ctrl+q")
        assert play.app._exit


async def test_while_the_connection_is_lost_quitting_is_not_asked() -> None:
    """The seat stays, and one may come back to it."""
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.lose()
        await play.press("ctrl+q")
        assert play.app._exit


# Watching -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", [sample_views.throw(), sample_views.reveal()])
async def test_a_watcher_is_not_offered_to_go_on(view: TableView) -> None:
    async with playing() as play:
        await play.sit(watching(view))
        for _step in range(3):
            play.clock.now += 1
            assert "the next round" not in play.lines()[-1]
            assert "for the others" not in play.lines()[-1]
            await play.press("enter")
        assert "waiting for the players" in play.lines()[-1]
        assert play.sent == []


async def test_a_player_is_offered_to_go_on_once() -> None:
    async with playing() as play:
        await play.sit(sample_views.throw())
        assert "any key the next round" in play.lines()[-1]
        await play.press("enter")
        assert isinstance(play.sent[-1], m.SetReady)
        view = play.app.visit.model.view
        assert view is not None
        seats = [replace(s, ready=s.person == view.you) for s in view.seats]
        play.server.say(m.View(view=replace(view, seats=tuple(seats))))
        await play.settle()
        assert "waiting for the others" in play.lines()[-1]


async def test_a_watcher_in_the_room_is_not_told_to_be_ready() -> None:
    async with playing() as play:
        await play.sit(watching(sample_views.lobby(mine=-1, host=2)))
        assert "Say that you are ready" not in play.text()
        assert "You watch" in play.text()


# Rematches ----------------------------------------------------------------------------------------


async def test_a_host_alone_is_told_what_another_game_needs() -> None:
    view = sample_views.over()
    gone = [replace(s, player=Player.STAND_IN, person=0) for s in view.seats[:5]]
    async with playing() as play:
        await play.sit(replace(view, seats=(*gone, view.seats[5]), host=view.you))
        assert "Another game needs at least two players" in play.text()
        await play.press("r")
        assert not [each for each in play.sent if isinstance(each, m.Rematch)]
        await play.press("b")
        assert isinstance(play.sent[-1], m.AddBot)


# The list -----------------------------------------------------------------------------------------


async def test_a_locked_table_is_not_called_open() -> None:
    busy = replace(LOCKED, table=9, name="Busy", playing=True, watchers=2)
    async with playing() as play:
        await play.greet((replace(LOCKED, playing=False, watchers=1), busy))
        text = play.text()
        assert "open" not in text.casefold()
        assert "1 watcher · locked" in text
        assert "2 watchers · locked · playing" in text


# Small screens ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [3, 6, 10])
async def test_the_join_words_are_on_a_small_screen_too(seats: int) -> None:
    view = sample_views.lobby(host=11)
    people = [replace(view.seats[2], name=f"Bot {n}") for n in range(1, seats)]
    async with playing(40, 20) as play:
        play.server.certificate = b"c" * 32
        await play.greet()
        play.app.visit.door.words_here = "amber-canoe-otter-plum"
        play.server.say(m.View(view=replace(view, seats=(view.seats[0], *people), watchers=())))
        await play.settle()
        text = play.text()
        assert "amber-canoe-otter-plum" in text
        line = play.app.visit.join_line
        assert line.replace(" ", "") in "".join(text.split())


@pytest.mark.parametrize("size", [(80, 24), (40, 20)])
async def test_the_question_for_trust_stands_where_questions_stand(size: tuple[int, int]) -> None:
    async with playing(*size) as play:
        await play.press("a", *"10.0.0.7", "enter")
        play.server.shown = b"c" * 32
        play.server.lose(Closed.ENCRYPTED)
        await play.settle()
        lines = play.lines()
        box = [number for number, line in enumerate(lines) if "│" in line or "╭" in line]
        above, below = box[0], len(lines) - 2 - box[-1]
        assert abs(above - below) <= 2
        assert "│  Go on? " in play.text()


async def test_themes_are_found_in_the_palette() -> None:
    async with playing() as play:
        titles = [each.title for each in play.app.get_system_commands(play.app.screen)]
        assert {"Theme: light", "Theme: dark"} <= set(titles)
        await play.press("ctrl+p", *"light")
        assert "Theme: light" in play.text()
        await play.press("enter")
        await play.press("enter")
        assert play.app.theme == "perudo-light"


async def test_aces_that_count_are_named_beside_the_dice_and_no_others() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        assert "you hold 1 × [5], aces counted" in play.text()
        await play.resize(40, 20)
        assert "1 × [5] with aces" in play.text()
    async with playing() as play:
        await play.sit(sample_views.palifico())
        assert "you hold 2 × [3] " in play.text()
    async with playing() as play:
        await play.sit(replace(sample_views.six(), hand=(2, 2, 4, 5, 6)))
        assert "you hold 1 × [5] " in play.text()


@pytest.mark.parametrize("size", [(80, 24), (40, 20), (60, 16)])
async def test_who_connects_to_nowhere_reads_what_to_do(size: tuple[int, int]) -> None:
    async with playing(*size) as play:
        await play.press("down", "enter")
        address, menu = (
            next(number for number, line in enumerate(play.lines()) if word in line)
            for word in ("Address  ", "Play now")
        )
        between = " ".join(" ".join(play.lines()[address + 1 : menu]).split())
        assert between == "Write the address of a server, such as 192.168.1.20:7654."
        assert "Quit" in play.text()
        await play.press(*"10.0.0.7", "enter")
        assert [str(each) for each in play.server.addresses] == ["10.0.0.7:7654"]


async def test_whoever_played_with_bots_is_not_told_of_people() -> None:
    async with playing() as play:
        over = sample_views.over()
        seats = tuple(
            each if each.person == over.you else replace(each, player=Player.BOT, person=0)
            for each in over.seats
        )
        await play.sit(replace(over, seats=seats, host=over.you))
        assert "Press r to play again with the same players." in play.text()
        await play.press("f1")
        assert "people" not in play.text()


async def test_a_form_that_is_longer_than_the_screen_shows_that_more_follows() -> None:
    async with playing(80, 24) as play:
        await play.greet()
        await play.press("m")
        bar = [line[-3] for line in play.lines() if line[-3:-2] in ("█", "│")]
        assert bar[0] == "█", "we are at the top"
        assert bar[-1] == "│", "there is more below"
        await play.press("end")
        bar = [line[-3] for line in play.lines() if line[-3:-2] in ("█", "│")]
        assert bar[0] == "│"
        assert bar[-1] == "█"
        await play.resize(80, 70)
        assert "█" not in play.text(), "all of it is there"


@pytest.mark.parametrize("height", [1, 2, 5, 16])
@pytest.mark.parametrize("more", [1, 2, 40, 900])
def test_a_bar_ends_where_the_list_ends(height: int, more: int) -> None:
    bars = [scroll_bar(top, height, height + more) for top in range(more + 1)]
    assert all(len(bar) == height for bar in bars)
    assert bars[0][0] == THUMB
    assert bars[-1][-1] == THUMB
    if height > 1:
        assert all(bar[-1] == BAR for bar in bars[:-1]), "more follows"
