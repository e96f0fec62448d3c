"""A bot that came over the network comes back by itself; one of the house never has to."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from perudo_bot.comeback import Comeback
from perudo_bot.guest import AFTER_SHUTDOWN, Guest
from perudo_bot.identity import Identity
from perudo_bot.joining import JoinPlan
from perudo_protocol import messages as m
from perudo_protocol.link import memory_links
from perudo_protocol.returning import SIZE, proves
from perudo_protocol.story import Paused
from perudo_protocol.views import TableView
from perudo_protocol.vocabulary import Bid
from tests.support.held_clock import HeldClock
from tests.support.scripted_server import (
    BOT,
    Scripted,
    ScriptedServer,
    bidding,
    met,
    table,
    wait,
)

NONCE = b"n" * SIZE
WELCOME = m.Welcome(version=1, server="s", name="Home", person=BOT, you="Bia", now=0)


class Keeper:
    """Keeps a seat in memory."""

    def __init__(self, who: Identity | None = None) -> None:
        self.who = who
        self.kept: list[tuple[int, str]] = []
        self.dropped = 0

    def left(self) -> Identity | None:
        return self.who

    def keep(self, who: Identity, view: TableView, name: str) -> None:
        self.kept.append((view.table, name))

    def drop(self) -> None:
        self.dropped += 1


class Visit:
    """A guest whose connections are made by hand, and whose time is a held clock."""

    def __init__(self, keeper: Keeper | None = None) -> None:
        self.clock = HeldClock()
        self.lines: list[str] = []
        self.guest = Guest("Bia", 0.0, JoinPlan(None, self.lines.append), keeper)
        self.guest._thoughts.call_later = self.clock.later
        self.servers: list[ScriptedServer] = []
        self.down = False
        self.guest.comeback = Comeback(
            self.dial, self.clock.now, call_later=self.clock.later, on_over=self.guest.end
        )

    async def dial(self) -> None:
        if self.down:
            raise ConnectionRefusedError
        server = ScriptedServer()
        server.clock = self.clock
        self.servers.append(server)
        memory_links(server, self.guest, self.clock.soon)
        self.clock.settle()

    @property
    def server(self) -> ScriptedServer:
        return self.servers[-1]

    async def sit(self) -> None:
        await self.dial()
        self.server.say(WELCOME, m.View(view=table()))

    async def pass_time(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.1)):
            self.clock.advance(0.1)
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    def hang_up(self) -> None:
        assert self.server.link is not None
        self.server.link.close()
        self.clock.settle()


async def test_it_comes_back_to_its_table_and_proves_who_it_is() -> None:
    visit = Visit()
    await visit.sit()
    (hello,) = visit.server.said(m.Hello)
    visit.hang_up()
    await visit.pass_time(1)
    (resume,) = visit.server.said(m.Resume)
    assert resume.person == BOT
    visit.server.say(m.Nonce(nonce=NONCE))
    (prove,) = visit.server.said(m.Prove)
    assert proves(prove.proof, hello.key, BOT, resume.nonce, NONCE)
    visit.server.say(replace(WELCOME, resumed=True), m.View(view=bidding()))
    assert visit.lines == [
        "joined table 3",
        "the connection was lost; trying to come back",
        "back at table 3",
    ]
    await visit.pass_time(1)
    assert len(visit.server.said(m.PlaceBid)) == 1, "it thinks anew on what it sees"
    assert not visit.guest.over.done()


async def test_it_tries_until_the_server_is_back() -> None:
    visit = Visit()
    await visit.sit()
    visit.down = True
    visit.hang_up()
    await visit.pass_time(30)
    assert not visit.guest.over.done()
    visit.down = False
    await visit.pass_time(2)
    assert visit.server.said(m.Resume)


async def test_it_does_not_try_for_ever() -> None:
    visit = Visit()
    await visit.sit()
    visit.server.say(m.Bye(reason="shutdown"))
    visit.down = True
    visit.hang_up()
    await visit.pass_time(AFTER_SHUTDOWN - 2)
    assert not visit.guest.over.done()
    await visit.pass_time(4)
    assert visit.guest.over.done()
    assert visit.guest.bye == "shutdown"


async def test_a_seat_that_was_given_up_makes_it_somebody_new() -> None:
    visit = Visit()
    await visit.sit()
    (first,) = visit.server.said(m.Hello)
    visit.hang_up()
    await visit.pass_time(1)
    visit.server.say(m.Error(error="bad_proof", detail=""))
    (hello,) = visit.server.said(m.Hello)
    assert hello.name == "Bia"
    assert hello.key != first.key
    assert visit.guest.error is None


@pytest.mark.parametrize("reason", ["taken_over", "from the future"])
async def test_a_server_that_sends_it_off_is_obeyed(reason: str) -> None:
    visit = Visit()
    await visit.sit()
    visit.server.say(m.Bye(reason=reason))
    visit.hang_up()
    assert visit.guest.over.done()


async def test_without_a_seat_it_ends_with_its_connection() -> None:
    visit = Visit()
    await visit.dial()
    visit.server.say(WELCOME, m.Tables(tables=()))
    visit.hang_up()
    assert visit.guest.over.done()


async def test_a_signal_leaves_the_table_and_forgets_the_seat() -> None:
    keeper = Keeper()
    visit = Visit(keeper)
    await visit.sit()
    assert keeper.kept == [(3, "Bia")]
    visit.guest.stop(15)
    visit.clock.settle()
    assert isinstance(visit.server.last, m.Leave)
    assert keeper.dropped == 1
    assert visit.guest.over.done()


async def test_a_signal_while_away_ends_it_at_once() -> None:
    visit = Visit()
    await visit.sit()
    visit.down = True
    visit.hang_up()
    visit.guest.stop(15)
    assert visit.guest.over.done()


async def test_a_new_program_takes_the_seat_that_an_old_one_left() -> None:
    who = Identity(person=BOT)
    visit = Visit(Keeper(who))
    await visit.dial()
    (resume,) = visit.server.said(m.Resume)
    assert resume.person == BOT


async def test_being_sent_away_forgets_the_seat() -> None:
    keeper = Keeper()
    visit = Visit(keeper)
    await visit.sit()
    visit.server.say(m.Away(reason="kicked"))
    assert keeper.dropped == 1


# At the table ------------------------------------------------------------------------------------


def test_a_bot_of_the_house_tells_no_key() -> None:
    server, _bot = met()
    (hello,) = server.said(m.Hello)
    assert hello.key == b""


def test_a_bot_holds_still_while_the_game_is_paused() -> None:
    brain = Scripted(Bid(2, 3))
    server, _bot = met(1.0, brain=brain)
    server.say(m.View(view=bidding()))
    server.tell(Paused(600_000))
    wait(server, 30)
    assert not server.said(m.PlaceBid)
    server.tell(Paused(0))
    wait(server, 3)
    assert len(server.said(m.PlaceBid)) == 1


def test_a_bot_waits_for_a_server_whose_disk_is_full() -> None:
    brain = Scripted(Bid(2, 3))
    server, _bot = met(brain=brain)
    server.say(m.View(view=bidding()))
    wait(server)
    for _ in range(6):
        server.say(
            m.Notice(notice="storage_full"),
            m.Refused(re=server.last.id, reason="storage_full"),  # type: ignore[union-attr]
        )
        wait(server, 1.0)
    bids = server.said(m.PlaceBid)
    assert len(bids) == 7
    assert {(each.quantity, each.face) for each in bids} == {(2, 3)}
