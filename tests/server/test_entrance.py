"""Who may come in, counted; and how often everybody hears of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_protocol import messages as m
from perudo_server import listing
from perudo_server.entrance import MOST_CALLERS, Entrance, Ticket, is_local
from perudo_server.listing import MOST_LISTED
from perudo_server.settings import Settings
from perudo_server.tries import neighbourhood
from tests.support.house import HouseOfTests

FAR, LOCAL = ("192.0.2.1", "192.0.2.2", "2001:db8::1"), ("127.0.0.1", "127.3.2.1", "::1")


@given(st.lists(st.tuples(st.sampled_from(["in", "greet", "out"]), st.integers(0, 20))))
def test_the_counts_are_those_of_a_search(steps: list[tuple[str, int]]) -> None:
    """Whatever comes and goes: as if all that are inside were looked through each time."""
    entrance = Entrance(
        Settings(connections=6, connections_per_address=2, ungreeted=4, call_burst=1000)
    )
    inside: list[Ticket] = []
    new: list[Ticket] = []
    gone: list[Ticket] = []
    for step, n in steps:
        if step == "in":
            address = (FAR + LOCAL)[n % 6]
            same = sum(ticket.address == neighbourhood(address) for ticket in inside)
            room = len(inside) < 6 and len(new) < 4 and (same < 2 or address in LOCAL)
            ticket = entrance.admit(address, 0.0)
            assert (ticket is not None) == room
            if ticket is not None:
                inside.append(ticket)
                new.append(ticket)
        elif inside and step == "greet":
            inside[n % len(inside)].greet()
            new = [ticket for ticket in new if ticket is not inside[n % len(inside)]]
        elif inside:
            ticket = inside.pop(n % len(inside))
            ticket.give_back()
            new = [other for other in new if other is not ticket]
            gone.append(ticket)
        for ticket in gone:  # being told twice changes nothing
            ticket.give_back()
            ticket.greet()


def test_whoever_comes_too_often_waits() -> None:
    """From one address so many in one go, then so many a second; others are not held up."""
    entrance = Entrance(Settings(call_burst=3, call_rate=2))

    def call(address: str, now: float) -> bool:
        ticket = entrance.admit(address, now)
        if ticket is not None:
            ticket.give_back()
        return ticket is not None

    assert [call(FAR[0], 0) for _ in range(5)] == [True] * 3 + [False] * 2
    assert call(FAR[1], 0)
    assert [call(FAR[0], 1) for _ in range(3)] == [True] * 2 + [False]
    assert all(call(LOCAL[0], 1) for _ in range(100))


def test_whoever_has_many_addresses_fills_no_memory() -> None:
    entrance = Entrance(Settings(call_burst=2, call_rate=1))
    for n in range(5 * MOST_CALLERS):
        ticket = entrance.admit(f"2001:db8:{n:x}::1", n / 100)
        assert ticket is not None
        ticket.give_back()
        assert len(entrance._calls) <= MOST_CALLERS + 1


@pytest.mark.parametrize("address", LOCAL)
def test_addresses_of_this_machine(address: str) -> None:
    assert is_local(address)


@pytest.mark.parametrize("address", [*FAR, "fe80::1%eth0", "memory", "", "127.0.0.1.example"])
def test_addresses_of_others(address: str) -> None:
    assert not is_local(address)


def test_the_list_goes_out_at_once_and_then_not_too_often() -> None:
    """Tables that come and go all the time cost those who look at the list one line in a while."""
    house = HouseOfTests(list_seconds=0.5)
    ana, idle = house.peer("Ana"), house.peer("Eva")
    lists = len(idle.all(m.Tables))
    for n in range(20):
        assert house.ask(ana, m.Make, name=f"T{n}") == "done"
        if n < 19:
            house.ask(ana, m.Leave)
    assert len(idle.all(m.Tables)) == lists + 1
    house.clock.advance(0.5)
    assert len(idle.all(m.Tables)) == lists + 2
    assert [line.name for line in idle.last(m.Tables).tables] == ["T19"]
    house.clock.advance(10)
    assert len(idle.all(m.Tables)) == lists + 2
    house.ask(ana, m.Leave)
    assert len(idle.all(m.Tables)) == lists + 3
    assert idle.last(m.Tables).tables == ()


def test_thousands_who_choose_a_table_get_the_list_less_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listing, "LISTS_A_SECOND", 2)
    house = HouseOfTests(list_seconds=0.5)
    ana, *idle = [house.peer(name) for name in ("Ana", "Bo", "Cy", "Di", "Eva", "Flo")]
    house.ask(ana, m.Make, name="T")
    assert [line.name for line in idle[0].last(m.Tables).tables] == ["T"]
    house.ask(ana, m.Leave)
    house.clock.advance(1.9)
    assert [line.name for line in idle[0].last(m.Tables).tables] == ["T"]
    house.clock.advance(0.2)
    assert [each.last(m.Tables).tables for each in idle] == [()] * 5


def test_of_very_many_tables_those_with_a_free_seat_are_listed() -> None:
    """As many as fit into a frame whatever they are called; others are there all the same."""
    house = HouseOfTests(tables=MOST_LISTED + 9, tables_per_address=MOST_LISTED + 9)
    for n in range(MOST_LISTED + 9):
        seats = 2 if n < 20 else 6
        host = house.peer(f"Ana {n}")
        house.ask(host, m.Make, name=f"T{n}", options={"max_players": seats})
    idle = house.peer("Eva")
    for table in (1, 5, 10):
        assert house.ask(house.peer(f"Bo {table}"), m.Join, table=table) == "done"
    listed = [line.table for line in house.peer("Ian").last(m.Tables).tables]
    assert listed == [n for n in range(1, MOST_LISTED + 10) if n not in {1, 5, 10, *range(2, 9)}]
    assert len(idle.last(m.Tables).tables) == MOST_LISTED
    assert house.ask(idle, m.Watch, table=1) == "done"


# Those who have something to type -----------------------------------------------------------------


def _waiting(entrance: Entrance, address: str, dropped: list[str]) -> tuple[Ticket, bool]:
    ticket = entrance.admit(address, 0.0)
    assert ticket is not None
    return ticket, ticket.wait(lambda: dropped.append(address))


def test_who_types_is_not_counted_with_those_who_have_not_greeted() -> None:
    entrance, dropped = Entrance(Settings(ungreeted=2)), list[str]()
    for number in range(2):
        assert _waiting(entrance, f"192.0.2.{number}", dropped)[1]
    assert [entrance.admit("192.0.2.9", 0) is None for _ in range(3)] == [False, False, True]
    assert not dropped


def test_of_one_address_few_may_be_typing_but_this_machine_is_exempt() -> None:
    entrance, dropped = Entrance(Settings(waiting_per_address=4)), list[str]()
    come = [_waiting(entrance, FAR[0], dropped) for _ in range(6)]
    assert [may for _ticket, may in come] == [True] * 4 + [False] * 2
    assert come[0][0].wait(dropped.clear), "who waits already may go on"
    assert _waiting(entrance, FAR[1], dropped)[1]
    assert all(_waiting(entrance, LOCAL[0], dropped)[1] for _ in range(20))
    come[1][0].greet()
    come[2][0].give_back()
    for ticket, may in come:
        if not may:
            ticket.give_back()
    assert [_waiting(entrance, FAR[0], dropped)[1] for _ in range(3)] == [True, True, False]
    assert not dropped


@pytest.mark.parametrize("form", ["2001:db8::{}", "fe80::{}%eth0"])
def test_of_one_network_few_may_be_typing(form: str) -> None:
    entrance, dropped = Entrance(Settings(waiting_per_address=4)), list[str]()
    may = [_waiting(entrance, form.format(number), dropped)[1] for number in range(1, 7)]
    assert may == [True] * 4 + [False] * 2


@pytest.mark.parametrize("form", ["127.0.0.{}"])
def test_when_too_many_are_typing_the_oldest_of_the_fullest_network_goes(form: str) -> None:
    entrance, dropped = Entrance(Settings(ungreeted=8)), list[str]()
    for address in ("192.0.2.1", "192.0.2.2"):
        _waiting(entrance, address, dropped)
    for number in range(1, 40):
        assert _waiting(entrance, form.format(number), dropped)[1]
    assert dropped == [form.format(number) for number in range(1, 34)]
    assert _waiting(entrance, "192.0.2.3", dropped)[1]
    assert dropped[-1] == form.format(34)
