"""Who may come in, counted; and how often everybody hears of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perudo_protocol import messages as m
from perudo_server.entrance import MOST_CALLERS, Entrance, Ticket, is_local
from perudo_server.settings import Settings
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
            same = sum(ticket.address == address for ticket in inside)
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
        ticket = entrance.admit(f"2001:db8::{n:x}", n / 100)
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
