"""Each screen as text, at two sizes, with few and many players and the longest names.

Run `pytest tests/client/test_snapshots.py --snapshot-update` after a change that is meant, and look
at the difference before keeping it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from syrupy.assertion import SnapshotAssertion

from perudo_protocol.views import TableView
from tests.support import sample_views
from tests.support.fake_wire import Play, playing
from tests.support.proven import proven

Arrange = Callable[[Play], Awaitable[None]]


def at(view: TableView, *keys: str) -> Arrange:
    """Come to this table, and press keys."""

    async def arrange(play: Play) -> None:
        await play.sit(view)
        if keys:
            await play.press(*keys)

    return arrange


def in_lobby(*keys: str) -> Arrange:
    """Come to the list of tables, and press keys."""

    async def arrange(play: Play) -> None:
        await play.greet(sample_views.tables())
        if keys:
            await play.press(*keys)

    return arrange


async def start(play: Play) -> None:
    """Stay at the start."""


async def lost(play: Play) -> None:
    """Lose the server."""
    await play.greet()
    play.server.lose()
    await play.settle()


async def story(play: Play) -> None:
    """Play a round, and talk."""
    await play.sit(sample_views.round_before())
    play.server.say(sample_views.call_of_round_six())
    await play.settle()
    await play.go_on()
    play.server.say(*sample_views.round_seven())
    await play.settle()


SCREENS: dict[str, Arrange] = {
    "start": start,
    "lost": lost,
    "lobby": in_lobby(),
    "make": in_lobby("m"),
    "room": at(sample_views.lobby()),
    "room as guest": at(sample_views.lobby(host=101)),
    "your turn": at(proven(sample_views.six())),
    "your turn, with a story": story,
    "waiting": at(proven(sample_views.waiting())),
    "opening": at(proven(sample_views.opening())),
    "palifico": at(proven(sample_views.palifico())),
    "top of the ladder": at(proven(sample_views.top())),
    "hidden dice": at(proven(sample_views.six()), "space"),
    "ten players": at(sample_views.ten()),
    "watching": at(replace(sample_views.ten(), you=999, hand=())),
    "talking": at(proven(sample_views.six()), "t"),
    "typing": at(proven(sample_views.six()), "5", "x", "4"),
    "throw": at(sample_views.throw()),
    "reveal": at(proven(sample_views.reveal())),
    "reveal of ten": at(proven(sample_views.reveal_ten())),
    "over": at(sample_views.over()),
    "rules": at(sample_views.six(), "question_mark"),
    "help": at(sample_views.six(), "f1"),
    "leaving": at(sample_views.six(), "q"),
}


def as_text(play: Play) -> str:
    """Give the screen in ten lines or so: what is drawn, without spaces at the ends."""
    return "\n" + play.text().rstrip("\n") + "\n"


SIZES = ((80, 24), (40, 20))


@pytest.mark.parametrize("name", SCREENS)
async def test_screen(name: str, snapshot: SnapshotAssertion) -> None:
    async with playing(*SIZES[0]) as play:
        await SCREENS[name](play)
        for width, height in SIZES:
            await play.resize(width, height)
            assert all(cell_len(line) <= width for line in play.lines())
            assert len(play.lines()) == height
            assert as_text(play) == snapshot(name=f"{width}x{height}")


@pytest.mark.parametrize("name", ["your turn", "reveal of ten", "lobby", "room"])
async def test_a_small_screen_is_the_same_from_the_beginning(
    name: str, snapshot: SnapshotAssertion
) -> None:
    async with playing(*SIZES[1]) as play:
        await SCREENS[name](play)
        assert as_text(play) == snapshot


async def test_a_reveal_half_open(snapshot: SnapshotAssertion) -> None:
    async with playing(motion=True) as play:
        await play.sit(sample_views.round_before())
        play.server.say(sample_views.call_of_round_six())
        await play.settle()
        panel = play.app.screen.query_one("RevealPanel")
        play.app.screen.pacing._stop()  # type: ignore[attr-defined]
        panel.step = 2  # type: ignore[attr-defined]
        panel.repaint()  # type: ignore[attr-defined]
        await play.settle()
        assert as_text(play) == snapshot
