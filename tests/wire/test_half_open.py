"""Links that go dead without a word, lose packets or change their address; a server that stops.

A real server and the real client's line, each in a network of its own. Without the rights to make
networks these tests skip, and say so: it is the one thing that this suite skips.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import perudo_protocol.link
from perudo_client import connection, happenings
from perudo_client.wire import State
from perudo_protocol.link import Link, TcpLink
from perudo_protocol.vocabulary import Player
from tests.support.far_player import BOUND, FarPlayer
from tests.support.far_table import FarTable, far_table
from tests.support.netns import NoRights, Wires, wires

BACK = 2.0
"""P3: a seat is taken again within so many seconds of the network's return."""
DEAD = 12.0
"""P6: a dead peer is noticed within so many seconds."""
BUSY = 1.0
"""What a busy machine may add."""

Far = Callable[..., FarTable]


@pytest.fixture
def net() -> Iterator[Wires]:
    with ExitStack() as stack:
        try:
            made = stack.enter_context(wires())
        except NoRights as why:
            pytest.skip(f"needs the rights to make networks of its own ({why})")
        yield made


@pytest.fixture
def far(net: Wires, tmp_path: Path) -> Iterator[Far]:
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(far_table(net, tmp_path, **settings))


QUICK = {"PERUDO_DEAD_SECONDS": "2", "PERUDO_PING_SECONDS": "0.5"}


def cut(player: FarPlayer) -> float:
    player.space.cut = True
    return time.monotonic()


def mend(player: FarPlayer) -> float:
    player.space.cut = player.space.mute = False
    return time.monotonic()


def test_a_black_hole_of_an_evening(far: Far) -> None:
    """With the server's own figures, at the worst moment: the client has just heard something,
    and the server nothing since it last asked; so it is the first to notice, and then the network
    is back. P3 holds all the same."""
    table = far()
    ana, _, caio = table.players
    table.sit_down(turn_seconds=10, away_seconds=60)
    table.start()
    caio.space.mute = True
    since, pings = time.monotonic(), caio.pings
    caio.until(lambda: caio.pings > pings)
    cut(caio)
    table.play()
    assert ana.until_away(2) - since <= DEAD + BUSY
    assert caio.state is State.ONLINE, "the client is not to notice first"
    since = mend(caio)
    assert ana.until_away(2, away=False) - since <= BACK + BUSY
    caio.until(lambda: len(caio.view.hand) == caio.view.seats[2].dice)
    ana.until(lambda: ana.moves() >= 4)


def test_who_comes_out_of_a_black_hole_has_the_same_hand(
    far: Far, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "DEAD_SECONDS", 2.0)
    table = far(**QUICK)
    ana, _, caio = table.players
    table.sit_down(turn_seconds=0)
    table.start()
    before = caio.view
    since = cut(caio)
    assert ana.until_away(2) - since <= 2 + BUSY
    assert caio.until_lost() - since <= 2 + BUSY
    since = mend(caio)
    assert caio.until_online() - since <= BACK + BUSY
    caio.until_shown(2)
    after = caio.view
    assert (after.game, after.round, after.hand) == (before.game, before.round, before.hand)
    ana.until_away(2, away=False)


def test_a_changed_address_takes_the_seat_over(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server thinks that the old connection stands; who proves to be the same has the seat."""
    monkeypatch.setattr(connection, "DEAD_SECONDS", 2.0)
    table = far(PERUDO_PING_SECONDS="0.5", PERUDO_DEAD_SECONDS="60")
    ana, _, caio = table.players
    table.sit_down(turn_seconds=0)
    table.start()
    hand, person = caio.view.hand, caio.model.person
    caio.space.move("10.77.3.99")
    since = caio.until_lost()
    assert caio.until_online() - since <= BACK + BUSY
    caio.until_shown(2)
    assert (caio.view.hand, caio.model.person) == (hand, person)
    assert not any(seat.away for seat in ana.view.seats)
    log = table.server.log_with("resumed")
    assert "dead" not in log
    assert " gone " not in log


def test_thirty_per_cent_loss_drops_nobody(far: Far, monkeypatch: pytest.MonkeyPatch) -> None:
    """TCP sends again what is lost; who loses the connection all the same can come back.

    The dice wait for everybody's share longer than usual: nobody can tell one that is late for such
    a link from one that was left out."""
    table = far(PERUDO_PING_SECONDS="0.5", PERUDO_ENTROPY_SECONDS="20")
    ana, bia, caio = table.players
    table.sit_down(turn_seconds=60)
    table.start()
    caio.space.loss = 0.3
    table.play()
    ana.until(lambda: ana.moves() >= 8)
    assert caio.space.packets["lost"] > 0
    assert [caio.seen(happenings.Arrived), ana.seen(happenings.TimeUp)] == [1, 0]
    monkeypatch.setattr(connection, "DEAD_SECONDS", 2.0)
    caio.space.move("10.77.3.99")
    caio.until_lost()
    caio.until_online()
    caio.until_shown(2)
    moves = ana.moves()
    ana.until(lambda: ana.moves() >= moves + 4)
    assert all(player.state is State.ONLINE for player in (ana, bia))


def test_a_pause_of_the_whole_server_forfeits_nobody(
    far: Far, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Longer than the clients put up with: they come back, and the turn has time."""
    monkeypatch.setattr(connection, "DEAD_SECONDS", 7.0)
    table = far(PERUDO_PING_SECONDS="0.5")
    ana, *_ = table.players
    table.sit_down(turn_seconds=10, away_seconds=10)
    table.start()
    process = table.server.process
    process.send_signal(signal.SIGSTOP)
    for player in table.players:
        player.until_lost()
    process.send_signal(signal.SIGCONT)
    for player in table.players:
        player.until_online()
        player.until_shown(2)
    left = ana.model.seconds_left(time.monotonic())
    assert left is not None
    assert 13 <= left <= 15.5
    assert all(seat.player is Player.PERSON for seat in ana.view.seats)
    for number, player in enumerate(table.players):
        ana.until_away(number, away=False)
        assert player.seen(happenings.TimeUp) == 0
    table.play()
    moves = ana.moves()
    ana.until(lambda: ana.moves() >= moves + 3)


class End:
    """What is told of one end of a connection."""

    def __init__(self) -> None:
        self.link: Link | None = None
        self.heard, self.over = asyncio.Event(), asyncio.Event()

    def opened(self, link: Link) -> None:
        self.link = link

    def received(self, data: bytes) -> None:
        self.heard.set()

    def drained(self) -> None:
        pass

    def lost(self) -> None:
        self.over.set()


@pytest.mark.parametrize("says", [False, True], ids=["idle", "talking"])
async def test_the_system_gives_a_dead_line_up(
    net: Wires, monkeypatch: pytest.MonkeyPatch, says: bool
) -> None:
    """Also one on which nobody asks for life, as of a bot, which only listens."""
    monkeypatch.setattr(perudo_protocol.link, "SILENT_SECONDS", 2)
    here, there = net.add("10.77.0.1"), net.add("10.77.1.1")
    with here.inside():
        door = socket.create_server((here.address, 0))
    with there.inside():
        caller = socket.create_connection(door.getsockname(), timeout=BOUND)
    called, _ = door.accept()
    door.close()
    near, far = End(), End()
    loop = asyncio.get_running_loop()
    for end, sock in ((near, called), (far, caller)):
        sock.setblocking(False)
        await loop.create_connection(lambda end=end: TcpLink(end), sock=sock)  # type: ignore[misc]
    assert near.link is not None
    near.link.write(b"first")
    async with asyncio.timeout(BOUND):
        await far.heard.wait()
        there.cut = True
        since = time.monotonic()
        if says:
            near.link.write(b"second")
        await near.over.wait()
        assert time.monotonic() - since <= 4 + BUSY
        await far.over.wait()
        assert time.monotonic() - since <= 4 + BUSY
