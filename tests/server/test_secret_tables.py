"""Locked tables: their join words, and every way to be wrong about them."""

from __future__ import annotations

import pytest

from perudo_protocol import messages as m
from tests.support.doors import NONCE, TABLE_LOCK, cheap_keys, table_answer
from tests.support.house import HouseOfTests, Peer


@pytest.fixture(autouse=True)
def _cheap_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    cheap_keys(monkeypatch)


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
    assert all(not person.visit.let_in for person in house.lobby.register.people.values())
