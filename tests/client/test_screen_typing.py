"""Keys that come in one go, as over a slow connection: the line takes what follows its opening."""

from __future__ import annotations

import pytest
from textual.events import Key

from perudo_client.screens.table import TableScreen
from perudo_protocol.messages import PlaceBid, Say
from perudo_protocol.vocabulary import Bid
from tests.support import sample_views
from tests.support.fake_wire import Play, playing

NAMES = {" ": "space", ":": "colon", "\x1b": "escape"}


async def type_at_once(play: Play, text: str) -> None:
    """Let all keys be there before the first of them is looked at."""
    for sign in text:
        play.app.post_message(Key(NAMES.get(sign, sign), sign))
    await play.settle()


@pytest.mark.parametrize("text", ["6x4", "6 4", ":6x4", ":6 4"])
async def test_a_bid_typed_at_once_is_whole(text: str) -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await type_at_once(play, text)
        await play.press("enter")
        bid = play.sent[-1]
        assert isinstance(bid, PlaceBid)
        assert Bid(bid.quantity, bid.face) == Bid(6, 4)


async def test_talk_typed_at_once_is_no_key_of_the_game() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await type_at_once(play, "td 5 shots h")
        await play.press("enter")
        said = play.sent[-1]
        assert isinstance(said, Say)
        assert said.text == "d 5 shots h"
        assert len(play.sent) == 1


async def test_talk_at_once_in_the_room_does_not_start_the_game() -> None:
    async with playing() as play:
        await play.sit(sample_views.lobby())
        await type_at_once(play, "tsbr")
        await play.press("enter")
        said = play.sent[-1]
        assert isinstance(said, Say)
        assert said.text == "sbr"
        assert len(play.sent) == 1


async def test_a_line_opened_and_closed_at_once_leaves_the_game_alone() -> None:
    async with playing() as play:
        await play.sit(sample_views.six())
        await type_at_once(play, "td\x1b")
        assert isinstance(play.app.screen, TableScreen)
        await play.press("enter")
        assert len(play.sent) == 1
        assert isinstance(play.sent[0], PlaceBid)
