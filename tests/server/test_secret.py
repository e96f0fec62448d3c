"""Join words: a locked server, a locked table, and every way to be wrong about them."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from perudo_protocol import lock
from perudo_protocol import messages as m
from perudo_protocol.codec import encode
from perudo_protocol.link import memory_links
from perudo_server.join_words import WORDS, make_words
from perudo_server.settings import BadSetting, Settings
from tests.support.house import HouseOfTests, Peer

SPOKEN = "Blue  Fox-Rain"
SECRET = "blue fox rain"
WRONG = "green fox rain"
NONCE = b"n" * lock.SIZE
TABLE_KEY = b"k" * lock.SIZE
TABLE_LOCK = m.Lock(salt=b"s" * lock.SIZE, key=TABLE_KEY)


@pytest.fixture(autouse=True)
def _cheap_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    def make_key(words: str, salt: bytes, cost: int = lock.COST) -> bytes:
        return hmac.digest(salt, lock.plain_words(words).encode(), "sha256")

    monkeypatch.setattr(lock, "make_key", make_key)


def hello(name: str = "Ana", versions: tuple[int, ...] = (1,)) -> m.Hello:
    return m.Hello(versions=versions, client="test", name=name)


def knock(house: HouseOfTests, name: str = "Ana", address: str = "192.0.2.1") -> Peer:
    """Greet from an address, without knowing yet that words are wanted."""
    peer, session = Peer(), house.lobby.session()
    memory_links(peer, session, house.clock.soon)
    session.visit.address = address
    house.clock.settle()
    say(house, peer, hello(name))
    return peer


def say(house: HouseOfTests, peer: Peer, *messages: m.FromClient) -> list[m.ServerMessage]:
    """Say something and give what was heard of it."""
    before = len(peer.heard)
    for message in messages:
        peer.send(message)
    house.clock.settle()
    return peer.heard[before:]


def answer(
    peer: Peer, words: str = SECRET, *, number: int = 7, certificate: bytes = b"", **changes: Any
) -> m.Unlock:
    """Make the answer to the newest challenge."""
    asked = peer.last(m.Challenge)
    key = lock.make_key(words, asked.salt, asked.cost)
    proof = lock.prove(key, asked.table, asked.nonce, NONCE, certificate)
    right = m.Unlock(id=number, table=asked.table, nonce=NONCE, proof=proof)
    return replace(right, **changes)


def table_answer(peer: Peer, key: bytes = TABLE_KEY) -> dict[str, Any]:
    """Make the answer for a table whose key is known."""
    asked = peer.last(m.Challenge)
    assert asked.salt == TABLE_LOCK.salt
    proof = lock.prove(key, asked.table, asked.nonce, NONCE)
    return {"table": asked.table, "nonce": NONCE, "proof": proof}


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


class FarLink:
    """A line from elsewhere, with TLS or without, as far as a session sees it."""

    unsent = 0
    full = False

    def __init__(self, peer: str = "192.0.2.1", certificate: bytes = b"") -> None:
        self.peer, self.certificate = peer, certificate
        self.heard = Peer()

    def say(self, house: HouseOfTests, *messages: m.FromClient) -> None:
        """Connect, and say something."""
        session = house.lobby.session()
        session.opened(self)
        for message in messages:
            session.received(encode(message))
        house.clock.settle()
        if self.heard.is_lost:
            session.lost()

    def listen(self, on: bool) -> None:
        pass

    def write(self, data: bytes) -> None:
        self.heard.received(data)

    def close(self) -> None:
        self.heard.lost()

    abort = close


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


# A table's door -----------------------------------------------------------------------------------


def locked_table(house: HouseOfTests) -> list[Peer]:
    """Give the maker of a locked table, and two others outside."""
    ana, bo, cy = (house.peer(name) for name in ("Ana", "Bo", "Cy"))
    assert house.ask(ana, m.Make, name="Ours", lock=TABLE_LOCK) == "done"
    return [ana, bo, cy]


@pytest.mark.parametrize("way", [m.Join, m.Watch])
def test_a_locked_table_opens_to_its_words(way: type[m.Request]) -> None:
    house = HouseOfTests()
    _ana, bo, _cy = locked_table(house)
    assert bo.last(m.Tables).tables[0].locked
    number = bo.last(m.Tables).tables[0].table
    assert house.ask(bo, way, table=number) == "locked"
    assert [type(each) for each in bo.heard[-2:]] == [m.Challenge, m.Refused]
    assert bo.view is None
    assert house.ask(bo, m.Unlock, **table_answer(bo, b"x" * 32)) == "wrong_secret"
    assert [type(each) for each in bo.heard[-2:]] == [m.Challenge, m.Refused]
    assert house.ask(bo, way, table=number) == "locked"
    assert house.ask(bo, m.Unlock, **table_answer(bo)) == "done"
    assert house.ask(bo, way, table=number) == "done"
    assert bo.at.table == number
    assert house.ask(bo, m.Leave) == "done"
    assert house.ask(bo, way, table=number) == "done"


def test_the_maker_comes_back_without_words() -> None:
    house = HouseOfTests()
    ana, bo, _cy = locked_table(house)
    number = ana.at.table
    house.ask(bo, m.Join, table=number)
    house.ask(bo, m.Unlock, **table_answer(bo))
    house.ask(bo, m.Join, table=number)
    house.ask(ana, m.Leave)
    assert house.ask(ana, m.Join, table=number) == "done"
    assert not ana.all(m.Challenge)


def test_a_question_is_good_for_one_answer_and_one_table() -> None:
    house = HouseOfTests()
    ana, bo, cy = locked_table(house)
    number = ana.at.table
    other = m.Lock(salt=TABLE_LOCK.salt, key=b"o" * 32)
    assert house.ask(cy, m.Make, name="Theirs", lock=other) == "done"
    house.ask(bo, m.Join, table=number)
    right = table_answer(bo)
    house.ask(bo, m.Join, table=cy.at.table)
    assert house.ask(bo, m.Unlock, **right) == "wrong_secret"
    house.ask(bo, m.Join, table=number)
    assert house.ask(bo, m.Unlock, **table_answer(bo) | {"table": cy.at.table}) == "wrong_secret"
    house.ask(bo, m.Join, table=number)
    right = table_answer(bo)
    assert house.ask(bo, m.Unlock, **right) == "done"
    assert house.ask(bo, m.Unlock, **right) == "wrong_secret"
    assert house.ask(bo, m.Join, table=cy.at.table) == "locked"
    assert house.ask(bo, m.Unlock, table=99, nonce=NONCE, proof=NONCE) == "no_table"


def test_too_many_wrong_words_for_a_table_are_refused_and_shared_with_the_servers() -> None:
    house = HouseOfTests()
    ana, bo, cy = locked_table(house)
    number = ana.at.table
    house.ask(bo, m.Join, table=number)
    for _try in range(5):
        assert house.ask(bo, m.Unlock, **table_answer(bo, b"x" * 32)) == "wrong_secret"
    assert house.ask(bo, m.Unlock, **table_answer(bo)) == "too_many_tries"
    assert not bo.is_lost
    house.ask(cy, m.Join, table=number)
    assert house.ask(cy, m.Unlock, **table_answer(cy)) == "too_many_tries"
    house.clock.advance(61)
    house.ask(cy, m.Join, table=number)
    assert house.ask(cy, m.Unlock, **table_answer(cy)) == "done"


def test_who_was_sent_away_stays_out_with_the_words() -> None:
    house = HouseOfTests()
    ana, bo, _cy = locked_table(house)
    number = ana.at.table
    house.ask(bo, m.Join, table=number)
    house.ask(bo, m.Unlock, **table_answer(bo))
    house.ask(bo, m.Join, table=number)
    assert house.ask(ana, m.Kick, person=bo.at.you) == "done"
    assert house.ask(bo, m.Join, table=number) == "kicked"
    house.drop(bo)
    again = house.peer("Bo")
    assert house.ask(again, m.Join, table=number) == "locked"
    assert house.ask(again, m.Unlock, **table_answer(again)) == "done"
    assert house.ask(again, m.Watch, table=number) == "kicked"


def test_another_connection_is_asked_again_and_closed_tables_are_forgotten() -> None:
    house = HouseOfTests()
    ana, bo, _cy = locked_table(house)
    number = ana.at.table
    house.ask(bo, m.Join, table=number)
    house.ask(bo, m.Unlock, **table_answer(bo))
    house.drop(bo)
    again = house.peer("Bo")
    assert house.ask(again, m.Join, table=number) == "locked"
    standing = table_answer(again)
    house.ask(ana, m.Leave)
    assert house.ask(again, m.Unlock, **standing) == "no_table"
    assert all(not person.visit.let_in for person in house.lobby._people.values())


# Nobody is told -----------------------------------------------------------------------------------


def test_neither_words_nor_keys_are_told_to_anybody(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    house = HouseOfTests(secret="canary words")
    peers = [knock(house, name) for name in ("Ana", "Bo", "Cy")]
    for peer in peers:
        say(house, peer, answer(peer, WRONG))
        say(house, peer, answer(peer, "canary words"))
    ana, bo, _cy = peers
    say(house, ana, m.Make(id=1, name="Ours", lock=TABLE_LOCK))
    for kind in (m.Join, m.Watch):
        house.ask(bo, kind, table=ana.at.table)
    house.ask(bo, m.Unlock, **table_answer(bo))
    house.ask(bo, m.Join, table=ana.at.table)
    house.ask(ana, m.Start)
    assert bo.view is not None
    bolt = house.lobby.porter.bolt
    assert bolt is not None
    wire = b"".join(frame for peer in peers for frame in peer.frames)
    for hidden in (b"canary", bolt.key, TABLE_KEY):
        assert hidden not in wire
    table = house.the_table()
    told = [repr(each) for each in (house.lobby.settings, bolt, table.bolt, bo.last(m.View))]
    told += [str(record.__dict__) for record in caplog.records]
    assert len(caplog.records) > 5
    for text in told:
        assert "canary" not in text
        assert repr(bolt.key)[2:-1] not in text
        assert "kkkk" not in text


# What the server is told -------------------------------------------------------------------------


@pytest.mark.parametrize("secret", ["", "new", "abcdef", "a b c d", "éééééé", "a" * 64])
def test_words_that_are_taken(secret: str) -> None:
    assert Settings(secret=secret).secret == secret


@pytest.mark.parametrize("secret", ["abcde", "----------", "a    b   c", "a" * 65, "a\nbcdefg", 7])
def test_words_that_lock_nothing_are_refused_without_being_told(secret: Any) -> None:
    with pytest.raises(BadSetting) as bad:
        Settings(secret=secret)
    assert str(bad.value) == (
        "secret is no good; it must be 6 to 64 letters, or new for words made at start"
    )


def test_settings_do_not_tell_the_words() -> None:
    assert "canary" not in repr(Settings(secret="canary words"))


def test_made_words_are_easy_and_many() -> None:
    assert len(set(WORDS)) == 256
    assert all(word.isascii() and word.isalpha() and word.islower() for word in WORDS)
    assert all(3 <= len(word) <= 8 for word in WORDS)
    made = {make_words() for _ in range(50)}
    assert len(made) == 50
    for words in made:
        parts = words.split("-")
        assert len(parts) == 4
        assert set(parts) <= set(WORDS)
        assert Settings(secret=words).secret == words


def test_no_two_made_words_are_one_letter_apart() -> None:
    """Whoever hears one word for another must not be locked out."""
    gaps = [word[:i] + "." + word[i + 1 :] for word in WORDS for i in range(len(word))]
    assert len(set(gaps)) == len(gaps)


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
