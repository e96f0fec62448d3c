"""Text from others is shown literally, wherever it stands, and moves, colours and runs nothing.

"Names with `[@click=...]` run actions; `[/` crashes": every place that shows a text of somebody
else gets all of `HOSTILE`.
"""

from __future__ import annotations

import asyncio
from unicodedata import category

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from perudo_client.endings import Closed
from perudo_client.screens.lobby import LobbyScreen
from perudo_protocol.messages import Error, Refused, Said, Tables, View, Welcome
from perudo_protocol.text import clean
from perudo_protocol.views import Person, TableView
from perudo_protocol.vocabulary import Player
from tests.support import sample_views
from tests.support.fake_wire import Play, playing
from tests.support.hostile import HOSTILE

UNSEEN = {"Cc", "Cf", "Cs", "Co"}
SCROLLBAR = {"@mouse.down": "grab"}
"""What Textual itself does with the mouse on a scrollbar."""
WIDE = (120, 100)
"""A terminal in which all of them find room."""


def check_screen(play: Play) -> None:
    """No control or bidi sign, no line of another width, and no action behind any text."""
    width = play.app.size.width
    for strip in play.app.screen._compositor.render_strips():
        line = "".join(segment.text for segment in strip)
        assert not [sign for sign in line if category(sign) in UNSEEN], repr(line)
        assert cell_len(line) == width, repr(line)
        for segment in strip:
            meta = segment.style.meta if segment.style else {}
            assert {k: v for k, v in meta.items() if k.startswith("@")} in ({}, SCROLLBAR), meta
            assert segment.style is None or segment.style.link is None
    assert play.app._exit is False


def check_shown(play: Play, texts: tuple[str, ...], room: int) -> None:
    """Each text stands on the screen as it was written, or its first `room` signs."""
    screen = play.text()
    for text in texts:
        shown = clean(text)[:room].strip()
        assert shown in screen, f"{text!r} as {shown!r} is not shown"


def named(view: TableView, names: tuple[str, ...]) -> TableView:
    """Give these names to the seats, and to watchers what is left."""
    seats = tuple(
        replace(seat, name=names[number % len(names)]) for number, seat in enumerate(view.seats)
    )
    rest = names[len(seats) :]
    watchers = tuple(Person(500 + number, name) for number, name in enumerate(rest))
    return replace(view, seats=seats, watchers=watchers)


def groups() -> list[tuple[str, ...]]:
    """Give the texts in groups of ten, as many as a table has seats."""
    return [HOSTILE[start : start + 10] for start in range(0, len(HOSTILE), 10)]


async def test_names_of_tables_in_the_lobby() -> None:
    line = sample_views.tables()[0]
    tables = tuple(replace(line, table=n, name=text) for n, text in enumerate(HOSTILE, 1))
    async with playing(*WIDE) as play:
        await play.greet(tables)
        check_screen(play)
        check_shown(play, HOSTILE, 40)
        await play.press(*["down"] * len(HOSTILE), "enter")
        check_screen(play)


async def test_the_name_of_the_server() -> None:
    async with playing(100, 24) as play:
        await play.greet()
        for text in HOSTILE:
            hello = Welcome(version=1, server=text, name=text, person=11, you=text, now=0)
            play.server.say(hello, Tables(tables=()))
            await play.settle()
            check_screen(play)
            check_shown(play, (text,), 20)


@pytest.mark.parametrize(
    "view",
    [
        sample_views.ten(),
        sample_views.reveal_ten(),
        replace(sample_views.ten(), hand=(), you=999),
        replace(sample_views.throw(), seats=sample_views.ten().seats, throws=(), you=999),
        replace(
            sample_views.ten(), phase=sample_views.over().phase, winner=3, turn=None, ladder=()
        ),
    ],
    ids=["round", "reveal", "watching", "throw", "over"],
)
@pytest.mark.parametrize("size", [(80, 24), (40, 20)])
async def test_names_of_players(view: TableView, size: tuple[int, int]) -> None:
    async with playing(*size) as play:
        await play.sit(named(view, HOSTILE[:10]))
        for names in groups():
            play.server.say(View(view=named(view, names)))
            await play.settle()
            check_screen(play)
            others = [name for number, name in enumerate(names) if number != view.my_seat]
            if size[0] == 80 and len(names) == 10 and "z" * 300 not in others:
                check_shown(play, tuple(others), 6)


async def test_the_name_of_the_table() -> None:
    async with playing(100, 24) as play:
        await play.sit(sample_views.six())
        for text in HOSTILE:
            play.server.say(View(view=replace(sample_views.six(), name=text)))
            await play.settle()
            check_screen(play)
            check_shown(play, (text,), 20)


async def test_people_in_the_waiting_room() -> None:
    async with playing(*WIDE) as play:
        await play.sit(named(sample_views.lobby(), HOSTILE))
        check_screen(play)
        await play.press("down", "down", "x", "o", "f1", "escape", "question_mark", "escape")
        check_screen(play)


async def test_chat_and_who_says_it() -> None:
    async with playing(*WIDE) as play:
        await play.sit(sample_views.six())
        for number, text in enumerate(HOSTILE):
            play.server.say(Said(person=200 + number, name=text[:60], text=text))
            play.server.say(Said(person=200 + number, name="Bia", text="", phrase=text))
        await play.settle()
        check_screen(play)
        check_shown(play, HOSTILE, 6)


async def test_words_of_refusals() -> None:
    async with playing(*WIDE) as play:
        await play.sit(sample_views.six())
        for text in HOSTILE:
            play.server.say(Refused(re=0, reason=text, detail=text))
            await play.settle()
            check_screen(play)
        await play.press("question_mark")
        for text in HOSTILE:
            play.server.say(Refused(re=0, reason=text, detail=text))
        await play.settle()
        check_screen(play)


@pytest.mark.parametrize("text", HOSTILE[:6] + HOSTILE[10:13])
async def test_words_of_errors(text: str) -> None:
    async with playing() as play:
        await play.greet()
        play.server.say(Error(error=text, detail=text))
        play.server.lose(Closed.TOLD)
        await play.settle()
        check_screen(play)
        check_shown(play, (text,), 8)


async def test_the_history_and_the_palette() -> None:
    async with playing() as play:
        await play.sit(named(sample_views.round_before(), HOSTILE[:6]))
        play.server.say(sample_views.call_of_round_six())
        await play.settle()
        check_screen(play)
        await play.go_on()
        await play.press("h")
        check_screen(play)
        await play.press("escape", "ctrl+p")
        check_screen(play)
        await play.press("escape")
        assert not isinstance(play.app.screen, LobbyScreen)


async def test_the_palette_of_a_host() -> None:
    """What can be done with somebody names them."""
    view = named(sample_views.six(), HOSTILE[:6])
    async with playing(100, 60) as play:
        await play.sit(replace(view, host=view.you))
        await play.press("ctrl+p")
        async with asyncio.timeout(10):
            while "Make" not in play.text():
                await play.pilot.pause()
        check_screen(play)
        people = [seat for seat in view.seats if seat.player is Player.PERSON]
        assert len(people) > 2
        for seat in people:
            offered = f"Make {clean(seat.name)} the host" in play.text()
            assert offered is (seat.person != view.you)
