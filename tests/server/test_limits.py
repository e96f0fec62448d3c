"""How much and how many: rates, floods, connections, tables, watchers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest
from msgspec.structs import replace

from perudo_protocol import messages as m
from perudo_protocol import views as v
from perudo_protocol.codec import encode
from perudo_protocol.framing import TO_CLIENT
from perudo_protocol.ruleset import CHOICES, SWITCH
from perudo_protocol.vocabulary import Bid
from perudo_server.backlog import PAUSE
from perudo_server.listing import MOST_LISTED
from perudo_server.names import NAME_CELLS, TABLE_NAME_CELLS, judge, judge_table_name
from perudo_server.session import FRAMES_AT_ONCE
from perudo_server.settings import BY_NAME
from tests.support.house import HouseOfTests, Peer
from tests.support.stuck import StuckLink, send_raw, stuck_session


def test_acts_and_chat_have_a_rate() -> None:
    """Ten at once then five a second; chat five then one; what is over is refused politely."""
    house = HouseOfTests(act_burst=10, chat_burst=5)
    (ana,) = house.table("Ana")
    answers = [house.ask(ana, m.Start) for _ in range(13)]
    assert answers == ["too_few"] * 10 + ["slow_down"] * 3
    assert [house.ask(ana, m.Say, text="hi") for _ in range(7)] == ["done"] * 5 + ["slow_down"] * 2
    house.clock.advance(1)
    assert [house.ask(ana, m.Start) for _ in range(6)] == ["too_few"] * 5 + ["slow_down"]
    assert [house.ask(ana, m.Say, text="hi") for _ in range(2)] == ["done", "slow_down"]


def test_coming_and_going_has_a_rate() -> None:
    """Ten at once, then one in two seconds, since each is told to everybody at a table."""
    house = HouseOfTests(move_burst=10, move_rate=0.5)
    house.table("Ana")
    eva = house.peer("Eva")
    moves = []
    for _ in range(6):
        moves += [house.ask(eva, m.Watch, table=1), house.ask(eva, m.Leave)]
    assert moves == ["done"] * 10 + ["slow_down"] * 2
    house.clock.advance(2)
    assert [house.ask(eva, m.Watch, table=1) for _ in range(2)] == ["done", "slow_down"]


def test_a_few_frames_of_each_are_heard_in_turn() -> None:
    """Whoever sends much at once is heard to the end, but others are heard between."""
    house = HouseOfTests()
    (ana,) = house.table("Ana")
    sessions = [stuck_session(house, name)[0] for name in ("Eva", "Bia")]
    for session in sessions:
        session.received(encode(m.Watch(id=1, table=1)))
    house.clock.settle()
    sessions[0].received(encode(m.Say(id=2, text="much")) * 100)
    sessions[1].received(encode(m.Say(id=2, text="little")))
    house.clock.advance(1)
    heard = [said.text for said in ana.all(m.Said)]
    assert heard.index("little") == FRAMES_AT_ONCE
    assert heard.count("much") == 100


def test_what_is_not_heard_yet_waits_in_the_system() -> None:
    """Nothing is read beyond a few frames until these were heard; then reading goes on."""
    house = HouseOfTests()
    session, link = stuck_session(house, "Eva")
    session.received(encode(m.Pong(now=1)) * FRAMES_AT_ONCE)
    house.clock.settle()
    assert link.listening == []
    session.received(encode(m.Pong(now=1)) * (FRAMES_AT_ONCE + 1))
    assert link.listening == [False]
    house.clock.advance(1)
    assert link.listening == [False, True]


def test_who_is_not_heard_yet_is_not_dead() -> None:
    """What came waits with us: its sender is silent only once that is heard."""
    house = HouseOfTests(frame_burst=10_000, dead_seconds=1.0, ping_seconds=0.4)
    session, link = stuck_session(house, "Eva")
    session.received(encode(m.Pong(now=1)) * 3000)
    for _ in range(20):
        house.clock.advance(0.1)
        if link.listening[-1]:
            break
    assert house.clock.now() > 1001.2
    house.clock.advance(0.9)
    assert link.ended == ""
    house.clock.advance(0.2)
    assert link.ended


def test_many_who_flood_take_no_more_time_than_few() -> None:
    """Everybody waits while they are heard, so a few of them are, and then there is a pause."""
    house = HouseOfTests()
    (ana,) = house.table("Ana")
    sessions = [stuck_session(house, f"Foe {n}", f"192.0.2.{n}")[0] for n in range(30)]
    for session in sessions:
        session.received(encode(m.Watch(id=1, table=1)))
    house.clock.settle()
    for session in sessions:
        session.received(encode(m.Say(id=2, text=f"{session.number}")) * 5)
    heard = []
    for _ in range(30):
        house.clock.settle()
        heard.append(len(ana.all(m.Said)))
        house.clock.advance(PAUSE)
    assert heard[0] == 30 * FRAMES_AT_ONCE, "what is heard as it comes"
    assert max(after - before for before, after in pairwise(heard)) <= 8
    assert Counter(said.text for said in ana.all(m.Said)) == {
        f"{session.number}": 5 for session in sessions
    }


@pytest.mark.parametrize("said", [m.Pong(now=1), m.Start(id=1), m.Say(id=1, text="x" * 200)])
def test_a_flood_ends_the_link(said: m.FromClient) -> None:
    """However harmless each frame: a thousand in one go would hold up everybody else's turn."""
    house = HouseOfTests(frame_burst=300, frame_rate=100)
    ana, bia = house.table("Ana", "Bia")
    for _ in range(10):
        send_raw(house, bia, encode(said) * 100)
        house.clock.advance(1)
    assert not bia.is_lost
    send_raw(house, bia, encode(said) * 1000)
    house.clock.advance(1)
    assert bia.last(m.Error).error == "flood"
    assert bia.is_lost
    assert len(ana.at.seats) == 1


def many(house: HouseOfTests, number: int, address: Callable[[int], str]) -> list[str]:
    """Connect so many times and tell how each ended."""
    ends = []
    for n in range(number):
        link = StuckLink(address(n))
        house.lobby.session().opened(link)
        house.clock.settle()
        ends.append(link.ended)
    return ends


def test_connections_are_limited() -> None:
    """64 that have not greeted, 16 from one address, 512 in all; this machine is exempt."""
    house = HouseOfTests(connections_per_address=16)
    same = many(house, 20, lambda n: "192.0.2.1")
    assert same == [""] * 16 + ["closed"] * 4
    other = many(house, 60, lambda n: f"192.0.2.{n + 10}")
    assert other == [""] * 48 + ["closed"] * 12
    house.clock.advance(6)
    assert house.lobby.sessions == 80 - 16  # closed links whose end has not come; none is new
    fresh = HouseOfTests(connections=30)
    for n in range(30):
        stuck_session(fresh, f"P{n}", "127.0.0.1")
    assert many(fresh, 1, lambda n: "127.0.0.1") == ["closed"]


def test_tables_are_limited() -> None:
    """Two from one address, so many in all."""
    house = HouseOfTests(tables=3)
    made = []
    for n, address in enumerate(["192.0.2.1"] * 3 + ["192.0.2.2", "192.0.2.3"]):
        session, link = stuck_session(house, f"P{n}", address)
        link.written.clear()
        session.received(encode(m.Make(id=5, name=f"T{n}")))
        house.clock.settle()
        heard = Peer()
        heard.received(b"".join(link.written))
        made.append(heard.all(m.Refused)[-1].reason if heard.all(m.Refused) else "done")
    assert made == ["done", "done", "too_many_tables", "done", "too_many_tables"]


def test_watchers_are_limited() -> None:
    """So that the whole picture of a table always fits into a frame, whatever their names are."""
    house = HouseOfTests(watchers_per_table=100)
    (ana,) = house.table("Ana")
    answers = []
    for n in range(102):
        name = "".join(chr(0x4E00 + n * 8 + k) for k in range(8))
        eva = house.peer(name)
        answers.append(house.ask(eva, m.Watch, table=1))
    assert answers == ["done"] * 100 + ["table_full"] * 2
    assert len(encode(m.View(view=ana.at))) < 48 * 1024
    assert house.ask(ana, m.Watch, table=1) == "done"


def test_as_many_tables_and_watchers_as_may_be_set_fit_into_a_frame() -> None:
    """With the heaviest names there are: four bytes a sign, and three marks on each."""
    cells = "\U00010330" + "\U0001e8d0" * 3
    name, table = judge(cells * NAME_CELLS), judge_table_name(cells * TABLE_NAME_CELLS)
    house = HouseOfTests()
    (ana,) = house.game("Ana", bots=9, max_players=10)
    watchers = (v.Person(2**53, name, True),) * _most("watchers_per_table")
    seats = tuple(replace(seat, name=name, person=2**53) for seat in ana.at.seats)
    ladder = (v.Placed(9, Bid(60, 6)),) * 300
    view = replace(ana.at, name=table, seats=seats, watchers=watchers, ladder=ladder)
    assert len(encode(m.View(view=view))) <= TO_CLIENT
    rules = {
        option: True if choice is SWITCH else max(choice.words, key=len, default=3600)
        for option, choice in CHOICES.items()
    }
    line = replace(house.the_table().line(), table=2**53, name=table, rules=rules)
    assert len(encode(m.Tables(tables=(line,) * MOST_LISTED))) <= TO_CLIENT


def _most(setting: str) -> int:
    return int(BY_NAME[setting].metadata["most"])
