"""The table as a player meets it: keys, typed bids, mouse, reveal, turn signals."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from perudo_client.screens.table import TableScreen
from perudo_client.widgets.move import Move
from perudo_client.widgets.reveal import RevealPanel
from perudo_protocol.messages import Dudo, PlaceBid, Refused, Say, SetReady, SpotOn, View
from perudo_protocol.story import BidPlaced, Called, DieLost, NextSet, SeatLeft, TurnSet, Won
from perudo_protocol.views import Person
from perudo_protocol.vocabulary import Bid, Call
from tests.support import sample_views
from tests.support.fake_wire import Play, playing


def bids(play: Play) -> list[Bid]:
    """Give the bids that were sent."""
    return [Bid(m.quantity, m.face) for m in play.sent if isinstance(m, PlaceBid)]


async def test_enter_makes_the_least_bid() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press("enter")
        act = play.sent[-1]
        assert isinstance(act, PlaceBid)
        assert (act.quantity, act.face) == (5, 5)
        assert (act.game, act.round, act.number) == (3, 7, 4)


async def test_arrows_pick_only_what_is_legal() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        options = play.app.visit.model.my_options
        move = play.app.screen.query_one(Move)
        for key in ("left", "left", "up", "up", "right", "up", "up", "left", "down", "down"):
            await play.press(key)
            assert move.picked is not None
            assert options.allows(move.picked)
        await play.press("down", "enter")
        assert options.allows(bids(play)[-1])


async def test_more_stops_at_the_most() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press(*["right"] * 20, "enter")
        assert bids(play) == [Bid(17, 5)]


async def test_in_palifico_the_face_stays() -> None:
    async with playing() as play:
        await play.sit(sample_views.palifico())
        await play.press("up", "down", "right", "enter")
        assert bids(play) == [Bid(3, 3)]
        assert "spot-on" not in play.text()
        assert "palifico" in play.text()


async def test_letters_call() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press("d")
        assert isinstance(play.sent[-1], Dudo)
        await play.press("s")
        assert isinstance(play.sent[-1], SpotOn)


async def test_nothing_is_sent_when_it_is_not_our_turn() -> None:
    async with playing() as play:
        await play.sit(sample_views.waiting())
        await play.press("enter", "d", "s", "right", "up", "enter")
        assert play.sent == []


@pytest.mark.parametrize("typed", ["6 4", "6x4", "6 x 4", "6 fours"])
async def test_a_digit_begins_a_typed_bid(typed: str) -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press(*("space" if sign == " " else sign for sign in typed), "enter")
        assert bids(play) == [Bid(6, 4)]


async def test_a_colon_begins_a_typed_call() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press(":", *"dudo", "enter")
        assert isinstance(play.sent[-1], Dudo)


async def test_escape_gives_a_typed_bid_up() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press("6", "escape", "d")
        assert isinstance(play.sent[-1], Dudo)


async def test_what_cannot_be_read_is_answered() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press("6", "space", "9", "enter")
        assert bids(play) == []
        assert "A die shows 1 to 6" in play.text()


@pytest.mark.parametrize("size", [(80, 24), (40, 20), (30, 10)])
async def test_an_illegal_bid_is_answered_with_the_least(size: tuple[int, int]) -> None:
    async with playing(*size) as play:
        await play.sit(sample_views.six())
        await play.press("5", "x", "2", "enter")
        act = play.sent[-1]
        assert isinstance(act, PlaceBid)
        play.server.say(Refused(re=act.id, reason="not_higher"))
        await play.settle()
        words = " ".join(play.text().replace("│", " ").split())
        assert "not higher" in words
        assert "twos is 6" in words


async def test_the_mouse_picks_a_face_a_number_and_bids() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await click(play, "6", row_with="▸ ×")
        await click(play, "▸ ×")
        await click(play, "bid 6 × [6]")
        assert bids(play) == [Bid(6, 6)]
        await click(play, "dudo", row_with="spot-on")
        assert isinstance(play.sent[-1], Dudo)
        await click(play, "spot-on")
        assert isinstance(play.sent[-1], SpotOn)


async def test_keys_in_the_key_line_can_be_clicked() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await click(play, "rules", row_with="^p all")
        assert "The game" in play.text()


async def click(play: Play, text: str, row_with: str = "") -> None:
    """Click on the text where it stands on the screen; the last such row counts."""
    rows = [(y, line) for y, line in enumerate(play.lines()) if text in line and row_with in line]
    y, line = rows[-1]
    await play.pilot.click(offset=(line.rindex(text), y))
    await play.settle()


async def test_space_hides_the_dice_and_shows_them_again() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        assert "│ 6 │" in play.text()
        await play.press("space")
        assert "│ 6 │" not in play.text()
        assert play.text().count("│ ? │") == 5
        await play.press("space")
        assert "│ 6 │" in play.text()


async def test_odds_are_shown_only_when_wished() -> None:
    async with playing(odds=True) as play:
        await play.sit(sample_views.six())
        assert "%" in play.text()
        await play.app.run_action("switch('odds')")
        await play.settle()
        assert "%" not in play.text()


async def test_talk_is_a_mode() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press("t", *"dust", "enter", "d")
        said = [message for message in play.sent if isinstance(message, Say)]
        assert [message.text for message in said] == ["dust"]
        assert isinstance(play.sent[-1], Dudo)


async def test_quick_phrases_are_chosen_with_arrows() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press("t", "down", "down", "enter")
        said = play.sent[-1]
        assert isinstance(said, Say)
        assert (said.text, said.phrase) == ("", "good_luck")


async def test_the_turn_rings_and_names_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing() as play:
        titles: list[str] = []
        rings: list[bool] = []
        monkeypatch.setattr(play.app, "set_window_title", titles.append)
        monkeypatch.setattr(play.app, "bell", lambda: rings.append(True))
        await play.sit(sample_views.waiting())
        assert rings == []
        turn = sample_views.six().turn
        assert turn is not None
        mine = TurnSet(5, 50_000, turn.least, turn.most, (5,), (5,))
        await play.tell(BidPlaced(2, Bid(6, 4)), mine)
        assert rings == [True]
        assert titles[-1].startswith("Your turn")
        play.app.settings = type(play.app.settings)(bell=False)
        await play.tell(BidPlaced(5, Bid(7, 4)), mine)
        assert rings == [True]


async def test_the_clock_is_drawn_when_it_shows_another_second() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        assert "0:41" in play.text()
        play.clock.now = 32.5
        play.app.screen.tick()  # type: ignore[attr-defined]
        await play.settle()
        assert "dice ! 0:08" in play.text()


# The reveal -------------------------------------------------------------------------------------


def call(play: Play) -> tuple[Called, DieLost, NextSet]:
    """Give the events of a call by Caio that is wrong."""
    cups = ((1, 3, 4, 6, 6), (3, 4), (1, 5), (4, 4), (), (1, 2, 2, 4, 6))
    return Called(2, Call.DUDO, 8, False, cups), DieLost(2), NextSet(3, False, 12_000)


async def test_a_reveal_opens_cup_by_cup_and_tells_the_end_last() -> None:
    async with playing(motion=True, patient=False) as play:
        await play.sit(sample_views.waiting())
        await play.tell(*call(play))
        panel = play.app.screen.query_one(RevealPanel)
        assert panel.step < panel.steps
        assert "there were" not in play.text()
        assert "loses a die" not in play.text()
        while not panel.done:
            await play.pilot.pause(0.05)
        text = play.text()
        assert "there were 8" in text
        assert "Caio loses a die" in text
        assert "Duda opens" in text


async def test_a_key_shows_all_and_the_next_says_ready() -> None:
    async with playing(motion=True) as play:
        await play.sit(sample_views.waiting())
        await play.tell(*call(play))
        await play.press("x")
        assert "there were" not in play.text(), "a key meant for the table skips nothing"
        await play.go_on()
        assert "there were 8" in play.text()
        assert not any(isinstance(message, SetReady) for message in play.sent)
        await play.go_on()
        ready = play.sent[-1]
        assert isinstance(ready, SetReady)
        assert (ready.game, ready.round, ready.ready) == (3, 7, True)


async def test_without_motion_all_is_shown_at_once() -> None:
    async with playing() as play:
        await play.sit(sample_views.waiting())
        await play.tell(*call(play))
        assert "there were 8" in play.text()


async def test_matching_dice_are_told_by_their_shape() -> None:
    async with playing() as play:
        await play.sit(sample_views.reveal())
        row = next(line for line in play.lines() if "Ana" in line)
        assert "[1][3] 2  5  6" in row


async def test_a_reveal_is_not_covered_by_the_end_of_the_game() -> None:
    async with playing(motion=True) as play:
        await play.sit(sample_views.waiting())
        tallies = sample_views.over().tallies
        await play.tell(call(play)[0], DieLost(2), Won(5, tallies))
        assert isinstance(play.app.screen, TableScreen)
        assert "win" not in play.text()
        await play.go_on()
        assert "You win the game" in play.text()
        assert isinstance(play.app.screen, TableScreen)
        await play.go_on()
        assert "Most lies" in play.text()


async def test_the_end_that_comes_after_a_reveal_was_seen_is_summed_up() -> None:
    async with playing() as play:
        await play.sit(sample_views.waiting())
        await play.tell(*call(play))
        await play.go_on()
        assert isinstance(play.app.screen, TableScreen)
        await play.tell(SeatLeft(0), Won(5, sample_views.over().tallies))
        assert "Most lies" in play.text()


async def test_an_end_that_came_while_we_were_slow_is_summed_up() -> None:
    async with playing() as play:
        await play.sit(sample_views.waiting())
        await play.tell(*call(play))
        over = replace(sample_views.over(), rev=60)
        play.server.say(View(view=over))
        await play.settle()
        await play.go_on()
        assert "Most lies" in play.text()


async def test_late_arrivals_are_told_when_they_play() -> None:
    view = replace(sample_views.six(), you=999, hand=(), watchers=(Person(999, "Zoe", True),))
    async with playing() as play:
        await play.sit(view)
        assert "You play from the next game on." in play.text()


async def test_reveals_stay_in_the_history() -> None:
    async with playing() as play:
        await play.sit(sample_views.round_before())
        play.server.say(sample_views.call_of_round_six())
        await play.settle()
        await play.go_on()
        play.server.say(*sample_views.round_seven())
        await play.settle()
        assert "Your turn" in play.text()
        await play.press("h")
        assert "round 6" in play.text()
        assert "there were 6" in play.text()
        await play.press("escape")
        assert "Your turn" in play.text()


async def test_late_news_do_not_cut_a_reveal_short() -> None:
    async with playing(motion=True) as play:
        await play.sit(sample_views.round_before())
        play.server.say(sample_views.call_of_round_six(), *sample_views.round_seven())
        await play.settle()
        assert "Is it true?" in play.text()
        await play.go_on()
        await play.go_on()
        assert "Your turn" in play.text()


# Size ---------------------------------------------------------------------------------------------


async def test_a_window_too_small_says_so_and_recovers() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.resize(29, 9)
        assert "enlarge" in play.text()
        assert "30x10" in play.text()
        assert len(play.text().split()) < 9
        await play.resize(40, 20)
        assert "enlarge" not in play.text()
        assert "Your turn" in play.text()


@pytest.mark.parametrize("small", [(25, 8), (40, 10)])
async def test_the_bids_come_back_when_the_window_grows(small: tuple[int, int]) -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.resize(*small)
        await play.resize(80, 24)
        assert "Bids" in play.text()
        assert "stands" in play.text().split("Your cup")[0]


@pytest.mark.parametrize("stage", ["six", "reveal", "throw"])
async def test_any_size_at_any_moment(stage: str) -> None:
    views = {
        "six": sample_views.six(),
        "reveal": sample_views.reveal(),
        "throw": sample_views.throw(),
    }
    async with playing() as play:
        await play.sit(views[stage])
        for width, height in [(1, 1), (40, 20), (200, 60), (30, 10), (79, 24), (80, 10), (31, 50)]:
            await play.resize(width, height)
            assert len(play.lines()) == height
        await play.resize(80, 24)
        assert "Friday table" in play.text()


async def test_watchers_see_no_picker() -> None:
    view = replace(sample_views.six(), you=999, hand=())
    async with playing() as play:
        await play.sit(view)
        assert "You watch this table." in play.text()
        await play.press("enter", "d", "s")
        assert play.sent == []
