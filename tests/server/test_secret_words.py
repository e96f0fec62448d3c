"""Join words: who is told of them, which are taken, and those that a server makes."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from perudo_protocol import messages as m
from perudo_server.join_words import WORDS, make_words
from perudo_server.settings import BadSetting, Settings
from tests.support.doors import (
    TABLE_KEY,
    TABLE_LOCK,
    WRONG,
    answer,
    cheap_keys,
    knock,
    say,
    table_answer,
)
from tests.support.house import HouseOfTests


@pytest.fixture(autouse=True)
def _cheap_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    cheap_keys(monkeypatch)


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
