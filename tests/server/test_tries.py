"""How often one may be wrong about join words: each address, each network, each door in all."""

from __future__ import annotations

import pytest

from perudo_server.tries import MOST_ADDRESSES, QUIET, Tries, neighbourhood
from tests.support.held_clock import HeldClock

DOOR, OTHER = 0, 5
MOST, IN_ALL = 5, 30


def tries() -> tuple[Tries, HeldClock]:
    clock = HeldClock()
    return Tries(MOST, IN_ALL, clock), clock


def guess(tries: Tries, address: str, times: int = 1, door: int = DOOR) -> int:
    """Guess wrongly, and give how many of the guesses were judged."""
    judged = 0
    for _time in range(times):
        if tries.left(door, address):
            tries.wrong(door, address)
            judged += 1
    return judged


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8::1", "2001:db8::ffff:2", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("fe80::1%eth0", "fe80::1%eth1", False),
        ("fe80::1", "fe80::2", True),
        ("127.0.0.1", "127.9.8.7", True),
        ("127.0.0.1", "::1", True),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
        ("memory", "memory", True),
    ],
)
def test_what_counts_as_one_address(one: str, other: str, same: bool) -> None:
    assert (neighbourhood(one) == neighbourhood(other)) is same


@pytest.mark.parametrize("form", ["127.0.1.{}", "fe80::{}%eth0", "2001:db8::{}"])
def test_who_has_many_addresses_of_one_place_has_no_more_tries(form: str) -> None:
    some, clock = tries()
    assert sum(guess(some, form.format(n)) for n in range(1, 200)) == MOST
    clock.advance(61)
    assert guess(some, form.format(1)) == 1


def test_a_door_bears_so_many_wrong_answers_a_minute_from_wherever_they_come() -> None:
    some, clock = tries()
    everywhere = [f"10.0.{n >> 8}.{n & 255}" for n in range(2000)]
    assert sum(guess(some, each) for each in everywhere) == 2 * IN_ALL
    assert guess(some, "192.0.2.1", door=OTHER) == 1, "another door has its own"
    for _minute in range(3):
        clock.advance(61)
        assert sum(guess(some, each, MOST) for each in everywhere) <= 2 * IN_ALL


def test_a_newcomer_is_still_heard_once_while_few_guess_all_the_time() -> None:
    some, clock = tries()
    siege = [f"192.0.2.{n}" for n in range(30)]
    for minute in range(30):
        for each in siege:
            guess(some, each, MOST)
        assert not some.left(DOOR, siege[0])
        assert some.left(DOOR, f"198.51.100.{minute}")
        clock.advance(61)
    for each in siege:
        guess(some, each, MOST)
    assert guess(some, "203.0.113.7", MOST) == 1, "once, and not again"


def test_who_was_quiet_for_long_is_a_newcomer_again() -> None:
    some, clock = tries()
    guess(some, "203.0.113.7")
    for wait, heard in ((61.0, False), (QUIET, True)):
        clock.advance(wait)
        for number in range(IN_ALL // MOST):
            assert guess(some, f"192.0.2.{number}", MOST) == MOST
        assert some.left(DOOR, "203.0.113.7") is heard


@pytest.mark.parametrize("home", ["192.0.2.77", "fe80::77%eth0", "2001:db8::77", "127.0.0.1"])
def test_nobody_bars_who_knew_the_words_of_this_door_before(home: str) -> None:
    some, _clock = tries()
    some.right(DOOR, home)
    crowd = [f"10.1.{n >> 8}.{n & 255}" for n in range(500)]
    crowd += [f"fe80::{n:x}%eth0" for n in range(1, 99) if n != 0x77]
    crowd += [f"2001:db8::{n:x}" for n in range(1, 99) if n != 0x77]
    for each in crowd:
        guess(some, each, MOST)
    assert guess(some, home, 9) == MOST, "and has tries of its own, no more of them than others"
    assert not some.left(OTHER, home) or guess(some, home, 9, OTHER) <= MOST


def test_wrong_answers_of_the_known_use_up_nothing_of_the_others() -> None:
    some, _clock = tries()
    for number in range(60):
        some.right(DOOR, f"10.0.0.{number}")
        guess(some, f"10.0.0.{number}", MOST)
    assert guess(some, "192.0.2.1", 9) == MOST


def test_this_machine_is_never_barred_by_others() -> None:
    some, _clock = tries()
    for number in range(500):
        guess(some, f"10.1.{number >> 8}.{number & 255}")
    assert guess(some, "127.0.0.1", 9) == MOST
    assert guess(some, "::1", 9) == 0


def test_who_knew_one_door_is_no_friend_of_another_and_a_closed_one_is_forgotten() -> None:
    some, _clock = tries()
    some.right(OTHER, "192.0.2.1")
    crowd = [f"10.1.0.{number}" for number in range(100)]
    for each in crowd:
        guess(some, each)
    assert guess(some, "192.0.2.1", 9) == 0
    some.forget(OTHER)
    for each in crowd[:60]:
        some.wrong(OTHER, each)
    assert not some.left(OTHER, "192.0.2.1")


def test_the_memory_is_bounded() -> None:
    some, clock = tries()
    for number in range(2 * MOST_ADDRESSES):
        address = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
        some.wrong(DOOR, address)
        some.right(OTHER, address)
    assert len(some) <= 3 * MOST_ADDRESSES
    for _try in range(1000):
        some.wrong(DOOR, "192.0.2.1")
    assert not some.left(DOOR, "192.0.2.1")
    clock.advance(61)
    assert some.left(DOOR, "192.0.2.1")
