"""Tables, making one, the waiting room, the end of a game, and the screens to read."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace
from textual.command import CommandList

from perudo_client.rules_text import rules_text
from perudo_client.screens.base import GameScreen
from perudo_client.screens.lobby import LobbyScreen
from perudo_client.screens.make import MakeScreen
from perudo_client.screens.over import awards
from perudo_client.screens.room import RoomScreen
from perudo_protocol.messages import (
    AddBot,
    Away,
    HandOver,
    Join,
    Kick,
    Leave,
    Make,
    Rematch,
    RemoveBot,
    SetReady,
    Start,
    View,
    Watch,
)
from perudo_protocol.ruleset import ruleset, to_wire
from perudo_protocol.story import People
from perudo_protocol.views import TableView
from tests.support import sample_views
from tests.support.fake_wire import Play, playing


async def test_tables_are_listed_with_rules_in_words() -> None:
    async with playing() as play:
        await play.greet(sample_views.tables())
        text = play.text()
        for words in ("Friday table", "playing", "Aces high", "A round may open on aces."):
            assert words in text


@pytest.mark.parametrize(("key", "kind"), [("enter", Join), ("j", Join), ("w", Watch)])
async def test_a_table_is_chosen_with_the_cursor(key: str, kind: type[Join | Watch]) -> None:
    async with playing() as play:
        await play.greet(sample_views.tables())
        await play.press("down", key)
        act = play.sent[-1]
        assert isinstance(act, kind)
        assert act.table == 2


async def test_a_table_is_chosen_with_the_mouse() -> None:
    async with playing() as play:
        await play.greet(sample_views.tables())
        lines = play.lines()
        row = next(y for y, line in enumerate(lines) if "Slow and strict" in line)
        await play.pilot.click(offset=(lines[row].index("Slow"), row))
        await play.settle()
        act = play.sent[-1]
        assert isinstance(act, Join)
        assert act.table == 3


async def test_without_tables_one_is_made_in_two_keys() -> None:
    async with playing() as play:
        await play.greet(())
        assert "no table yet" in play.text()
        await play.press("m", "enter")
        act = play.sent[-1]
        assert isinstance(act, Make)
        assert (act.name, act.preset, act.options) == ("João's table", "standard", {})


async def test_a_preset_and_single_options_are_chosen() -> None:
    async with playing() as play:
        await play.greet(())
        await play.press("m", "down", "right", "down", "right", "down", "right", "o")
        act = play.sent[-1]
        assert isinstance(act, Make)
        assert act.preset == "classic"
        assert act.options == {"raising": "no_lower_face", "open_aces": True}
        ruleset(act.preset, act.options)


async def test_an_option_changed_back_is_no_change() -> None:
    async with playing() as play:
        await play.greet(())
        await play.press("m", "down", "down", "right", "left", "o")
        act = play.sent[-1]
        assert isinstance(act, Make)
        assert act.options == {}


async def test_every_option_can_be_reached_and_says_what_it_means() -> None:
    async with playing(80, 60) as play:
        await play.greet(())
        await play.press("m")
        assert isinstance(play.app.screen, MakeScreen)
        for _option in to_wire(ruleset()):
            await play.press("right", "down")
        for words in ("Time for a turn", "Seats", "Wild aces", "When a player leaves"):
            assert words in play.text()
        await play.press("escape")
        assert isinstance(play.app.screen, LobbyScreen)


async def test_a_new_name_for_the_table() -> None:
    async with playing() as play:
        await play.greet(())
        await play.press("m", "n", *["backspace"] * 20, *"Aces", "enter", "o")
        act = play.sent[-1]
        assert isinstance(act, Make)
        assert act.name == "Aces"


# The waiting room -------------------------------------------------------------------------------


async def test_the_host_starts_adds_removes_kicks_and_hands_over() -> None:
    async with playing() as play:
        await play.sit(sample_views.lobby())
        await play.press("b")
        assert isinstance(play.sent[-1], AddBot)
        await play.press("down", "x")
        kick = play.sent[-1]
        assert isinstance(kick, Kick)
        assert kick.person == 101
        await play.press("o")
        hand_over = play.sent[-1]
        assert isinstance(hand_over, HandOver)
        assert hand_over.person == 101
        await play.press("down", "x")
        remove = play.sent[-1]
        assert isinstance(remove, RemoveBot)
        assert remove.seat == 2
        await play.press("s")
        assert isinstance(play.sent[-1], Start)


async def test_a_guest_can_only_be_ready() -> None:
    async with playing() as play:
        await play.sit(sample_views.lobby(host=101))
        await play.press("b", "x", "o", "s")
        assert play.sent == []
        await play.press("r")
        act = play.sent[-1]
        assert isinstance(act, SetReady)
        assert act.ready


async def test_whoever_becomes_host_gets_the_tools() -> None:
    async with playing() as play:
        view = sample_views.lobby(host=101)
        await play.sit(view)
        await play.tell(People(11, view.seats, view.watchers))
        assert "You are the host" in play.text()
        await play.press("enter")
        assert isinstance(play.sent[-1], Start)


async def test_the_join_line_is_shown() -> None:
    async with playing() as play:
        await play.sit(sample_views.lobby())
        assert "perudo://127.0.0.1:7654/1" in play.text()


async def test_leaving_the_room() -> None:
    async with playing() as play:
        await play.sit(sample_views.lobby())
        await play.press("escape")
        assert isinstance(play.sent[-1], Leave)
        play.server.say(Away(reason="left"))
        await play.settle()
        assert isinstance(play.app.screen, LobbyScreen)


async def test_being_sent_away_is_said() -> None:
    async with playing() as play:
        await play.sit(sample_views.lobby())
        play.server.say(Away(reason="kicked"))
        await play.settle()
        assert "sent you away" in play.text()


async def test_leaving_a_game_is_asked_first() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press("q")
        assert play.sent == []
        await play.press("escape")
        assert "Your turn" in play.text()
        await play.press("q", "enter")
        assert isinstance(play.sent[-1], Leave)


# The end -----------------------------------------------------------------------------------------


async def test_the_end_tells_places_lies_and_calls() -> None:
    async with playing() as play:
        await play.sit(sample_views.over())
        text = play.text()
        for words in ("You win", "Most lies: Bia, 6.", "Bia, 4 times.", "5 of 6 right"):
            assert words in text
        assert text.index("★ you") < text.index("Ana")


@pytest.mark.parametrize("host", [True, False])
async def test_a_rematch_in_one_key(host: bool) -> None:
    async with playing() as play:
        view = replace(sample_views.over(), host=11 if host else 101)
        await play.sit(view)
        sent = len(play.sent)
        await play.press("enter", "enter")
        assert len(play.sent) == sent, "a key that waves reveals on has asked for no game"
        await play.press("r")
        assert isinstance(play.sent[-1], Rematch if host else SetReady)


async def test_a_rematch_leads_to_the_waiting_room_or_the_table() -> None:
    async with playing() as play:
        await play.sit(sample_views.over())
        play.server.say(View(view=sample_views.lobby()))
        await play.settle()
        assert isinstance(play.app.screen, RoomScreen)


def test_nobody_is_praised_for_nothing() -> None:
    view = sample_views.over()
    nothing = type(view.tallies[0])(1, 0, 0, 0, 0)
    assert awards(replace(view, tallies=(nothing,) * 6)) == []


# To read -----------------------------------------------------------------------------------------


async def test_the_rules_are_those_of_the_table() -> None:
    rules = ruleset("strict")
    async with playing(100, 100) as play:
        await play.sit(replace(sample_views.six(), rules=to_wire(rules)))
        await play.press("question_mark")
        text = play.words()
        for section in rules_text(rules):
            assert section.title in text
            for sentence in section.sentences:
                assert sentence.split(",")[0] in text
        assert "Spot-on means" not in text


@pytest.mark.parametrize("view", [sample_views.six(), sample_views.lobby(), sample_views.over()])
async def test_help_and_palette_name_every_action(view: TableView) -> None:
    async with playing(100, 60) as play:
        await play.sit(view)
        commands = commands_of(play)
        assert len(commands) > 5
        titles = [command.title for command in play.app.get_system_commands(play.app.screen)]
        for help_text in commands:
            assert any(title.startswith(help_text) for title in titles) or "everything" in help_text
        await play.press("f1")
        for help_text in commands:
            assert help_text in play.text()


def commands_of(play: Play) -> list[str]:
    """Give what can be done on the present screen, in words."""
    assert isinstance(play.app.screen, GameScreen)
    return [command.help for command in play.app.screen.commands()]


async def test_a_command_of_the_palette_is_done() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await play.press("ctrl+p", *"hideyour")
        async with asyncio.timeout(10):
            while play.app.screen.query_one(CommandList).option_count != 1:
                await play.pilot.pause()
        await play.press("enter")
        async with asyncio.timeout(10):
            while "hidden" not in play.text():
                await play.pilot.pause()


@pytest.mark.parametrize(("words", "kind"), [("kickana", Kick), ("makeanathehost", HandOver)])
async def test_a_host_sends_away_and_hands_over_in_every_phase(
    words: str, kind: type[Kick | HandOver]
) -> None:
    """In mid-game too, from the palette; nobody else is offered it."""
    for host in (True, False):
        view = sample_views.six()
        async with playing(100, 40) as play:
            await play.sit(replace(view, host=view.you if host else view.seats[0].person))
            await play.press("ctrl+p", *words)
            found = play.app.screen.query_one(CommandList)
            wanted = "Ana" if host else "No matches"
            async with asyncio.timeout(10):
                while not found.option_count or wanted not in top(found):
                    await play.pilot.pause()
            if not host:
                continue
            await play.press("enter")
            async with asyncio.timeout(10):
                while not play.sent:
                    await play.pilot.pause()
            assert isinstance(play.sent[-1], kind)
            assert play.sent[-1].person == view.seats[0].person


def top(found: CommandList) -> str:
    """Give what stands first in the palette."""
    return str(found.get_option_at_index(0).prompt)
