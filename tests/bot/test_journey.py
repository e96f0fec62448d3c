"""Where the next try goes, after a server has sent a client on."""

from __future__ import annotations

import pytest

from perudo_bot.journey import Journey
from perudo_protocol.elsewhere import HOPS_SECONDS, MOST_HOPS, Astray, Elsewhere, NotThere
from perudo_protocol.messages import Redirect

FIRST = None
B, C = Elsewhere("192.168.1.21", 7654), Elsewhere("192.168.1.22", 7654)


class Way(Journey):
    """A way with a clock that stands still."""

    def __init__(self) -> None:
        self.time = 0.0
        super().__init__(lambda: self.time)

    def sent(self, place: Elsewhere) -> Elsewhere:
        said = Redirect(place=f"{place.host}:{place.port}")
        return self.follow(said, "192.168.1.20", 7654, b"", lambda *_: b"")


def test_tries_go_to_the_first_address_while_nobody_sends_us_on() -> None:
    way = Way()
    assert [way.next() for _ in range(3)] == [FIRST] * 3
    assert not way.is_there


def test_tries_go_in_turn_to_where_we_were_sent_and_to_the_first_address() -> None:
    way = Way()
    way.sent(B)
    assert [way.next() for _ in range(4)] == [B, FIRST, B, FIRST]


def test_where_we_are_known_is_tried_first_when_that_line_is_lost() -> None:
    way = Way()
    way.sent(B)
    way.next()
    assert way.is_there
    assert way.untried
    way.arrived()
    assert way.is_there
    assert not way.untried
    assert [way.next() for _ in range(3)] == [B, FIRST, B]


def test_who_is_known_at_the_first_address_again_tries_that_alone() -> None:
    way = Way()
    way.sent(B)
    way.next()
    way.next()
    way.arrived()
    assert [way.next() for _ in range(3)] == [FIRST] * 3


def test_it_is_sent_from_place_to_place() -> None:
    way = Way()
    way.sent(B)
    way.next()
    way.sent(C)
    assert [way.next() for _ in range(3)] == [C, FIRST, C]


def test_places_that_send_on_and_on_are_followed_a_few_times_a_minute() -> None:
    way = Way()
    way.sent(B)
    way.next()
    for hop in range(MOST_HOPS):
        way.time += 1
        way.sent((C, B)[hop % 2])
        way.next()
        way.arrived()
    with pytest.raises(NotThere) as wrong:
        way.sent(B)
    assert wrong.value.why is Astray.IN_CIRCLES
    way.time += HOPS_SECONDS
    assert way.sent(B) == B


def test_the_first_address_may_send_on_as_often_as_it_is_asked() -> None:
    """While the place is down, the first address knows nothing better."""
    way = Way()
    for _ in range(20):
        way.sent(B)
        assert way.next() == B  # not reached
        assert way.next() is FIRST


def test_it_begins_again() -> None:
    way = Way()
    way.sent(B)
    way.next()
    way.begin_again()
    assert not way.is_there
    assert not way.untried
    assert way.next() is FIRST
