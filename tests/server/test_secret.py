"""A locked server: its join words, how often they may be tried, and who may wait at the door."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from perudo_protocol import lock
from perudo_protocol import messages as m
from perudo_protocol.codec import encode
from tests.support.doors import (
    NONCE,
    SECRET,
    SPOKEN,
    WRONG,
    FarLink,
    answer,
    cheap_keys,
    hello,
    knock,
    say,
)
from tests.support.house import HouseOfTests, Peer


@pytest.fixture(autouse=True)
def _cheap_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    cheap_keys(monkeypatch)


# The server's door ------------------------------------------------------------------------------


def test_who_knows_the_words_comes_in_with_the_greeting_that_waited() -> None:
    house = HouseOfTests(secret=SPOKEN)
    peer = knock(house)
    (challenge,) = peer.heard
    assert isinstance(challenge, m.Challenge)
    assert (challenge.table, challenge.cost) == (0, lock.COST)
    heard = say(house, peer, answer(peer))
    assert [type(each) for each in heard] == [m.Done, m.Welcome, m.Tables]
    assert peer.last(m.Done).re == 7
    assert peer.last(m.Welcome).you == "Ana"
    assert house.ask(peer, m.Make, name="Ours") == "done"


def test_an_open_server_asks_nothing() -> None:
    house = HouseOfTests()
    peer = house.peer("Ana")
    assert not peer.all(m.Challenge)
    assert house.ask(peer, m.Unlock, table=0, nonce=NONCE, proof=NONCE) == "no_table"


def test_versions_are_answered_before_the_words_and_names_after_them() -> None:
    house = HouseOfTests(secret=SECRET)
    knock(house, "Ana")
    stranger = house.connect()
    (error,) = say(house, stranger, hello(versions=(99,)))
    assert isinstance(error, m.Error)
    assert error.error == "version"
    inside = knock(house, "Ana")
    say(house, inside, answer(inside))
    for name in ("Ana", "", "x" * 40):
        assert [type(each) for each in knock(house, name).heard] == [m.Challenge]


def test_another_name_needs_no_second_proof() -> None:
    house = HouseOfTests(secret=SECRET)
    first = knock(house, "Ana")
    say(house, first, answer(first))
    second = knock(house, "Ana")
    heard = say(house, second, answer(second))
    assert [type(each) for each in heard] == [m.Done, m.Error]
    assert second.last(m.Error).error == "name_taken"
    heard = say(house, second, hello("Bo"))
    assert [type(each) for each in heard] == [m.Welcome, m.Tables]


def test_wrong_words_are_refused_and_asked_for_anew() -> None:
    house = HouseOfTests(secret=SECRET)
    peer = knock(house)
    first = peer.last(m.Challenge)
    heard = say(house, peer, answer(peer, WRONG))
    assert [type(each) for each in heard] == [m.Challenge, m.Refused]
    assert peer.last(m.Refused) == m.Refused(re=7, reason="wrong_secret")
    assert peer.last(m.Challenge).nonce != first.nonce
    assert m.Welcome in [type(each) for each in say(house, peer, answer(peer))]


def _replayed(house: HouseOfTests, peer: Peer) -> m.Unlock:
    """A right answer, overheard on another line."""
    other = knock(house, "Bo")
    return answer(other)


def _used_up(house: HouseOfTests, peer: Peer) -> m.Unlock:
    """A right answer to a question that has been answered already."""
    right = answer(peer)
    say(house, peer, answer(peer, WRONG))
    return right


def _for_a_table(_house: HouseOfTests, peer: Peer) -> m.Unlock:
    asked = peer.last(m.Challenge)
    key = lock.make_key(SECRET, asked.salt, asked.cost)
    return answer(peer, proof=lock.prove(key, 1, asked.nonce, NONCE))


def _at_a_table(_house: HouseOfTests, peer: Peer) -> m.Unlock:
    return answer(peer, table=1)


def _of_another_line(_house: HouseOfTests, peer: Peer) -> m.Unlock:
    return answer(peer, certificate=b"c" * 32)


def _other_nonce(_house: HouseOfTests, peer: Peer) -> m.Unlock:
    return answer(peer, nonce=b"o" * 32)


@pytest.mark.parametrize(
    "made", [_replayed, _used_up, _for_a_table, _at_a_table, _of_another_line, _other_nonce]
)
def test_an_answer_that_is_good_elsewhere_is_no_good_here(
    made: Callable[[HouseOfTests, Peer], m.Unlock],
) -> None:
    house = HouseOfTests(secret=SECRET)
    peer = knock(house)
    heard = say(house, peer, made(house, peer))
    assert [type(each) for each in heard] == [m.Challenge, m.Refused]
    assert peer.last(m.Refused).reason == "wrong_secret"
    assert not peer.all(m.Welcome)


@pytest.mark.parametrize(
    ("certificate", "good"), [(b"c" * 32, True), (b"", False), (b"d" * 32, False)]
)
def test_with_tls_an_answer_is_bound_to_the_certificate(certificate: bytes, good: bool) -> None:
    house = HouseOfTests(secret=SECRET)
    session, link = house.lobby.session(), FarLink(certificate=b"c" * 32)
    session.opened(link)
    session.received(encode(hello()))
    house.clock.settle()
    session.received(encode(answer(link.heard, certificate=certificate)))
    house.clock.settle()
    assert bool(link.heard.all(m.Welcome)) is good


def test_nothing_but_the_answer_is_heard_before_it() -> None:
    house = HouseOfTests(secret=SECRET)
    for message in (m.Make(id=1, name="T"), m.Join(id=1, table=1), hello("Bo")):
        peer = knock(house)
        say(house, peer, message)
        assert peer.last(m.Error).error == "not_greeted"
        assert peer.is_lost
    early = house.connect()
    say(house, early, m.Unlock(id=1, table=0, nonce=NONCE, proof=NONCE))
    assert early.last(m.Error).error == "not_greeted"


def test_there_is_time_to_type_and_no_more() -> None:
    house = HouseOfTests(secret=SECRET)
    peer = knock(house)
    house.clock.advance(house.lobby.settings.greeting_seconds + 1)
    assert not peer.is_lost
    say(house, peer, answer(peer, WRONG))
    house.clock.advance(house.lobby.settings.naming_seconds - 1)
    assert not peer.is_lost
    house.clock.advance(2)
    assert peer.is_lost
    assert peer.last(m.Error).error == "slow_greeting"


def test_five_wrong_tries_a_minute_then_not_even_the_right_words() -> None:
    house = HouseOfTests(secret=SECRET)
    for _try in range(5):
        peer = knock(house)
        say(house, peer, answer(peer, WRONG))
        assert peer.last(m.Refused).reason == "wrong_secret"
        house.drop(peer)
    peer = knock(house)
    (error,) = say(house, peer, answer(peer))
    assert isinstance(error, m.Error)
    assert error.error == "too_many_tries"
    assert peer.is_lost
    other = knock(house, address="192.0.2.2")
    assert m.Welcome in [type(each) for each in say(house, other, answer(other))]
    house.clock.advance(61)
    again = knock(house, "Bo")
    assert m.Welcome in [type(each) for each in say(house, again, answer(again))]


def test_right_words_use_up_no_tries_and_this_machine_is_not_exempt() -> None:
    house = HouseOfTests(secret=SECRET)
    for number in range(8):
        peer = knock(house, f"P{number}", "127.0.0.1")
        assert m.Welcome in [type(each) for each in say(house, peer, answer(peer))]
    peer = knock(house, "Q", "127.0.0.1")
    for _try in range(5):
        say(house, peer, answer(peer, WRONG))
    assert not peer.is_lost
    say(house, peer, answer(peer, WRONG))
    assert peer.is_lost


def test_a_flood_of_questions_makes_no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    house = HouseOfTests(secret=SECRET)

    def too_dear(*_: object) -> bytes:
        raise AssertionError("a key was made for a visitor")

    peer = knock(house)
    right = answer(peer)
    monkeypatch.setattr(lock, "make_key", too_dear)
    for _visit in range(40):
        house.drop(knock(house))
    assert m.Welcome in [type(each) for each in say(house, peer, right)]


def test_bots_of_the_house_need_no_words() -> None:
    house = HouseOfTests(secret=SECRET)
    peer = knock(house)
    say(house, peer, answer(peer))
    assert house.ask(peer, m.Make, name="Ours") == "done"
    assert house.ask(peer, m.AddBot) == "done"
    assert [seat.player.value for seat in peer.at.seats] == ["person", "bot"]


# How often ----------------------------------------------------------------------------------------


def test_many_addresses_have_no_more_tries_and_bar_no_friend() -> None:
    house = HouseOfTests(secret=SECRET)
    friend = knock(house, "Ana", "192.0.2.1")
    assert m.Welcome in [type(each) for each in say(house, friend, answer(friend))]
    house.drop(friend)
    judged = 0
    for number in range(100):
        peer = knock(house, "Eve", f"10.0.0.{number}")
        say(house, peer, answer(peer, WRONG))
        judged += bool(peer.all(m.Refused))
        house.drop(peer)
    settings = house.lobby.settings
    assert judged == 2 * settings.secret_tries_in_all
    for name, address in (("Ana", "192.0.2.1"), ("Host", "127.0.0.1")):
        peer = knock(house, name, address)
        assert m.Welcome in [type(each) for each in say(house, peer, answer(peer))]
    stranger = knock(house, "Cy", "192.0.2.9")
    say(house, stranger, answer(stranger))
    assert stranger.last(m.Error).error == "too_many_tries"
    house.clock.advance(61)
    stranger = knock(house, "Cy", "192.0.2.9")
    assert m.Welcome in [type(each) for each in say(house, stranger, answer(stranger))]


def test_a_wrong_answer_counts_at_the_door_that_was_asked_about() -> None:
    house = HouseOfTests(secret=SECRET)
    for number in range(100):
        peer = knock(house, "Eve", f"10.0.0.{number}")
        say(house, peer, answer(peer, WRONG, table=1000 + number))
        house.drop(peer)
    assert not house.lobby.porter.tries.left(0, "10.0.1.1")
    assert house.lobby.porter.tries.left(1000, "10.0.1.1")


# Who holds the door ------------------------------------------------------------------------------


@pytest.mark.parametrize(("secret", "name"), [(SECRET, "Eve"), ("", "")])
def test_one_address_cannot_bar_newcomers_by_typing_nothing(secret: str, name: str) -> None:
    """Neither with words nor with a good name: both have a minute to be typed."""
    house = HouseOfTests(secret=secret, ungreeted=8)
    far = [FarLink("192.0.2.1") for _ in range(30)]
    for link in far:
        link.say(house, hello(name))
    heard = [type(link.heard.heard[-1]) for link in far]
    assert heard[:4] == [m.Challenge if secret else m.Error] * 4
    assert [link.heard.is_lost for link in far] == [False] * 4 + [True] * 26
    assert far[-1].heard.last(m.Error).error == "too_many"
    for number in range(2, 30):
        link = FarLink(f"192.0.2.{number}")
        link.say(house, hello(f"P{number}"))
        assert isinstance(link.heard.heard[-1], m.Challenge if secret else m.Tables)
