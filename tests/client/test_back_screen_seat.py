"""Who leaves, and on purpose or not; the seat that is left is offered by the next program."""

from __future__ import annotations

from pathlib import Path

import pytest

from perudo_client.address import Address
from perudo_client.kept import KeptSeats
from perudo_client.screens.lobby import LobbyScreen
from perudo_client.screens.table import TableScreen
from perudo_protocol import messages as m
from tests.support import sample_views
from tests.support.fake_wire import playing
from tests.support.sample_views import ME


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
        assert "Go back to your seat at Friday table" in play.words()
        assert "As João, on 127.0.0.1:7654." in play.words()
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
        assert "A seat of yours waits there as João:" in play.words()


async def test_a_seat_is_found_by_its_address_alone(tmp_path: Path) -> None:
    await test_a_crash_and_a_lost_terminal_leave_the_seat(1, tmp_path)
    there = Address("127.0.0.1", 7654)
    async with playing(seats=KeptSeats(tmp_path), address=there, name="Bia") as play:
        assert play.server.came_back == [ME]
        assert "You go back to your seat at Friday" in play.words()
